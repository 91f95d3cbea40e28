import { isObject } from "@while/schema";
import { isPatch, type PatchFile, patchFiles } from "./patch-files.ts";
import type { ShellCommand } from "./shell-commands.ts";
import { callFacts, firstText, type KindOverrides, nameWords, type StepKind, stepKind } from "./step-kind.ts";
import { commandsOf, programOf } from "./unwrapped.ts";

/** A file that a call writes, as far as the call shows it. */
export interface FileWrite {
  path: string;
  /** What is written; "" where the call does not show it (`cp a b`). */
  text: string;
  /** What it replaces; null where the call does not show it. */
  old: string | null;
  /** The file is given whole: it may not have existed. */
  whole: boolean;
  /** The fragment of the call that says so. */
  by: string;
}

/** What a call does to the world. */
export interface Effects {
  kind: StepKind | null;
  /** Simple commands, wrappers off. */
  commands: readonly ShellCommand[];
  reads: readonly string[];
  writes: readonly FileWrite[];
  deletes: readonly { path: string; by: string }[];
  /** Changes something that is no file: an order, a booking, a record. */
  mutates: boolean;
  /** Neither a known read nor a known change: nothing may be concluded from its absence elsewhere. */
  opaque: boolean;
}

const OLD_KEYS = ["old_str", "old_string", "old_text", "search", "old", "old_code", "original"];
const LINE_KEYS = ["insert_line", "line", "start_line"];
const PATCH_KEYS = ["patch", "diff", "input", "content", "patch_text"];

const MUTATES: ReadonlySet<string> = new Set(
  (
    "update modify change set cancel book create add remove delete send issue refund submit transfer close approve " +
    "reject assign schedule pay charge apply enable disable reset unlock merge publish deploy reschedule exchange " +
    "return upload rename move write edit save insert replace append post put patch grant revoke register order " +
    "activate deactivate suspend resume confirm place process escalate reserve make open notify email"
  ).split(" "),
);
const LOOKS: ReadonlySet<string> = new Set(
  (
    "get list search find read lookup look check fetch query view show think calculate describe count verify validate " +
    "open cat grep ls glob ask web browse summarize plan retrieve inspect compute convert load scan explain select"
  ).split(" "),
);

/** Programs that only look, so that a call made of them leaves the world as it was. */
const READERS: ReadonlySet<string> = new Set(
  (
    "ls cat head tail less more grep egrep fgrep rg ag find fd pwd cd which whoami wc file stat tree du df diff cmp " +
    "echo printf sort uniq cut tr awk jq date env printenv type realpath basename dirname true false test [ nl xxd od " +
    "strings history ps id uname hostname open goto scroll_up scroll_down search_file search_dir find_file sleep export source ."
  ).split(" "),
);

/** What one call does, from its name and arguments alone. */
export function effectsOf(
  tool: string,
  args: Readonly<Record<string, unknown>>,
  { kinds, openFile = null }: { kinds?: KindOverrides | undefined; openFile?: string | null } = {},
): Effects {
  const kind = stepKind(tool, args, { kinds, rules: "v2" });
  const overridden = kinds !== undefined && Object.hasOwn(kinds, tool);
  const { command, path, content } = callFacts(args);
  const files = new Files();
  const patch = firstText(args, PATCH_KEYS);
  if (!overridden && patch !== null && isPatch(patch)) {
    files.patch(patch);
  } else if (kind === "read" && path !== null) files.reads.push(path);
  else if (kind === "delete" && path !== null) files.deletes.push({ path, by: path });
  else if (kind === "write" && path !== null) writeArguments(files, args, path, content);
  let commands: readonly ShellCommand[] = [];
  if (kind === "command" && command !== null) {
    const editor = editorCommand(command, openFile);
    if (editor !== null) files.writes.push(editor);
    else {
      commands = commandsOf(command);
      for (const own of commands) shellEffects(own, files);
    }
  } else if (kind === "command") {
    const code = firstText(args, ["code", "source", "content", "input"]);
    if (code !== null) files.program(code);
  }
  const verb = nameWords(tool)[0] ?? "";
  const touches = files.writes.length + files.deletes.length > 0;
  const mutates = kind === null && MUTATES.has(verb);
  const known = kind !== null || mutates || LOOKS.has(verb);
  const runs = commands.length > 0 && !commands.every((own) => READERS.has(programOf(own)) || isPlainGit(own));
  return {
    kind: touches && kind === null ? "write" : kind,
    commands,
    reads: files.reads,
    writes: files.writes,
    deletes: files.deletes,
    mutates: mutates || (kind === "write" && !touches),
    opaque: !known || (runs && !touches) || (kind === "command" && command === null),
  };
}

