import * as z from "zod";
import { errorBodySchema } from "./error-body.ts";
import { ERROR_STATUS, type ErrorCode } from "./error-code.ts";
import { pathParams, type Route } from "./route.ts";
import { ROUTES } from "./routes.ts";

/** A JSON object of the document. */
type Part = Record<string, unknown>;

export interface OpenApiOptions {
  /** Address that calls go to. */
  server?: string;
  /** Version of the server. */
  version?: string;
  routes?: readonly Route[];
}

/** Refusals that any call with a key can meet. */
const COMMON: readonly ErrorCode[] = ["invalid_request", "too_large", "rate_limited"];
const KEYED: readonly ErrorCode[] = ["invalid_key", "expired_key", "scope_missing"];

/** The OpenAPI 3.1 document of the table of routes: every body, query, answer and refusal, from the same schemas. */
export function openApi({ server = "/", version = "0", routes = ROUTES }: OpenApiOptions = {}): Part {
  const components: Part = {};
  const paths: Record<string, Part> = {};
  for (const one of routes) {
    paths[one.path] = { ...paths[one.path], [one.method.toLowerCase()]: operation(one, components) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "While platform", version, description: "Scores, runs and rows of agents, and who may read them." },
    servers: [{ url: server }],
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: {
        apiKey: { type: "apiKey", in: "header", name: "X-Api-Key" },
        bearer: { type: "http", scheme: "bearer" },
        session: { type: "apiKey", in: "cookie", name: "while_session" },
      },
    },
  };
}

const SECURITY: Readonly<Record<Route["auth"], Part[]>> = {
  key: [{ apiKey: [] }, { bearer: [] }, { session: [] }],
  session: [{ session: [] }, { bearer: [] }],
  signed: [],
  none: [],
};

function operation(one: Route, components: Part): Part {
  const params = pathParams(one.path).map((name) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string", minLength: 1 },
  }));
  const required = one.body?.safeParse(undefined).success !== true;
  const scopes = one.scopes.length === 0 ? "" : ` Scopes, any of: ${one.scopes.join(", ")}.`;
  return {
    operationId: one.id,
    summary: one.summary,
    ...(scopes === "" ? {} : { description: scopes.trim() }),
    tags: [one.tag],
    security: SECURITY[one.auth],
    parameters: [...params, ...queryParams(one.query, components)],
    ...(one.body === null
      ? {}
      : { requestBody: { required, content: { [one.bodyType]: { schema: schemaOf(one.body, components) } } } }),
    responses: {
      [one.status]: {
        description: "As asked.",
        content: { [one.answerType]: { schema: schemaOf(one.answer, components) } },
      },
      ...refusals(one, components),
    },
  };
}

function queryParams(query: z.ZodType | null, components: Part): Part[] {
  if (query === null) return [];
  const schema = resolved(schemaOf(query, components), components);
  const required = (schema.required as string[] | undefined) ?? [];
  return Object.entries((schema.properties as Record<string, Part> | undefined) ?? {}).map(([name, field]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema: withoutNull(field),
  }));
}

/** One entry a status, its words listed. */
function refusals(one: Route, components: Part): Part {
  const codes = new Set([...COMMON, ...(one.auth === "key" || one.auth === "session" ? KEYED : []), ...one.errors]);
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) byStatus.set(ERROR_STATUS[code], [...(byStatus.get(ERROR_STATUS[code]) ?? []), code]);
  const content = { "application/json": { schema: schemaOf(errorBodySchema, components) } };
  return Object.fromEntries(
    Array.from(byStatus, ([status, words]) => [status, { description: words.join(", "), content }]),
  );
}

/** The JSON Schema of one side; named schemas go to `components` and are referred to. */
function schemaOf(schema: z.ZodType, components: Part): Part {
  const { $schema, $defs, ...rest } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Part;
  for (const [name, definition] of Object.entries((withComponentRefs($defs) ?? {}) as Part))
    components[name] = definition;
  const own = withComponentRefs(rest) as Part;
  const id = z.globalRegistry.get(schema)?.id;
  if (id === undefined) return own;
  components[id] = own;
  return { $ref: `#/components/schemas/${id}` };
}

function withComponentRefs(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withComponentRefs);
  if (typeof part !== "object" || part === null) return part;
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => [
      key,
      key === "$ref" && typeof value === "string"
        ? value.replace("#/$defs/", "#/components/schemas/")
        : withComponentRefs(value),
    ]),
  );
}

function resolved(schema: Part, components: Part): Part {
  const name = typeof schema.$ref === "string" ? schema.$ref.split("/").at(-1)! : null;
  return name === null ? schema : (components[name] as Part);
}

/** A query cannot say null. */
function withoutNull(field: Part): Part {
  const options = field.anyOf as Part[] | undefined;
  if (options !== undefined) {
    const left = options.filter(({ type }) => type !== "null");
    return left.length === 1 ? left[0]! : { ...field, anyOf: left };
  }
  if (!Array.isArray(field.type)) return field;
  const types = field.type.filter((type) => type !== "null");
  return { ...field, type: types.length === 1 ? types[0] : types };
}
