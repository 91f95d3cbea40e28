/** One block of an event stream; a block without an event has the type "". */
export interface ServerSentEvent {
  type: string;
  id: string | null;
  data: string;
  /** How long the server asks to wait before the next connection. */
  retryMs: number | null;
}

/** The events of a `text/event-stream`, with any of its line ends, in whatever pieces it arrives. */
export async function* serverSentEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += decoder.decode(value, { stream: true });
      // A carriage return at the end may be half of a line end.
      const whole = text.endsWith("\r") ? text.slice(0, -1) : text;
      const blocks = whole.replace(/\r\n?/g, "\n").split("\n\n");
      text = blocks.pop()! + text.slice(whole.length);
      for (const block of blocks) yield eventOf(block);
    }
  } finally {
    await reader.cancel().catch(() => {
      // A connection that broke cannot be ended.
    });
  }
}

function eventOf(block: string): ServerSentEvent {
  const event: ServerSentEvent = { type: "", id: null, data: "", retryMs: null };
  const data: string[] = [];
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    // A line that begins with a colon is a comment.
    if (colon === 0) continue;
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "data") data.push(value);
    else if (name === "id") event.id = value;
    else if (name === "event") event.type = value;
    else if (name === "retry" && /^\d+$/.test(value)) event.retryMs = Number(value);
  }
  event.data = data.join("\n");
  if (event.type === "" && data.length > 0) event.type = "message";
  return event;
}
