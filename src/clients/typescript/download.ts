// A file of the server: as a stream, bytes, text or saved; it goes on where it was when the connection breaks.
import { ASKING, type AskOptions, type Connection, type Sent } from "./connection.ts";
import { only } from "./options.ts";
import { CupelProblem, ownProblem } from "./problem.ts";
import { asProblem, persistently } from "./retry.ts";

/** A file that is there to be fetched, as often as it is asked for. */
export class Download {
  /** The name to save it under. */
  readonly name: string;
  private readonly connection: Connection;
  private readonly path: string;
  private readonly query: Sent["query"];

  /** @internal */
  constructor(connection: Connection, name: string, path: string, query: NonNullable<Sent["query"]> = {}) {
    this.connection = connection;
    this.name = name;
    this.path = path;
    this.query = query;
  }

  /** Its bytes as they come. After a broken connection the rest is asked for, if the file is still the same. */
  stream(options: AskOptions = {}): ReadableStream<Uint8Array> {
    const pieces = this.pieces(only(ASKING, options).signal);
    return new ReadableStream({
      pull: async (controller) => {
        try {
          const { done, value } = await pieces.next();
          if (done === true) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          controller.error(error);
        }
      },
      cancel: async () => {
        await pieces.return(undefined);
      },
    });
  }

  async blob(options: AskOptions = {}): Promise<Blob> {
    return new Response(this.stream(options)).blob();
  }

  async bytes(options: AskOptions = {}): Promise<Uint8Array> {
    return new Uint8Array(await new Response(this.stream(options)).arrayBuffer());
  }

  async text(options: AskOptions = {}): Promise<string> {
    return new Response(this.stream(options)).text();
  }

  /**
   * Writes it to a path, which has the whole file or what was there before (Node and Bun).
   *
   * @throws CupelProblem NOT_HERE in browsers
   */
  async save(path: string, options: AskOptions = {}): Promise<void> {
    const { signal } = only(ASKING, options);
    if (typeof process === "undefined") {
      throw ownProblem("NOT_HERE", "Browsers save no files", "Take blob(), and let a link offer it.");
    }
    const { open, rename, rm } = await import("node:fs/promises");
    const part = `${path}.${crypto.randomUUID().slice(0, 8)}.part`;
    const file = await open(part, "wx");
    try {
      try {
        for await (const piece of this.pieces(signal)) await file.writeFile(piece);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(part, path);
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
  }

  private async *pieces(signal: AbortSignal | undefined): AsyncGenerator<Uint8Array, undefined> {
    let received: { etag: string; bytes: number } | null = null;
    let body: Body | null = null;
    try {
      for (;;) {
        // A piece that has come begins the patience anew.
        const piece: Uint8Array | null = await persistently(this.connection.patience(signal), async () => {
          if (body === null) {
            const response = await this.open(received, signal);
            received ??= { etag: response.headers.get("etag") ?? "", bytes: 0 };
            body = new Body(response, this.connection.timeoutMs, signal);
          }
          try {
            return await body.read();
          } catch (error) {
            body.stop();
            body = null;
            throw asProblem(error, this.name, signal);
          }
        });
        if (piece === null) return undefined;
        received!.bytes += piece.length;
        yield piece;
      }
    } finally {
      (body as Body | null)?.stop();
    }
  }

  /** From the first byte that is still to come. */
  private async open(
    known: { etag: string; bytes: number } | null,
    signal: AbortSignal | undefined,
  ): Promise<Response> {
    const rest = known === null || known.bytes === 0 ? null : known;
    const headers = {
      accept: "*/*",
      ...(rest !== null && { range: `bytes=${rest.bytes}-`, "if-range": rest.etag }),
    };
    const sent = { query: this.query ?? {}, headers, signal };
    const response = await this.connection.once("GET", this.path, sent, async (answer) => answer);
    if (rest === null || response.status === 206) return response;
    await response.body?.cancel();
    throw new CupelProblem({
      code: "FILE_CHANGED",
      status: 0,
      title: "The file has changed",
      detail: `${this.name} has changed, or cannot be fetched in parts, and the connection broke. Fetch it again.`,
    });
  }
}

/** A stream's reader, whatever the platform calls its type. */
interface Reader {
  read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}

/** The body of an answer; a line that carries nothing for a while counts as broken. */
class Body {
  private readonly reader: Reader | null;
  private readonly idleMs: number;
  private readonly signal: AbortSignal | undefined;
  /** As far as the answer says how many there are. */
  private leftBytes: number;

  constructor(response: Response, idleMs: number, signal: AbortSignal | undefined) {
    this.reader = response.body?.getReader() ?? null;
    this.idleMs = idleMs;
    this.signal = signal;
    // The length of a compressed body is not that of its content.
    const length = response.headers.has("content-encoding") ? null : response.headers.get("content-length");
    this.leftBytes = Number(length ?? 0);
  }

  /** Null at the end. */
  async read(): Promise<Uint8Array | null> {
    this.signal?.throwIfAborted();
    let end = (): void => undefined;
    const stopped = new Promise<never>((_, reject) => {
      const stop = () => reject(this.signal?.reason);
      const timer = setTimeout(() => reject(new Error(`no bytes in ${this.idleMs} ms`)), this.idleMs);
      this.signal?.addEventListener("abort", stop, { once: true });
      end = () => {
        clearTimeout(timer);
        this.signal?.removeEventListener("abort", stop);
      };
    });
    try {
      const piece = await Promise.race([this.reader?.read(), stopped]);
      const value = piece?.value;
      if (value !== undefined) {
        this.leftBytes -= value.length;
        return value;
      }
    } finally {
      end();
    }
    if (this.leftBytes > 0) throw new Error(`${this.leftBytes} bytes are missing`);
    return null;
  }

  stop(): void {
    this.reader?.cancel().catch(() => undefined);
  }
}
