/**
 * The data of the events of a `text/event-stream` body, one by one, whatever pieces it comes in. Comments and the other
 * fields are passed over. WHATWG HTML, section 9.2.
 */
export class EventStreamReader {
  private readonly decoder = new TextDecoder();
  private rest = "";
  private data: string[] = [];

  /** The events that a further piece of the body completes. */
  push(bytes: Uint8Array): string[] {
    return this.lines(this.decoder.decode(bytes, { stream: true }));
  }

  private lines(text: string): string[] {
    const events: string[] = [];
    const lines = (this.rest + text).split("\n");
    this.rest = lines.pop()!;
    for (const line of lines) {
      const own = line.endsWith("\r") ? line.slice(0, -1) : line;
      if (own === "") {
        if (this.data.length > 0) events.push(this.data.join("\n"));
        this.data = [];
      } else if (own.startsWith("data:")) {
        this.data.push(own.startsWith("data: ") ? own.slice(6) : own.slice(5));
      }
    }
    return events;
  }

  /** What stands at the end without the blank line that should close it: some servers leave that out. */
  end(): string[] {
    const events = this.lines(`${this.decoder.decode()}\n`);
    if (this.data.length > 0) events.push(this.data.join("\n"));
    this.data = [];
    return events;
  }
}
