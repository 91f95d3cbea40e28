/** The verb of a command line: its first word that is not a flag. Null when there is none. */
export function verbOf(argv: readonly string[]): { name: string | null; rest: readonly string[] } {
  const at = argv.findIndex((word) => !word.startsWith("-"));
  if (at === -1) return { name: null, rest: argv };
  return { name: argv[at]!, rest: [...argv.slice(0, at), ...argv.slice(at + 1)] };
}
