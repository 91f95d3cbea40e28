import type { HonoRequest } from "hono";
import { type Packing, type PageFile, PageFiles } from "./page-files.ts";
import { PAGE_HEADERS } from "./page-headers.ts";

/** A year. */
const IMMUTABLE = "public, max-age=31536000, immutable";

/** Answers a request that no call of the API took; null when it is for no page either. */
export type ServePages = (request: HonoRequest) => Promise<Response | null>;

const NOT_BUILT = `The API of this platform answers (GET /openapi.json lists its calls). Its pages are not built.

In a checkout of the project, npm start builds everything, the pages too; node_modules/.bin/vite build apps/web builds
the pages alone. WHILE_PAGES names another folder that holds built pages. Then load this page again.
`;

/** The built pages of a folder. Any address that a person opens is theirs: what it shows is found out in the browser. */
export function servePages(folder: string): ServePages {
  const files = new PageFiles(folder);
  return async (request) => {
    if (request.method !== "GET" && request.method !== "HEAD") return null;
    const wanted = decoded(request.path.slice(1));
    const file = wanted === "" || wanted === "index.html" ? undefined : files.find(wanted);
    if (file !== undefined) return fileResponse(file, request);
    if (!(request.header("accept") ?? "").includes("text/html")) return null;
    const index = files.find("index.html");
    return index === undefined ? notBuilt() : fileResponse(index, request);
  };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function notBuilt(): Response {
  const headers = new Headers(PAGE_HEADERS as [string, string][]);
  headers.set("content-type", "text/plain; charset=utf-8");
  return new Response(NOT_BUILT, { status: 404, headers });
}

async function fileResponse(file: PageFile, request: HonoRequest): Promise<Response> {
  const packing = packingOf(request.header("accept-encoding") ?? "");
  const packed = packing === null ? null : file.packed(packing);
  const tag = `"${file.hash}${packed === null ? "" : `-${packing}`}"`;
  // A policy is for what is opened. Files of a page have the headers of any answer: the long ones, sixty times, weigh 40 kB.
  const headers = new Headers(file.type.startsWith("text/html") ? (PAGE_HEADERS as [string, string][]) : []);
  headers.set("content-type", file.type);
  headers.set("cache-control", file.immutable ? IMMUTABLE : "no-cache");
  headers.set("etag", tag);
  headers.set("vary", "accept-encoding");
  if (hasTag(request.header("if-none-match") ?? "", tag)) return new Response(null, { status: 304, headers });
  const bytes = packed === null ? file.bytes : await packed;
  if (packed !== null) headers.set("content-encoding", packing as Packing);
  headers.set("content-length", String(bytes.byteLength));
  return new Response(bytes as Uint8Array<ArrayBuffer>, { headers });
}

/** What the browser unpacks, the smaller one first; one that it forbids with `q=0` is none. */
function packingOf(accepted: string): Packing | null {
  const takes = (name: Packing) =>
    accepted.split(",").some((part) => new RegExp(`^\\s*${name}\\s*(;\\s*q=(?!0(\\.0*)?\\s*$).*)?$`, "i").test(part));
  return takes("br") ? "br" : takes("gzip") ? "gzip" : null;
}

function hasTag(sent: string, tag: string): boolean {
  return sent.split(",").some((one) => one.trim().replace(/^W\//, "") === tag);
}
