import type { FoundAgent } from "./find-agent.ts";
import type { Project } from "./project.ts";

/** Keys that a model's client reads, by the packages that read them. */
const KEYS: readonly (readonly [key: string, packages: RegExp])[] = [
  ["OPENAI_API_KEY", /^(?:openai|@openai\/agents.*|@ai-sdk\/openai|@langchain\/openai)$/],
  ["ANTHROPIC_API_KEY", /^(?:@anthropic-ai\/.*|@ai-sdk\/anthropic|@langchain\/anthropic)$/],
  ["GOOGLE_GENERATIVE_AI_API_KEY", /^@ai-sdk\/google$/],
];

/** Seconds that a service gets to come up. */
const PATIENCE_S = 60;

/** `.github/workflows/evals.yml`: the CI test on every push and pull request. */
export function workflowFile(project: Project, agent: FoundAgent, test: string): string {
  const { manager, hasLock, within, dependencies, scripts } = project;
  const keys = KEYS.filter(([, packages]) => [...dependencies].some((name) => packages.test(name))).map(([key]) => key);
  const install = {
    npm: hasLock ? "npm ci" : "npm install",
    pnpm: "pnpm install",
    yarn: "yarn install",
    bun: "bun install",
  }[manager];
  const setUp = {
    npm: [],
    pnpm: ["      - run: corepack enable"],
    yarn: ["      - run: corepack enable"],
    bun: ["      - uses: oven-sh/setup-bun@v2"],
  }[manager];
  const isService = agent.kind === "http" && /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])/.test(agent.url!);
  const start = scripts.has("start") ? `${manager} start` : "node server.js";
  const lines = [
    "# Red when the agent is worse than its baseline: see evals/evals.test.mjs.",
    "name: evals",
    "on:",
    "  push:",
    "    branches: [main]",
    "  pull_request:",
    "jobs:",
    "  evals:",
    "    runs-on: ubuntu-latest",
    "    timeout-minutes: 30",
    ...(within === "" ? [] : ["    defaults:", "      run:", `        working-directory: ${within}`]),
    ...(keys.length === 0 ? [] : ["    env:", ...keys.map((key) => `      ${key}: \${{ secrets.${key} }}`)]),
    "    steps:",
    "      - uses: actions/checkout@v4",
    "      - uses: actions/setup-node@v4",
    "        with:",
    "          node-version: 22",
    ...setUp,
    `      - run: ${install}`,
    ...(isService
      ? [
          `      - run: ${start} &`,
          `      - run: timeout ${PATIENCE_S} sh -c 'until curl -s -o /dev/null ${new URL(agent.url!).origin}; do sleep 1; done'`,
        ]
      : []),
    `      - run: ${test}`,
    "      - uses: actions/upload-artifact@v4",
    "        if: always()",
    "        with:",
    "          name: eval-rows",
    `          path: ${within === "" ? "" : `${within}/`}evals/out/rows.jsonl`,
  ];
  return `${lines.join("\n")}\n`;
}
