// How benches talk to a server that they have started: where it listens, one request with its JSON answer, and a
// connection that sends what was made ready before.

export async function send(
  url: string,
  method: string,
  body: string | FormData | null,
  headers: Record<string, string>,
) {
  const response = await fetch(url, { method, headers, ...(body === null ? {} : { body }) });
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Record<string, string>;
}

/** Where the server listens, as it says itself. */
export async function originOf(stdout: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stdout) {
    text += decoder.decode(chunk, { stream: true });
    const found = /listening on (\S+)\n/.exec(text);
    if (found !== null) return found[1]!;
  }
  throw new Error(`the server ended: ${text}`);
}

const HEAD_END = "\r\n\r\n";

/**
 * One connection that is kept, for one request at a time: it does less for an
 * answer than `fetch`, whose work would be timed too.
 */
export class Connection {
  private readonly socket: Promise<Bun.Socket>;
  private answer = "";
  private settle: { resolve: (answer: string) => void; reject: (error: Error) => void } | null = null;

  constructor(origin: string) {
    const { hostname, port } = new URL(origin);
    this.socket = Bun.connect({
      hostname,
      port: Number(port),
      socket: {
        data: (_, chunk) => this.take(chunk.toString()),
        close: () => this.settle?.reject(new Error("the server closed the connection")),
      },
    });
  }

  /** Sends a request as it stands, see `requestText`; rejects where its answer is no success. */
  async ask(request: string): Promise<void> {
    const socket = await this.socket;
    const answered = new Promise<string>((resolve, reject) => {
      this.settle = { resolve, reject };
    });
    socket.write(request);
    const answer = await answered;
    if (!answer.startsWith("HTTP/1.1 200")) throw new Error(answer);
  }

  async end(): Promise<void> {
    this.settle = null;
    (await this.socket).end();
  }

  private take(text: string): void {
    this.answer += text;
    const bodyFrom = this.answer.indexOf(HEAD_END) + HEAD_END.length;
    const length = /\ncontent-length: (\d+)/i.exec(this.answer)?.[1];
    // Answers are ASCII here, so that characters are bytes.
    if (bodyFrom < HEAD_END.length || this.answer.length < bodyFrom + Number(length ?? 0)) return;
    const { answer } = this;
    this.answer = "";
    this.settle?.resolve(answer);
  }
}

/** The text of an HTTP request with a body. */
export function requestText(url: string, method: string, body: string, headers: Record<string, string>): string {
  const { host, pathname } = new URL(url);
  const all = { host, ...headers, "content-length": String(Buffer.byteLength(body)) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return `${[`${method} ${pathname} HTTP/1.1`, ...lines].join("\r\n")}${HEAD_END}${body}`;
}
