import { CliError } from "./cli-error.ts";
import type { Flag } from "./flag.ts";
import { allFlags } from "./parse-command-line.ts";
import type { Verb } from "./verb.ts";

const SHELLS = ["bash", "zsh", "fish"];

/** The script that teaches a shell the verbs, their flags and the words a flag takes; files where nothing else fits. */
export function completionScript(shell: string, verbs: readonly Verb[]): string {
  if (shell === "bash") return bash(verbs);
  if (shell === "zsh") return zsh(verbs);
  if (shell === "fish") return fish(verbs);
  const what = shell === "" ? "wai completion was given no shell." : `wai completion has no script for ${shell}.`;
  throw new CliError("bad_arguments", what, "Ask for bash, zsh or fish.");
}

const names = ({ spec }: Flag): string[] => spec.match(/--?[\w-]+/g)!;
const takesValue = ({ spec }: Flag): boolean => spec.includes("<");
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Every verb and the two words beside them. */
const words = (verbs: readonly Verb[]): (readonly [name: string, about: string])[] => [
  ...verbs.map(({ name, summary }) => [name, summary] as const),
  ["help", "usage, two examples, exit codes"],
  ["completion", "bash, zsh or fish: completion for your shell"],
];

function bash(verbs: readonly Verb[]): string {
  const choices = verbs.flatMap((verb) =>
    allFlags(verb).flatMap((flag) =>
      names(flag)
        .filter(() => flag.choices !== undefined)
        .map(
          (name) =>
            `    ${verb.name}:${name}) COMPREPLY=($(compgen -W "${flag.choices!.join(" ")}" -- "$word")); return ;;`,
        ),
    ),
  );
  return `# wai completion for bash.  eval "$(wai completion bash)"
_wai() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} verb="" at
  for ((at = 1; at < COMP_CWORD; at++)); do
    [[ \${COMP_WORDS[at]} == -* ]] || { verb=\${COMP_WORDS[at]}; break; }
  done
  COMPREPLY=()
  case $verb:$before in
${choices.join("\n")}
  esac
  case $verb in
    "") [[ $word == -* ]] && set -- ${rootFlags.join(" ")} || set -- ${words(verbs)
      .map(([name]) => name)
      .join(" ")} ;;
    help) set -- all ${verbs.map(({ name }) => name).join(" ")} ;;
    completion) set -- ${SHELLS.join(" ")} ;;
${verbs.map((verb) => `    ${verb.name}) [[ $word == -* ]] || return; set -- ${allFlags(verb).flatMap(names).join(" ")} ;;`).join("\n")}
    *) return ;;
  esac
  COMPREPLY=($(compgen -W "$*" -- "$word"))
}
complete -o bashdefault -o default -F _wai wai whileai
`;
}

const rootFlags = ["--help", "--version"];

function zsh(verbs: readonly Verb[]): string {
  const spec = (flag: Flag): string[] =>
    names(flag).map((name) => {
      const about = flag.about.replace(/[[\]:\\]/g, "\\$&");
      const value = flag.choices === undefined ? ":value:_files" : `:value:(${flag.choices.join(" ")})`;
      return quote(`${name}[${about}]${takesValue(flag) ? value : ""}`);
    });
  return `#compdef wai whileai
# wai completion for zsh.  source <(wai completion zsh)
_wai() {
  local -a verbs
  verbs=(
${words(verbs)
  .map(([name, about]) => `    ${quote(`${name}:${about.replaceAll(":", "\\:")}`)}`)
  .join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe verb verbs
    return
  fi
  case $words[2] in
    help) (( CURRENT == 3 )) && _describe verb verbs ;;
    completion) (( CURRENT == 3 )) && compadd ${SHELLS.join(" ")} ;;
${verbs.map((verb) => `    ${verb.name}) shift words; (( CURRENT-- )); _arguments ${allFlags(verb).flatMap(spec).join(" ")} '*:file:_files' ;;`).join("\n")}
  esac
}
compdef _wai wai whileai
`;
}

function fish(verbs: readonly Verb[]): string {
  const lines = ["# wai completion for fish.  wai completion fish | source"];
  for (const binary of ["wai", "whileai"]) {
    for (const [name, about] of words(verbs)) {
      lines.push(`complete -c ${binary} -n __fish_use_subcommand -f -a ${name} -d ${quote(about)}`);
    }
    lines.push(
      `complete -c ${binary} -n '__fish_seen_subcommand_from help' -f -a 'all ${verbs.map(({ name }) => name).join(" ")}'`,
      `complete -c ${binary} -n '__fish_seen_subcommand_from completion' -f -a '${SHELLS.join(" ")}'`,
    );
    for (const verb of verbs) {
      for (const flag of allFlags(verb)) {
        const spelled = names(flag).map((name) =>
          name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`,
        );
        const value = flag.choices !== undefined ? ` -x -a '${flag.choices.join(" ")}'` : takesValue(flag) ? " -r" : "";
        lines.push(
          `complete -c ${binary} -n '__fish_seen_subcommand_from ${verb.name}' ${spelled.join(" ")}${value} -d ${quote(flag.about)}`,
        );
      }
    }
  }
  return `${lines.join("\n")}\n`;
}
