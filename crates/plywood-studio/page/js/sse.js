/** Server-sent events of an answer to any request: EventSource can only GET. */

/**
 * Reads events until the stream ends.
 * @param {Response} response
 * @param {(name: string, data: any) => void} onEvent
 */
export async function readEvents(response, onEvent) {
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const parser = new EventParser(onEvent);
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      parser.push(value);
    }
  } catch (error) {
    await reader.cancel().catch(() => {});
    throw error;
  }
}

/** Makes events of pieces of text, wherever they are cut. */
export class EventParser {
  /** @param {(name: string, data: any) => void} onEvent */
  constructor(onEvent) {
    this.onEvent = onEvent;
    this.rest = "";
    this.name = "message";
    /** @type {string[]} */
    this.data = [];
  }

  /** @param {string} text */
  push(text) {
    const lines = (this.rest + text).split("\n");
    this.rest = lines.pop() ?? "";
    for (const line of lines) this.line(line.endsWith("\r") ? line.slice(0, -1) : line);
  }

  /** @param {string} line */
  line(line) {
    if (line === "") {
      if (this.data.length) this.onEvent(this.name, JSON.parse(this.data.join("\n")));
      this.name = "message";
      this.data = [];
      return;
    }
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") this.name = value;
    else if (field === "data") this.data.push(value);
  }
}
