const { builtinModules } = require("node:module");

const NODE = `^(node:)?(${builtinModules.filter((name) => !name.startsWith("_")).join("|")})(/|$)`;

/** A package may import itself and the named siblings, and nothing else of the house. */
const mayImport = (from, allowed, apps = []) => ({
  name: `${from}-imports-only-${allowed.join("-") || "no-sibling"}`,
  comment: "Rooms do not know one another: the row is the bus, and only cli, apps and recipes compose.",
  severity: "error",
  from: { path: `^packages/${from}/` },
  to: {
    path: "^(packages|apps|recipes)/",
    pathNot: `^(packages/(${[from, ...allowed].join("|")})${apps.map((app) => `|apps/${app}`).join("")})/`,
  },
});

/** Who may import whom. */
module.exports = {
  forbidden: [
    mayImport("schema", []),
    mayImport("stats", ["schema"]),
    mayImport("trust", ["schema", "stats"]),
    mayImport("select", ["schema", "stats"]),
    mayImport("export", ["schema", "stats"]),
    mayImport("simulate", ["schema", "stats"]),
    mayImport("platform-client", ["schema", "stats"]),
    mayImport("cli", ["schema", "stats", "trust", "select", "export", "simulate", "platform-client"], ["server"]),
    {
      name: "server-imports-only-schema-stats-trust-select-platform-client",
      comment:
        "The server concludes by the rules that client and pages share, and looks at a set by the gate and for leaks as wai does.",
      severity: "error",
      from: { path: "^apps/server/" },
      to: {
        path: "^(packages|apps|recipes)/",
        pathNot: "^(apps/server|packages/(schema|stats|trust|select|platform-client))/",
      },
    },
    {
      name: "web-imports-only-schema-stats-platform-client",
      comment: "A page concludes by the rules that server and client share. Its tests may start the server.",
      severity: "error",
      from: { path: "^apps/web/src/" },
      to: { path: "^(packages|apps|recipes)/", pathNot: "^(apps/web|packages/(schema|stats|platform-client))/" },
    },
    {
      name: "recipes-use-public-doors",
      comment: "A recipe shows what a reader can write: packages by their names, the server too, and its own files.",
      severity: "error",
      from: { path: "^recipes/(00-[^/]+|[^/]+/[^/]+)/" },
      to: { path: "^(apps|recipes)/", pathNot: "^(recipes/$1/|apps/server/src/app\\.ts$)" },
    },
    {
      name: "pure-root-entry",
      comment: "The first door works in a browser and an edge worker; files and processes are behind ./files.",
      severity: "error",
      from: {
        path: "^packages/(schema|stats|trust|select|export|simulate|platform-client)/src/(index|contract|rules)\\.ts$",
      },
      to: { path: NODE, reachable: true },
    },
    { name: "no-circular", severity: "error", from: {}, to: { circular: true } },
    { name: "resolvable", severity: "error", from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    // In interop stand scripts that run beside tools which this repository does not install.
    exclude: {
      path: "/(dist|node_modules|out)/|^apps/server/pages/|^packages/[^/]+/bin/|^apps/interop/(node|\\.node-tools|\\.python)/",
    },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.base.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["@while/source", "import", "require", "node", "default", "types"],
      mainFields: ["module", "main", "types", "typings"],
    },
  },
};
