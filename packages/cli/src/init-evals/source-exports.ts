/** What a module exports, as far as its text shows it: nothing of it is run. */
export interface SourceExport {
  /** `default`, or the name. */
  name: string;
  kind: "function" | "value";
  /** Of a function, its first parameter as it is written; of a value, what it is made of. */
  text: string;
}

/**
 * The exports of a module of JavaScript or TypeScript, ES or CommonJS, in the order of the text. What is exported from
 * another module is left out: it is found there.
 */
export function sourceExports(source: string): SourceExport[] {
  const text = withoutComments(source);
  const found = new Map<string, SourceExport>();
  const add = (name: string, local: string | null, own?: string): void => {
    if (found.has(name)) return;
    const told = own !== undefined ? meaningOf(own) : local === null ? null : declarationOf(text, local);
    if (told !== null) found.set(name, { name, ...told });
  };
  for (const match of text.matchAll(/^[ \t]*export[ \t]+(default[ \t]+)?/gm)) {
    const [, isDefault] = match;
    const own = after(text, match);
    const declared = /^(?:async[ \t]+)?(?:function[ \t]*\*?|const|let|var)[ \t]+([\w$]+)/.exec(own);
    const list = /^\{([^}]*)\}[ \t]*(from\b)?/.exec(own);
    if (isDefault !== undefined) {
      const local = /^([\w$]+)[ \t]*(?:;|\n|$)/.exec(own)?.[1];
      if (local !== undefined && local !== "async" && local !== "function") add("default", local);
      else add("default", null, own);
    } else if (list !== null && list[2] === undefined) {
      for (const item of list[1]!.split(",")) {
        const [, local, as] = /^\s*([\w$]+)(?:\s+as\s+([\w$]+))?\s*$/.exec(item) ?? [];
        if (local !== undefined) add(as ?? local, local);
      }
    } else if (declared !== null) add(declared[1]!, declared[1]!);
  }
  for (const match of text.matchAll(/^[ \t]*(?:module\.)?exports(?:\.([\w$]+))?[ \t]*=(?!=)[ \t]*/gm)) {
    const [, name] = match;
    const own = after(text, match);
    const list = /^\{([\w$,\s]*)\}/.exec(own);
    const local = /^([\w$]+)[ \t]*(?:;|\n|$)/.exec(own)?.[1];
    if (name === undefined && list !== null) {
      for (const item of list[1]!.split(",")) if (item.trim() !== "") add(item.trim(), item.trim());
    } else if (local !== undefined) add(name ?? "default", local);
    else add(name ?? "default", null, own);
  }
  return [...found.values()];
}

/** Characters behind an export that are looked at: its first parameter, or what it is made of. */
const LOOKED_AT = 600;

function after(text: string, match: RegExpMatchArray): string {
  const from = (match.index ?? 0) + match[0].length;
  return text.slice(from, from + LOOKED_AT);
}

/** What a name stands for in the module; null when it is declared elsewhere, or is a type or a class. */
function declarationOf(text: string, name: string): Omit<SourceExport, "name"> | null {
  const escaped = name.replaceAll("$", "\\$");
  const as = new RegExp(
    `^[ \\t]*(?:export[ \\t]+)?(?:default[ \\t]+)?(?:async[ \\t]+)?(?:function[ \\t]*\\*?|const|let|var)[ \\t]+${escaped}\\b`,
    "m",
  );
  const at = as.exec(text);
  if (at === null) return null;
  const own = text
    .slice(at.index)
    .trimStart()
    .replace(/^export[ \t]+(?:default[ \t]+)?/, "");
  if (/^(?:async[ \t]+)?function/.test(own)) return meaningOf(own);
  const value = /^(?:const|let|var)[ \t]+[\w$]+\s*(?::[^=]*(?:=>[^=]*)?)?=(?![=>])\s*([\s\S]*)/.exec(own);
  return value === null ? null : meaningOf(value[1]!);
}

function meaningOf(own: string): Omit<SourceExport, "name"> | null {
  if (/^class\b/.test(own)) return null;
  const named = /^(?:async[ \t]+)?function[ \t]*\*?[ \t]*[\w$]*[ \t]*(?:<[^(]*>)?[ \t]*\(([\s\S]*)/.exec(own);
  const arrow = /^(?:async[ \t]*)?(?:<[^(]*>[ \t]*)?\(([\s\S]*)/.exec(own);
  const bare = /^(?:async[ \t]+)?([\w$]+)[ \t]*=>/.exec(own);
  if (bare !== null) return { kind: "function", text: bare[1]! };
  if (named !== null) return { kind: "function", text: firstParameter(named[1]!) };
  if (arrow !== null && /^[\s\S]*?\)[^;{}]*=>/.test(arrow[1]!))
    return { kind: "function", text: firstParameter(arrow[1]!) };
  return { kind: "value", text: statement(own) };
}

/** Up to its semicolon, or to the next line that begins a statement. */
function statement(text: string): string {
  return text.split(/;[ \t]*(?:\n|$)|\n(?=[\w"'@/])/)[0]!.trim();
}

/** Up to the comma or the bracket that ends it, whatever is nested in it. */
function firstParameter(text: string): string {
  let depth = 0;
  for (const [i, sign] of [...text].entries()) {
    if (depth === 0 && (sign === "," || sign === ")")) return [...text].slice(0, i).join("").trim();
    if ("({[<".includes(sign)) depth += 1;
    if (")}]".includes(sign) || (sign === ">" && text[i - 1] !== "=")) depth -= 1;
  }
  return text.trim();
}

/** Texts keep their place: a comment becomes blank, and what stands in quotes is none. */
function withoutComments(source: string): string {
  const tokens = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\[\s\S]|[^`\\])*`|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;
  return source.replace(tokens, (token) => (token.startsWith("/") ? " " : token));
}
