import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

/** A call as it arrived. */
export interface Arrived {
  method: string;
  path: string;
  headers: IncomingMessage["headers"];
  body: unknown;
  text: string;
}

export interface Reply {
  status?: number;
  body?: unknown;
  /** In place of JSON. */
  text?: string;
  headers?: Record<string, string>;
  /** The call is taken, and its answer is lost on the way. */
  lost?: boolean;
}

export interface FakePlatform {
  url: string;
  arrived: Arrived[];
  /** Takes no more connections, as a platform that is away. */
  stop(): Promise<void>;
  /** Comes back at the same address. */
  start(): Promise<void>;
}

/** A port that a system gives to nobody who asks for any: it is still free when the platform comes back to it. */
const randomPort = () => 20_000 + Math.floor(Math.random() * 12_000);

/** A real HTTP server that answers with what `answer` says. */
export async function fakePlatform(answer: (call: Arrived) => Reply): Promise<FakePlatform> {
  const arrived: Arrived[] = [];
  let server: Server | null = null;
  let port = randomPort();
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const body = request.headers["content-type"] === "application/json" && text !== "" ? JSON.parse(text) : null;
    const call = { method: request.method!, path: request.url!, headers: request.headers, body, text };
    arrived.push(call);
    const { status = 200, body: json = {}, text: plain, headers = {}, lost = false } = answer(call);
    if (lost) {
      request.socket.destroy();
      return;
    }
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(plain ?? JSON.stringify(json));
  };
  const start = () =>
    new Promise<void>((resolve, reject) => {
      server = createServer((request, response) => void handle(request, response));
      server.once("error", reject);
      server.listen(port, "127.0.0.1", resolve);
    });
  const stop = () =>
    new Promise<void>((resolve) => {
      server?.close(() => resolve());
      server?.closeAllConnections();
    });
  for (let isUp = false; !isUp; ) {
    try {
      await start();
      isUp = true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
      port = randomPort();
    }
  }
  return { url: `http://127.0.0.1:${port}`, arrived, start, stop };
}
