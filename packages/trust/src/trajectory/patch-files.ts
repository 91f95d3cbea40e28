/** One file of a patch. */
export interface PatchFile {
  path: string;
  kind: "create" | "edit" | "delete";
  added: string;
  removed: string;
}

/** Files that a patch touches: a unified diff, or the `*** Update File:` form that coding models write. */
export function patchFiles(patch: string): PatchFile[] {
  const files: PatchFile[] = [];
  let file: { path: string; kind: PatchFile["kind"]; added: string[]; removed: string[] } | null = null;
  let from = "";
  const close = (): void => {
    if (file !== null) files.push({ ...file, added: file.added.join("\n"), removed: file.removed.join("\n") });
    file = null;
  };
  for (const line of patch.split(/\r?\n/)) {
    const named = /^\*\*\* (Update|Add|Delete) File: (.+)$/.exec(line);
    if (named !== null) {
      close();
      const kind = named[1] === "Add" ? "create" : named[1] === "Delete" ? "delete" : "edit";
      file = { path: named[2]!.trim(), kind, added: [], removed: [] };
    } else if (/^--- /.test(line)) {
      close();
      from = pathOf(line);
    } else if (/^\+\+\+ /.test(line)) {
      const to = pathOf(line);
      const kind = to === "/dev/null" ? "delete" : from === "/dev/null" ? "create" : "edit";
      file = { path: kind === "delete" ? from : to, kind, added: [], removed: [] };
    } else if (file !== null && /^(?:diff --git|\*\*\* End)/.test(line)) close();
    else if (file !== null && line.startsWith("+")) file.added.push(line.slice(1));
    else if (file !== null && line.startsWith("-")) file.removed.push(line.slice(1));
  }
  close();
  return files;
}

/** Whether a text is a patch at all. */
export function isPatch(text: string): boolean {
  return /^\*\*\* (?:Begin Patch|(?:Update|Add|Delete) File: )|^--- \S.*\r?\n\+\+\+ \S/m.test(text);
}

function pathOf(line: string): string {
  const path = line.slice(4).split("\t")[0]!.trim();
  return path.replace(/^[ab]\//, "");
}