function isPlainGit(command: ShellCommand): boolean {
  return (
    programOf(command) === "git" &&
    /^(?:status|diff|log|show|branch|rev-parse|blame|ls-files)$/.test(command.argv[1] ?? "")
  );
}

function writeArguments(
  files: Files,
  args: Readonly<Record<string, unknown>>,
  path: string,
  content: string | null,
): void {
  const edits = Array.isArray(args.edits) ? args.edits.filter(isObject) : [];
  for (const edit of edits) {
    const text = callFacts(edit).content ?? "";
    files.writes.push({ path, text, old: firstText(edit, OLD_KEYS) ?? "", whole: false, by: path });
  }
  if (edits.length > 0) return;
  const old = firstText(args, OLD_KEYS);
  const placed = LINE_KEYS.some((key) => typeof args[key] === "number") || args.command === "insert";
  files.writes.push({ path, text: content ?? "", old, whole: old === null && !placed, by: path });
}

/** `edit 4:9` with its text, `insert 4`: the commands of an editor inside a shell, which work on the file last opened. */
function editorCommand(command: string, openFile: string | null): FileWrite | null {
  const edit =
    /^\s*(?:edit \d+:\d+|insert \d+|append)[ \t]*\r?\n([\s\S]*?)(?:\r?\nend_of_(?:edit|insert|append)\s*)?$/.exec(
      command,
    );
  if (edit !== null)
    return {
      path: openFile ?? "",
      text: edit[1]!,
      old: openFile === null ? null : "",
      whole: false,
      by: command.split("\n")[0]!,
    };
  const made = /^\s*create\s+(\S+)\s*$/.exec(command);
  return made === null ? null : { path: made[1]!, text: "", old: null, whole: true, by: command.trim() };
}

class Files {
  readonly reads: string[] = [];
  readonly writes: FileWrite[] = [];
  readonly deletes: { path: string; by: string }[] = [];

  patch(text: string): void {
    for (const file of patchFiles(text)) this.patched(file);
  }

  private patched({ path, kind, added, removed }: PatchFile): void {
    if (kind === "delete") this.deletes.push({ path, by: path });
    else
      this.writes.push({
        path,
        text: added,
        old: kind === "create" ? null : removed,
        whole: kind === "create",
        by: path,
      });
  }

