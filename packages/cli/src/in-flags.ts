/** How the libraries' sentences name an option, and the flag it has here. */
const FLAG_OF_OPTION: readonly (readonly [option: RegExp, flag: string])[] = [
  [/onBadRow: "skip" \(--skip-bad\)/g, "--skip-bad"],
  [/\b(pass) format\b/gi, "$1 --from"],
  [/delimiter: (\S+) \(--delimiter\)/g, "--delimiter $1"],
  [/\b(pass) delimiter\b/gi, "$1 --delimiter"],
  [/scale: \[lowest, highest\]/g, "--scale LOWEST,HIGHEST"],
  [/\b(pass|or) threshold\b/gi, "$1 --threshold"],
  [/rewardKey: "(\w+)"/g, "--reward-key $1"],
  [/\b(pass) rewardKey\b/gi, "$1 --reward-key"],
  [/duplicates: "keep"/g, "--duplicates keep"],
  [/validate: false/g, "--no-validate"],
  [/maskMode: "(\w+)"/g, "--mask $1"],
  [/unroll: true/g, "--unroll"],
  [/format: "(\w+)"/g, "--format $1"],
  [/\bargumentsAs: "(\w+)"/g, "--arguments-as $1"],
  [/\btoolsAs: "(\w+)"/g, "--tools-as $1"],
  [/band: \[([\d.]+), ([\d.]+)\]/g, "--band $1,$2"],
  [/\bbandFrom "(\w+)"/g, "--band-from $1"],
  [/\brunStdRuns\b/g, "--run-std-runs"],
  [/\brunStd\b/g, "--run-std"],
  [/\btrainRuns\b/g, "--train-runs"],
  [/\bguardMargins\b/g, "--guard-margin"],
  [/\bmustNotRegress\b/g, "--guard"],
  [/\bcluster: "(\w+)"/g, "--cluster $1"],
  [/\blowerIsBetter\b/g, "--lower-is-better"],
  [/\b(pass|or) taskStd\b/gi, "$1 --task-std"],
  [/\bminReward\b/g, "--min-reward"],
  [/kind: "human", "program" or "model"/g, "--kind human, program or model"],
  [/\(attachLabels, kind (\w+)\)/g, "(wai label --kind $1)"],
  [/\b(pass) env\b/gi, "$1 --env"],
  [/\b(pass) filter\b/gi, "$1 --filter"],
  [/\b(pass) scorer\b/gi, "$1 --scorer"],
  [/\b(pass) scoreKey\b/gi, "$1 --score-key"],
  [/\b(pass) allowPartial\b/gi, "$1 --allow-partial"],
  [/\b(pass) tools\b/gi, "$1 --tools"],
  [/\b(pass) systemPrompt\b/gi, "$1 --system-prompt"],
];

/** A sentence of a library for a reader at a terminal: options by the names of their flags. */
export function inFlags(sentence: string): string {
  return FLAG_OF_OPTION.reduce((text, [option, flag]) => text.replace(option, flag), sentence);
}
