import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from "@tanstack/react-router";
import { parseSearch, type Search, stringifySearch } from "./search.ts";
import { Announcer } from "./shell/announce.tsx";
import { Broken, NotFound } from "./shell/Broken.tsx";
import { Shell } from "./shell/Shell.tsx";

const validateSearch = (search: Record<string, unknown>): Search => search as Search;

const root = createRootRoute({
  component: () => (
    <>
      <Outlet />
      <Announcer />
    </>
  ),
  validateSearch,
  errorComponent: Broken,
  notFoundComponent: NotFound,
});

const home = createRoute({
  getParentRoute: () => root,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/platform/runs" });
  },
});

const login = createRoute({
  getParentRoute: () => root,
  path: "/login",
  component: lazyRouteComponent(() => import("./pages/sign-in/SignIn.tsx"), "SignIn"),
});

const shell = createRoute({ getParentRoute: () => root, id: "shell", component: Shell });

const device = createRoute({
  getParentRoute: () => shell,
  path: "/device",
  component: lazyRouteComponent(() => import("./pages/device/ApproveDevice.tsx"), "ApproveDevice"),
});

const runs = createRoute({
  getParentRoute: () => shell,
  path: "/platform/runs",
  component: lazyRouteComponent(() => import("./pages/runs/RunsPage.tsx"), "RunsPage"),
});

const evals = createRoute({
  getParentRoute: () => shell,
  path: "/platform/evals",
  component: lazyRouteComponent(() => import("./pages/evals/EvalsPage.tsx"), "EvalsPage"),
});

const newestRows = createRoute({
  getParentRoute: () => shell,
  path: "/platform/rows",
  component: lazyRouteComponent(() => import("./pages/rows/NewestRows.tsx"), "NewestRows"),
});

const rows = createRoute({
  getParentRoute: () => shell,
  path: "/platform/runs/$run/rows",
  component: lazyRouteComponent(() => import("./pages/rows/RowsPage.tsx"), "RowsPage"),
});

const datasets = createRoute({
  getParentRoute: () => shell,
  path: "/platform/datasets",
  component: lazyRouteComponent(() => import("./pages/datasets/DatasetsPage.tsx"), "DatasetsPage"),
});

const dataset = createRoute({
  getParentRoute: () => shell,
  path: "/platform/datasets/$dataset",
  component: lazyRouteComponent(() => import("./pages/datasets/DatasetPage.tsx"), "DatasetPage"),
});

const trainingRuns = createRoute({
  getParentRoute: () => shell,
  path: "/platform/training",
  component: lazyRouteComponent(() => import("./pages/training/TrainingList.tsx"), "TrainingList"),
});

const training = createRoute({
  getParentRoute: () => shell,
  path: "/platform/training/$run",
  component: lazyRouteComponent(() => import("./pages/training/TrainingPage.tsx"), "TrainingPage"),
});

const account = createRoute({
  getParentRoute: () => shell,
  path: "/platform/account",
  component: lazyRouteComponent(() => import("./pages/account/AccountPage.tsx"), "AccountPage"),
});

const pages = [device, runs, evals, newestRows, rows, datasets, dataset, trainingRuns, training, account];

export const router = createRouter({
  routeTree: root.addChildren([home, login, shell.addChildren(pages)]),
  parseSearch,
  stringifySearch,
  defaultErrorComponent: Broken,
  defaultPreload: "intent",
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
