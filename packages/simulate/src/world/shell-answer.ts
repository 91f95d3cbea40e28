import type { Json } from "@while/schema";

/** What a shell says: one call in eleven may not, finds a failing test, a merge conflict or files; the rest pass. */
export function shellAnswer(command: string, digest: string): Json {
  switch (Number.parseInt(digest.slice(0, 8), 16) % 11) {
    case 0:
      return { status: "exit_1", stderr: `${command.split(" ")[0] || "sh"}: permission denied` };
    case 1:
      return { status: "exit_1", stdout: "12 passed, 1 failed" };
    case 2:
      return { status: "exit_1", stderr: "CONFLICT (content): merge conflict in src/main.ts" };
    case 3:
      return { status: "ok", stdout: "README.md\nsrc\ntests" };
    default:
      return { status: "ok", stdout: "" };
  }
}
