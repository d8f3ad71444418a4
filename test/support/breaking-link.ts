// A link that breaks: a TCP proxy that cuts connections where a test wants it.
import { connect, createServer, type Socket } from "node:net";

/**
 * `before`: nothing arrives. `answer`: the server gets the request, and its
 * answer is lost. A number: so many bytes of it come.
 */
export type Cut = "before" | "answer" | number | null;

export interface BreakingLink {
  origin: string;
  /** The first lines of the requests that came, such as `GET /healthz`. */
  asked: string[];
  /** Asked for each request; null lets it pass. */
  cut: (request: string) => Cut;
  close(): Promise<void>;
}

export async function startBreakingLink(port: number): Promise<BreakingLink> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(port, "127.0.0.1");
    let left = Number.POSITIVE_INFINITY;
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", end);
      socket.on("close", () => {
        sockets.delete(socket);
        end();
      });
    }
    client.on("data", (chunk: Buffer) => {
      const [request] = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) \S+/.exec(chunk.toString("latin1")) ?? [];
      if (request !== undefined) {
        proxy.asked.push(request);
        const cut = proxy.cut(request);
        if (cut === "before") return end();
        left = cut === null ? Number.POSITIVE_INFINITY : cut === "answer" ? 0 : cut;
      }
      upstream.write(chunk);
    });
    upstream.on("data", (chunk: Buffer) => {
      const piece = chunk.subarray(0, left);
      left -= piece.length;
      if (piece.length === chunk.length) client.write(piece);
      else client.end(piece, end);
    });
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  const { port: own } = server.address() as { port: number };
  const proxy: BreakingLink = {
    origin: `http://127.0.0.1:${own}`,
    asked: [],
    cut: () => null,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      await closed.promise;
    },
  };
  return proxy;
}
