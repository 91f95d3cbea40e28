import "./strict-policy.ts";
import "./styles/index.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queryClient } from "./api/use-answer.ts";
import { router } from "./router.tsx";
import { listenForKeys } from "./shell/keys.tsx";
import { followTheme } from "./shell/theme.ts";

followTheme();
listenForKeys();
createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
