/** What stands between two commands. */
export type Joint = "" | ";" | "&&" | "||" | "|" | "&";

/** One simple command of a shell text: words with the quotes taken off, and where its output goes. */
export interface ShellCommand {
  /** Program and arguments; wrappers (`sudo`, `timeout 60`, `uv run`) are still in it. */
  argv: readonly string[];
  /** `NAME=value` words in front of the program. */
  env: readonly (readonly [name: string, value: string])[];
  redirects: readonly { op: string; target: string }[];
  /** Text of a here-document or here-string. */
  input: string | null;
  /** What joins it to the command before and after. */
  before: Joint;
  after: Joint;
  /** As it was written. */
  text: string;
}

/** A command that lies deeper than this inside `$( )` is left as text. */
const MAX_DEPTH = 8;
/** Words that open or close a compound; what follows is a command of its own. */
const KEYWORDS: ReadonlySet<string> = new Set(
  "if then elif else fi while until do done esac { } ! time function select coproc".split(" "),
);

interface Draft {
  argv: string[];
  env: [string, string][];
  redirects: { op: string; target: string }[];
  input: string | null;
  before: Joint;
  start: number;
}

/**
 * The simple commands of a shell text, in the order they are written: split at `;`, `&&`, `||`, `|`, `&` and line
 * breaks outside quotes. Quotes, escapes, comments, here-documents and groups are honoured; what stands in `$( )`,
 * back-ticks and `<( )` follows the command that it stands in. Text that no shell would take is read as far as it goes.
 */
export function shellCommands(text: string, depth = 0): ShellCommand[] {
  const found: ShellCommand[] = [];
  const inner: string[] = [];
  const documents: { end: string; dashed: boolean; of: Draft }[] = [];
  const finished: { draft: Draft; end: number; after: Joint }[] = [];
  let draft: Draft = fresh("", 0);
  let word: string | null = null;
  let quoted = false;
  let redirect: string | null = null;
  let at = 0;

  function endWord(): void {
    if (word === null) return;
    const [value, bare] = [word, !quoted];
    word = null;
    quoted = false;
    if (redirect === "<<" || redirect === "<<-") {
      documents.push({ end: value, dashed: redirect === "<<-", of: draft });
    } else if (redirect === "<<<") {
      draft.input = value;
    } else if (redirect !== null) {
      draft.redirects.push({ op: redirect, target: value });
    } else if (draft.argv.length === 0 && bare && KEYWORDS.has(value)) {
      draft.start = at;
    } else {
      const assigned = draft.argv.length === 0 ? /^([A-Za-z_]\w*)\+?=([\s\S]*)$/.exec(value) : null;
      if (assigned === null) draft.argv.push(value);
      else draft.env.push([assigned[1]!, assigned[2]!]);
    }
    redirect = null;
  }

  function endCommand(after: Joint, end: number): void {
    endWord();
    redirect = null;
    if (draft.argv.length + draft.env.length + draft.redirects.length > 0) finished.push({ draft, end, after });
    draft = fresh(after, at);
  }

  /** The text up to the bracket that closes the one before `from`; the scan goes on behind it. */
  function bracketed(from: number, open: string, close: string): string {
    let level = 1;
    let quote = "";
    for (let i = from; i < text.length; i++) {
      const c = text[i]!;
      if (quote !== "'" && c === "\\") i++;
      else if (quote !== "") quote = c === quote ? "" : quote;
      else if (c === "'" || c === '"') quote = c;
      else if (c === close && --level === 0) {
        at = i + 1;
        return text.slice(from, i);
      } else if (c === open) level++;
    }
    at = text.length;
    return text.slice(from);
  }

  function substitution(): boolean {
    const start = at;
    if (text.startsWith("$(", at) || text.startsWith("<(", at) || text.startsWith(">(", at)) {
      inner.push(bracketed(at + 2, "(", ")"));
    } else if (text[at] === "`") {
      const end = text.indexOf("`", at + 1);
      inner.push(text.slice(at + 1, end === -1 ? text.length : end));
      at = end === -1 ? text.length : end + 1;
    } else return false;
    word = (word ?? "") + text.slice(start, at);
    return true;
  }

  function hereDocuments(): void {
    for (const { end, dashed, of } of documents.splice(0)) {
      const body: string[] = [];
      while (at < text.length) {
        const stop = text.indexOf("\n", at);
        const line = text.slice(at, stop === -1 ? text.length : stop).replace(/\r$/, "");
        at = stop === -1 ? text.length : stop + 1;
        if ((dashed ? line.replace(/^\t+/, "") : line) === end) break;
        body.push(line);
      }
      of.input = body.join("\n");
    }
  }

  while (at < text.length) {
    const c = text[at]!;
    if (c === "\\") {
      if (text[at + 1] === "\n") at += 2;
      else {
        word = (word ?? "") + (text[at + 1] ?? "");
        at += 2;
      }
    } else if (c === "'") {
      const end = text.indexOf("'", at + 1);
      word = (word ?? "") + text.slice(at + 1, end === -1 ? text.length : end);
      quoted = true;
      at = end === -1 ? text.length : end + 1;
    } else if (c === '"') {
      at++;
      word ??= "";
      quoted = true;
      while (at < text.length && text[at] !== '"') {
        if (text[at] === "\\" && '"\\$`\n'.includes(text[at + 1] ?? "x")) {
          word += text[at + 1] === "\n" ? "" : text[at + 1];
          at += 2;
        } else if ((text[at] === "$" && text[at + 1] === "(") || text[at] === "`") substitution();
        else word += text[at++];
      }
      at++;
    } else if (c === "#" && word === null) {
      while (at < text.length && text[at] !== "\n") at++;
    } else if ((c === "$" || c === "`" || c === "<" || c === ">") && substitution()) {
      // Read; its text is part of the word.
    } else if (c === "<" || c === ">" || (c === "&" && text[at + 1] === ">")) {
      // A number right before it is a descriptor and not an argument.
      if (word !== null && /^\d$/.test(word) && !quoted) word = null;
      endWord();
      const op = /^(?:<<<|<<-|<<|<>|<&|<|&>>|&>|>>|>\||>&|>)/.exec(text.slice(at, at + 3))![0];
      at += op.length;
      redirect = op;
      // `2>&1` sends to a descriptor, which is no file.
      const descriptor = op === ">&" || op === "<&" ? /^(\d+|-)/.exec(text.slice(at, at + 4)) : null;
      if (descriptor !== null) {
        at += descriptor[0].length;
        redirect = null;
      }
    } else if (c === "\n") {
      const end = at++;
      endCommand(";", end);
      hereDocuments();
    } else if (c === ";" || c === "&" || c === "|" || c === "(" || c === ")") {
      const pair = text.slice(at, at + 2);
      const end = at;
      at += pair === "&&" || pair === "||" || pair === ";;" || pair === "|&" ? 2 : 1;
      endCommand(pair === "&&" || pair === "||" ? pair : c === "|" || c === "&" ? c : ";", end);
    } else if (c === " " || c === "\t" || c === "\r") {
      at++;
      endWord();
    } else {
      word = (word ?? "") + c;
      at++;
    }
  }
  endCommand("", text.length);
  hereDocuments();

  for (const { draft: of, end, after } of finished) {
    const { argv, env, redirects, input, before } = of;
    found.push({ argv, env, redirects, input, before, after, text: text.slice(of.start, end).trim() });
  }
  if (depth < MAX_DEPTH) for (const nested of inner) found.push(...shellCommands(nested, depth + 1));
  return found;
}

function fresh(before: Joint, start: number): Draft {
  return { argv: [], env: [], redirects: [], input: null, before, start };
}
