/** The pages of the masthead, and the key that goes to each after `g`. */
export const PAGES = [
  { to: "/platform/runs", name: "Runs", key: "r", here: (path: string) => path === "/platform/runs" },
  { to: "/platform/evals", name: "Evals", key: "e", here: (path: string) => path === "/platform/evals" },
  { to: "/platform/rows", name: "Rows", key: "o", here: (path: string) => /\/rows$/.test(path) },
  {
    to: "/platform/datasets",
    name: "Datasets",
    key: "d",
    here: (path: string) => path.startsWith("/platform/datasets"),
  },
  {
    to: "/platform/training",
    name: "Training",
    key: "t",
    here: (path: string) => path.startsWith("/platform/training"),
  },
] as const;
