import type { Missing } from "@while/platform-client/rules";

/** The calls that bring what a run lacks, by language: the body to send, and the score, which is posted. */
export function missingCalls(run: string, { body, scoreCall, scoreCallPython }: Missing): Record<string, string> {
  const curl: string[] = [];
  const typescript: string[] = [];
  const python: string[] = [];
  if (body !== null) {
    const json = JSON.stringify(body, null, 2).replaceAll("'", "'\\''");
    curl.push(
      `curl -X PATCH "$WHILEAI_API_URL/runs/${encodeURIComponent(run)}" \\\n  -H "X-Api-Key: $WHILEAI_API_KEY" -H "Content-Type: application/json" \\\n  -d '${json}'`,
    );
    const fields = Object.keys(body);
    typescript.push(
      `const run = await tracked.open(${JSON.stringify(run)});\nawait run.finish("evaluated", { ${fields.join(", ")} });`,
    );
    const named = fields.map((field) => (field === "costUsd" ? "cost_usd=cost_usd" : `${field}=${field}`));
    python.push(`run = tracked.open(${JSON.stringify(run)})\nrun.finish("evaluated", ${named.join(", ")})`);
  }
  if (scoreCall !== null) {
    typescript.push(`${scoreCall};`);
    if (scoreCallPython !== null) python.push(scoreCallPython);
    curl.push(
      `curl -X POST "$WHILEAI_API_URL/runs/${encodeURIComponent(run)}/evals" \\\n  -H "X-Api-Key: $WHILEAI_API_KEY" -H "Content-Type: application/json" \\\n  -d '[{"behavior": "<name>", "score": "<number>", "ci": "<number>", "n": "<number>"}]'`,
    );
  }
  return { curl: curl.join("\n\n"), TypeScript: typescript.join("\n"), Python: python.join("\n") };
}
