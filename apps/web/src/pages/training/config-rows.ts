/** A setting as the trainer named it, and its value as text. */
export interface ConfigRow {
  name: string;
  value: string;
}

/** A trainer's settings, flat: what lies inside an object stands under its path, in the order it was sent in. */
export function configRows(config: Readonly<Record<string, unknown>> | null | undefined): ConfigRow[] {
  const rows: ConfigRow[] = [];
  const walk = (value: unknown, name: string): void => {
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      const entries = Object.entries(value);
      if (entries.length > 0) {
        for (const [key, inner] of entries) walk(inner, name === "" ? key : `${name}.${key}`);
        return;
      }
      if (name === "") return;
    }
    rows.push({ name, value: typeof value === "string" ? value : JSON.stringify(value) });
  };
  walk(config ?? {}, "");
  return rows;
}
