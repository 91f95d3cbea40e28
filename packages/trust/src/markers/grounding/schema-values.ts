import { isObject, type Row, textOf } from "@while/schema";

/** Values that a tool's schema names for a parameter: its `enum`, `const` and `default`. */
export function schemaValues(row: Row, tool: string, path: readonly string[]): readonly unknown[] {
  for (const listed of Array.isArray(row.tools) ? row.tools : []) {
    const declared: unknown = isObject(listed) && isObject(listed.function) ? listed.function : listed;
    if (!isObject(declared) || textOf(declared.name) !== tool) continue;
    return valuesAt(declared.parameters ?? declared.input_schema, path);
  }
  return [];
}

function valuesAt(schema: unknown, path: readonly string[]): unknown[] {
  if (!isObject(schema)) return [];
  const [key, ...rest] = path;
  const branches = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((list) => (Array.isArray(list) ? list : []));
  const inner = branches.flatMap((branch) => valuesAt(branch, path));
  if (key === undefined) {
    const own = [...(Array.isArray(schema.enum) ? schema.enum : []), schema.const, schema.default];
    return [...own.filter((value) => value !== undefined), ...inner];
  }
  const properties =
    isObject(schema.properties) && Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined;
  const items = /^\d+$/.test(key) ? schema.items : undefined;
  return [...valuesAt(properties ?? items, rest), ...inner];
}