  /** A program given as text: files that it opens to write, to read, and that it removes. */
  program(code: string): void {
    const text = (path: string | undefined, pattern: RegExp): void => {
      if (path !== undefined)
        this.writes.push({ path, text: code, old: null, whole: false, by: pattern.exec(code)?.[0] ?? path });
    };
    for (const [pattern, group] of WRITES_IN_CODE) {
      for (const match of code.matchAll(pattern)) text(match[group], new RegExp(pattern.source));
    }
    for (const match of code.matchAll(
      /(?:os\.(?:remove|unlink)|shutil\.rmtree|unlinkSync|rmSync|fs\.unlink|fs\.rm)\(\s*['"]([^'"]+)['"]/g,
    )) {
      this.deletes.push({ path: match[1]!, by: match[0] });
    }
    for (const match of code.matchAll(
      /(?:open|read_text|readFileSync|Path)\(\s*['"]([^'"]+)['"]\s*(?:,\s*['"]r[bt]?['"])?\s*(?:,\s*['"]utf-?8['"]\s*)?\)/g,
    )) {
      this.reads.push(match[1]!);
    }
  }
}

const WRITES_IN_CODE: readonly (readonly [pattern: RegExp, group: number])[] = [
  [/open\(\s*(?:r?f?)['"]([^'"]+)['"]\s*,\s*(?:mode\s*=\s*)?['"](?:[wax]|r\+)[bt+]*['"]/g, 1],
  [/Path\(\s*['"]([^'"]+)['"]\s*\)\.write_(?:text|bytes)\(/g, 1],
  [/(?:writeFileSync|writeFile|appendFileSync|appendFile|outputFile)\(\s*['"`]([^'"`]+)['"`]/g, 1],
  [/File\.(?:write|open)\(\s*['"]([^'"]+)['"]\s*,\s*(?:['"][wa])?/g, 1],
];

function shellEffects(command: ShellCommand, files: Files): void {
  const { argv, redirects, input } = command;
  const program = programOf(command);
  const words = argv.slice(1).filter((word) => !word.startsWith("-"));
  for (const { op, target } of redirects) {
    if (op.startsWith("<")) files.reads.push(target);
    else if (!/^\/dev\/|^\d$|^&/.test(target)) {
      const text = input ?? (program === "echo" || program === "printf" ? words.join(" ") : "");
      files.writes.push({
        path: target,
        text,
        old: op.includes(">>") ? "" : null,
        whole: !op.includes(">>"),
        by: `${op} ${target}`,
      });
    }
  }
  const to = words.at(-1);
  const write = (path: string | undefined, text = "", old: string | null = null, whole = false): void => {
    if (path !== undefined && !/^\/dev\//.test(path)) files.writes.push({ path, text, old, whole, by: command.text });
  };
  const remove = (paths: readonly string[]): void => {
    for (const path of paths) files.deletes.push({ path, by: command.text });
  };
  const has = (pattern: RegExp): boolean => argv.some((word) => pattern.test(word));
  switch (program) {
    case "cat":
    case "head":
    case "tail":
    case "less":
    case "more":
    case "open":
    case "nl":
    case "bat":
    case "strings":
    case "xxd":
    case "source":
      files.reads.push(...words.filter((word) => !/^\d+$/.test(word)));
      break;
    case "grep":
    case "rg":
    case "awk":
    case "jq":
      files.reads.push(...words.slice(1));
      break;
    case "tee":
      for (const path of words) write(path, input ?? "", has(/^-a/) ? "" : null, !has(/^-a/));
      break;
    case "sed": {
      const inPlace = has(/^-[a-zA-Z]*i|^--in-place/);
      const script = argv.slice(1).filter((word, i, all) => !word.startsWith("-") || all[i - 1] === "-e");
      const paths = words.slice(has(/^-e$|^--expression/) ? 0 : 1).filter((word) => !/^s?[/|#].*[/|#]/.test(word));
      if (!inPlace) files.reads.push(...paths);
      else for (const path of paths) sedWrites(script[0] ?? "", path, command.text, files);
      break;
    }
    case "perl":
    case "ruby":
      if (has(/^-\w*p\w*i|^-\w*i\w*p|^-i/)) write(to, words[0] ?? "", "");
      break;
    case "cp":
    case "ln":
    case "install":
      files.reads.push(...words.slice(0, -1));
      if (words.length > 1) write(to);
      break;
    case "mv":
      if (words.length > 1) {
        write(to);
        remove(words.slice(0, -1));
      }
      break;
    case "rm":
    case "unlink":
    case "rmdir":
    case "shred":
      remove(words);
      break;
    case "truncate":
      write(to, "", "");
      break;
    case "dd":
      for (const word of argv) if (word.startsWith("of=")) write(word.slice(3));
      break;
    case "patch":
    case "apply_patch":
      if (input !== null) files.patch(input);
      else if (words[0] !== undefined) isPatch(words[0]) ? files.patch(words[0]) : write(words[0], "", "");
      break;
    case "git":
      gitEffects(command, files, write, remove);
      break;
    case "find":
      if (has(/^-delete$/)) remove([words[0] ?? "."]);
      if (has(/^-exec(?:dir)?$/) && has(/^(?:cat|head|tail|less|cp|grep)$/)) {
        for (const [i, word] of argv.entries())
          if (/^-i?(?:name|path)$/.test(argv[i - 1] ?? "")) files.reads.push(word.replaceAll("*", ""));
      }
      break;
    default:
      if (/^(?:python[\d.]*|node|ruby|perl|php|deno|bun)$/.test(program)) {
        const at = argv.findIndex((word) => /^-(?:c|e|p|-eval)$/.test(word));
        if (at !== -1) files.program(argv[at + 1] ?? "");
        else if (input !== null) files.program(input);
        else if (words[0] !== undefined && !argv.includes("-m")) files.reads.push(words[0]);
      }
  }
}

function sedWrites(script: string, path: string, by: string, files: Files): void {
  const edit = /^(?:[^s]*)s(.)([\s\S]*?)(?<!\\)\1([\s\S]*?)(?<!\\)\1/.exec(script);
  files.writes.push({
    path,
    text: edit === null ? script.replace(/^\d*(?:,\d+)?\s*[aic]\\?\s*/, "") : edit[3]!,
    old: edit?.[2] ?? "",
    whole: false,
    by,
  });
}

function gitEffects(
  { argv, input }: ShellCommand,
  files: Files,
  write: (path: string | undefined, text?: string, old?: string | null) => void,
  remove: (paths: readonly string[]) => void,
): void {
  const words = argv.slice(2).filter((word) => !word.startsWith("-"));
  const dashes = argv.indexOf("--");
  const paths = dashes === -1 ? [] : argv.slice(dashes + 1);
  switch (argv[1]) {
    case "rm":
      if (!argv.includes("--cached")) remove(words);
      break;
    case "mv":
      write(words.at(-1));
      remove(words.slice(0, -1));
      break;
    case "checkout":
      for (const path of paths) write(path, "", "");
      break;
    case "restore":
      for (const path of dashes === -1 ? words : paths) if (!argv.includes("--staged")) write(path, "", "");
      break;
    case "apply":
    case "am":
      if (input !== null) files.patch(input);
      else write(words[0], "", "");
      break;
    default:
  }
}
