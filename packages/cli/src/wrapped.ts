/** A text of any width in lines of at most `width`, broken at blanks; continued lines are indented two deeper. */
export function wrapped(text: string, width: number): string {
  return text
    .split("\n")
    .flatMap((line) => wrappedLine(line, width))
    .join("\n");
}

function wrappedLine(line: string, width: number): string[] {
  // Columns of a table are set with several blanks, which a break would destroy.
  if ([...line].length <= width || /\S {2,}\S/.test(line.trim())) return [line];
  const indent = line.match(/^ *(?:- )?/)![0].length;
  const lines: string[] = [];
  for (const word of line.trim().split(" ")) {
    const last = lines.at(-1);
    if (last === undefined) lines.push(line.slice(0, line.search(/\S/)) + word);
    else if ([...last].length + 1 + [...word].length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(" ".repeat(indent + 2) + word);
  }
  return lines;
}
