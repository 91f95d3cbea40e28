import fc from "fast-check";
import { expect, test } from "vitest";
import { shellCommands } from "./shell-commands.ts";
import { commandsOf } from "./unwrapped.ts";

const argvs = (text: string) => commandsOf(text).map(({ argv }) => argv);

test.each<[text: string, argvs: string[][]]>([
  ["a b;c", [["a", "b"], ["c"]]],
  ["a && b || c | d & e", [["a"], ["b"], ["c"], ["d"], ["e"]]],
  ["git commit -m 'x; rm -rf /'", [["git", "commit", "-m", "x; rm -rf /"]]],
  [
    'echo "a $(rm x) b"',
    [
      ["echo", "a $(rm x) b"],
      ["rm", "x"],
    ],
  ],
  [
    "echo `rm x`",
    [
      ["echo", "`rm x`"],
      ["rm", "x"],
    ],
  ],
  ["a \\\n b # c; d", [["a", "b"]]],
  ["if ! npm test; then :; fi", [["npm", "test"], [":"]]],
  ["X=1 Y='a b' sudo -u bo env Z=2 timeout -k 5 60 pytest -q", [["pytest", "-q"]]],
  [
    'bash -lc "cd a && npm test; exit 0"',
    [
      ["cd", "a"],
      ["npm", "test"],
      ["exit", "0"],
    ],
  ],
  ["uv run --with x pytest", [["pytest"]]],
  ["docker compose run --rm web pytest -q", [["pytest", "-q"]]],
  ["kubectl exec pod -- ls", [["ls"]]],
  [
    "find . | xargs -n 1 rm -f",
    [
      ["find", "."],
      ["rm", "-f"],
    ],
  ],
  ["(a; b) > c", [["a"], ["b"]]],
  ["pytest 2>&1 | tail", [["pytest"], ["tail"]]],
  ["  \r\n ", []],
  ["sudo", [["sudo"]]],
])("%j", (text, expected) => {
  expect(argvs(text).filter((argv) => argv.length > 0)).toEqual(expected);
});

test("redirects, joints, variables and here-documents are kept", () => {
  const [cat, run] = shellCommands("A=1 cat >> x.py <<'EOF' && python x.py 2> err.txt\nrm -rf /\nEOF\n");
  expect(cat).toMatchObject({
    argv: ["cat"],
    env: [["A", "1"]],
    redirects: [{ op: ">>", target: "x.py" }],
    input: "rm -rf /",
    after: "&&",
  });
  expect(run).toMatchObject({ argv: ["python", "x.py"], redirects: [{ op: ">", target: "err.txt" }], before: "&&" });
});

test("a quoted text is one word, whatever is in it", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme" }).filter((text) => !text.includes("'")),
      (text) => {
        expect(argvs(`echo '${text}'`)).toEqual([["echo", text]]);
      },
    ),
  );
});

test("any text is read to its end without a throw", () => {
  const word = fc.constantFrom(
    "'",
    '"',
    "`",
    "$(",
    ")",
    "<<E",
    "\n",
    "\\",
    "|",
    "&",
    ";",
    ">",
    "<(",
    "a",
    " ",
    "#",
    "E",
    "é",
  );
  fc.assert(fc.property(fc.array(word), (words) => void commandsOf(words.join(""))));
});

test("thousands of open brackets are no trouble", () => {
  expect(commandsOf("$(".repeat(5000)).length).toBeLessThan(20);
});
