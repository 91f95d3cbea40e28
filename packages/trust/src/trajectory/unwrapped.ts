import { type ShellCommand, shellCommands } from "./shell-commands.ts";

/** Programs that run another one, with the options of theirs that take a word. */
const WRAPPERS: ReadonlyMap<string, readonly string[]> = new Map([
  ["sudo", ["-u", "-g", "-h", "-p"]],
  ["doas", ["-u"]],
  ["env", ["-u", "-C"]],
  ["time", []],
  ["command", []],
  ["exec", []],
  ["builtin", []],
  ["nohup", []],
  ["nice", ["-n"]],
  ["ionice", ["-c", "-n"]],
  ["stdbuf", ["-i", "-o", "-e"]],
  ["setsid", []],
  ["timeout", ["-s", "-k", "--signal", "--kill-after"]],
  ["gtimeout", ["-s", "-k"]],
  ["xargs", ["-I", "-n", "-P", "-d", "-L", "-a", "-s"]],
  ["npx", ["-p", "--package"]],
  ["bunx", []],
  ["pnpx", []],
  ["uvx", ["--with", "--from", "--python"]],
  ["strace", ["-e", "-o"]],
  ["xvfb-run", []],
]);

/** `uv run pytest`: two words that run what follows. */
const WRAPPER_PAIRS: ReadonlyMap<string, readonly string[]> = new Map([
  ["uv", ["run"]],
  ["poetry", ["run"]],
  ["pipenv", ["run"]],
  ["hatch", ["run"]],
  ["pdm", ["run"]],
  ["rye", ["run"]],
  ["pixi", ["run"]],
  ["pnpm", ["exec", "dlx"]],
  ["yarn", ["exec", "dlx"]],
  ["npm", ["exec", "x"]],
  ["bun", ["x"]],
  ["bundle", ["exec"]],
  ["conda", ["run"]],
  ["mise", ["exec"]],
]);

const SHELLS: ReadonlySet<string> = new Set(["bash", "sh", "zsh", "dash", "ash"]);
const MAX_LAYERS = 8;

/** The last part of a program's path: `/usr/bin/python3` is `python3`. */
export function programOf({ argv }: Pick<ShellCommand, "argv">): string {
  return (argv[0] ?? "").replace(/^.*[\\/]/, "");
}

/** The commands that a shell text runs, wrappers taken off and `bash -c "..."` read as the shell would. */
export function commandsOf(text: string): ShellCommand[] {
  return shellCommands(text).flatMap((command) => unwrapped(command, 0));
}

function unwrapped(command: ShellCommand, layer: number): ShellCommand[] {
  const { argv } = command;
  const program = programOf(command);
  if (layer >= MAX_LAYERS || argv.length === 0) return [command];
  if (SHELLS.has(program)) {
    const at = argv.findIndex((word, i) => i > 0 && /^-[a-z]*c$/.test(word));
    const script = at > 0 ? argv[at + 1] : program !== "" && argv.length === 1 ? command.input : null;
    return script == null ? [command] : nested(command, script, layer);
  }
  if (program === "eval") return nested(command, argv.slice(1).join(" "), layer);
  const rest = inside(program, argv);
  if (rest === null || rest.length === 0) return [command];
  const env = [...command.env];
  let skip = 0;
  for (; skip < rest.length; skip++) {
    const assigned = /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(rest[skip]!);
    if (assigned === null) break;
    env.push([assigned[1]!, assigned[2]!]);
  }
  return skip === rest.length ? [command] : unwrapped({ ...command, argv: rest.slice(skip), env }, layer + 1);
}

/** Commands of an inner script; what joins them to the outside is what joins the shell that runs them. */
function nested(command: ShellCommand, script: string, layer: number): ShellCommand[] {
  const commands = shellCommands(script, 1).flatMap((own) => unwrapped(own, layer + 1));
  const first = commands[0];
  const last = commands.at(-1);
  if (first === undefined || last === undefined) return [command];
  return commands.map((own) => ({
    ...own,
    ...(own === first ? { before: command.before } : {}),
    ...(own === last ? { after: command.after, redirects: [...own.redirects, ...command.redirects] } : {}),
  }));
}

function inside(program: string, argv: readonly string[]): readonly string[] | null {
  if (program === "docker" || program === "podman" || program === "kubectl") return inContainer(argv);
  if (WRAPPER_PAIRS.get(program)?.includes(argv[1] ?? "")) {
    return afterOptions(argv, 2, ["-n", "--with", "--python", "-p", "--extra", "--group", "--package", "--env"]);
  }
  const taking = WRAPPERS.get(program);
  if (taking === undefined) return null;
  const rest = afterOptions(argv, 1, taking);
  return program.endsWith("timeout") ? rest.slice(1) : rest;
}

/** `docker exec -it web pytest`, `docker compose run --rm web pytest`, `kubectl exec pod -- ls` */
function inContainer(argv: readonly string[]): readonly string[] | null {
  const at = argv.findIndex((word, i) => i > 0 && i < 4 && (word === "exec" || word === "run"));
  if (at === -1) return null;
  const dashes = argv.indexOf("--", at);
  if (dashes !== -1) return argv.slice(dashes + 1);
  return afterOptions(argv, at + 1, ["-e", "--env", "-u", "--user", "-w", "--workdir", "-v", "--name", "-n"]).slice(1);
}

function afterOptions(argv: readonly string[], from: number, taking: readonly string[]): readonly string[] {
  let at = from;
  while (at < argv.length && argv[at]!.startsWith("-")) {
    if (argv[at] === "--") return argv.slice(at + 1);
    at += taking.includes(argv[at]!) ? 2 : 1;
  }
  return argv.slice(at);
}
