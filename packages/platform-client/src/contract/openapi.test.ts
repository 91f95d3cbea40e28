import { expect, test } from "vitest";
import { openApi } from "./openapi.ts";
import { ROUTES } from "./routes.ts";

// biome-ignore lint/suspicious/noExplicitAny: a JSON document is walked by hand
type Any = Record<string, any>;
const document = openApi({ server: "http://localhost:8700", version: "1.2.3" }) as Any;

test("every call is an operation with the parameters of its path, its body, its answer and its refusals", () => {
  for (const route of ROUTES) {
    const operation = document.paths[route.path]?.[route.method.toLowerCase()];
    expect(operation?.operationId).toBe(route.id);
    expect(operation.requestBody === undefined).toBe(route.body === null);
    expect(operation.responses[route.status].content[route.answerType].schema).toBeDefined();
    const inPath = operation.parameters.filter((one: Any) => one.in === "path").map((one: Any) => `{${one.name}}`);
    for (const name of inPath) expect(route.path).toContain(name);
    expect(operation.responses["429"].content["application/json"].schema).toEqual({
      $ref: "#/components/schemas/Error",
    });
  }
});

test("every reference leads to a schema", () => {
  const refs = JSON.stringify(document).match(/"\$ref":"[^"]+"/g) ?? [];
  expect(refs.length).toBeGreaterThan(50);
  for (const ref of new Set(refs)) {
    const name = ref.split("/").at(-1)!.slice(0, -1);
    expect(ref).toContain("#/components/schemas/");
    expect(document.components.schemas).toHaveProperty(name);
  }
});

test("caps of texts are in the document, in code points as JSON Schema counts", () => {
  const { Behavior, RunSpec } = document.components.schemas;
  expect(JSON.stringify(Behavior.properties.rubric)).toContain('"maxLength":4000');
  expect(JSON.stringify(RunSpec.properties.version)).toContain('"maxLength":40');
});

test("a parameter of a query is a number or a switch, and cannot be null", () => {
  const { parameters } = document.paths["/datasets"].get as Any;
  expect(JSON.stringify(parameters)).not.toContain("null");
  expect(parameters.map(({ name }: Any) => name)).toEqual(["agent", "purpose", "status", "q", "limit", "cursor"]);
});

test("scopes are told where a key needs one", () => {
  expect(document.paths["/keys"].post.description).toBe("Scopes, any of: keys.");
});
