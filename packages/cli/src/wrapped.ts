/** A text in lines of at most `width`, broken at blanks; a line goes on two deeper, and an item under its text. */
export function wrapped(text: string, width: number): string {
  return text
    .split("\n")
    .flatMap((line) => wrappedLine(line, width))
    .join("\n");
}

function wrappedLine(line: string, width: number): string[] {
  // Columns of a table are set with several blanks, which a break would destroy.
  if ([...line].length <= width || /\S {2,}\S/.test(line.trim())) return [line];
  const lead = line.match(/^ *(?:- )?/)![0];
  const indent = " ".repeat(lead.endsWith("- ") ? lead.length : lead.length + 2);
  const lines: string[] = [];
  for (const word of line.trim().split(" ")) {
    const last = lines.at(-1);
    if (last === undefined) lines.push(line.slice(0, line.search(/\S/)) + word);
    else if ([...last].length + 1 + [...word].length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(indent + word);
  }
  return lines;
}
