import { spawn } from "node:child_process";

/** Opens a link for the person. Where that cannot be done nothing is lost, as the link was told too. */
export function openBrowser(url: string): void {
  const [command, ...args] =
    process.platform === "darwin" ? ["open"] : process.platform === "win32" ? ["cmd", "/c", "start", ""] : ["xdg-open"];
  const child = spawn(command as string, [...args, url], { stdio: "ignore", detached: true });
  child.on("error", () => undefined);
  child.unref();
}
