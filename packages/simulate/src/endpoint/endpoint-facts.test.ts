import { expect, test } from "vitest";
import { endpointModel } from "./endpoint-model.ts";

const model = (answer: Response | Error, options: object = {}) => {
  const asked: string[] = [];
  const fetch = (async (url: string) => {
    asked.push(url);
    if (answer instanceof Error) throw answer;
    return answer;
  }) as typeof globalThis.fetch;
  return { asked, ...{ inspect: endpointModel("http://h:1/v1", { model: "m", fetch, ...options }).inspect } };
};
const list = (...data: object[]) => Response.json({ object: "list", data });

test.each([
  [
    "vLLM",
    list({ id: "m", owned_by: "vllm", max_model_len: 8192 }),
    { server: "vllm", models: ["m"], contextTokens: 8192 },
  ],
  [
    "Ollama",
    list({ id: "m:latest", owned_by: "library" }),
    { server: "ollama", models: ["m:latest"], contextTokens: null },
  ],
  [
    "a router",
    list({ id: "n" }, { id: "m", context_length: 4096 }),
    { server: null, models: ["n", "m"], contextTokens: 4096 },
  ],
  ["one without the model", list({ id: "n", max_model_len: 9 }), { server: null, models: ["n"], contextTokens: null }],
  ["one without a list", new Response("no", { status: 404 }), { server: null, models: null, contextTokens: null }],
  ["a page", new Response("<html>"), { server: null, models: null, contextTokens: null }],
])("%s says what it is", async (_, answer, facts) => {
  const { inspect, asked } = model(answer);
  expect(await inspect()).toEqual(facts);
  expect(asked).toEqual(["http://h:1/v1/models"]);
});

test("a server that is not there, and one that refuses the key, are said at once", async () => {
  const nobody = Object.assign(new TypeError("fetch failed"), {
    cause: Object.assign(new Error("x"), { code: "ENOTFOUND" }),
  });
  await expect(model(nobody).inspect()).rejects.toMatchObject({
    ...{ code: "endpoint_unreachable", what: "m at http://h:1 cannot be reached: ENOTFOUND." },
  });
  const refused = Response.json({ error: { message: "Wrong key." } }, { status: 401 });
  await expect(model(refused, { keyEnv: "K", env: { K: "k" } }).inspect()).rejects.toMatchObject({
    ...{
      code: "agent_auth_failed",
      what: "m at http://h:1 refused the key: HTTP 401: Wrong key..",
      fix: "Look at K, and at what the key may do.",
    },
  });
});
