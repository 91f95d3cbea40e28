import { ServerError } from "./server-error.ts";
import { startPlatform } from "./start-platform.ts";

try {
  const platform = await startPlatform();
  if (platform.firstKey !== null) {
    process.stdout.write(`First key, shown once: ${platform.firstKey}\n`);
  }
  process.stdout.write(`${platform.url}\n`);
  let stopping = false;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(1);
      stopping = true;
      void platform.stop().then(() => process.exit(0));
    });
  }
} catch (error) {
  if (!(error instanceof ServerError)) throw error;
  process.stderr.write(`error: ${error.what}\nfix: ${error.fix}\n`);
  process.exitCode = 3;
}
