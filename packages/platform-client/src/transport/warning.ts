/** Something the caller should hear of that stops nothing. */
export interface PlatformWarning {
  code: string;
  message: string;
}

export type Warn = (warning: PlatformWarning) => void;

/** One line on stderr, or in a browser's console. */
export const warnOnStderr: Warn = ({ message }) => {
  console.warn(`while: ${message}`);
};

/** Standard output, or null where there is none, as in a browser. */
export function standardOut(): ((text: string) => void) | null {
  const out = (globalThis as { process?: { stdout?: { write(text: string): void } } }).process?.stdout;
  return out === undefined ? null : (text) => out.write(`${text}\n`);
}

/** Says each warning once by its key. */
export function warnOnce(warn: Warn): (key: string, warning: PlatformWarning) => void {
  const said = new Set<string>();
  return (key, warning) => {
    if (said.has(key)) return;
    said.add(key);
    warn(warning);
  };
}
