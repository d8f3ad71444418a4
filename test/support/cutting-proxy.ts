// A TCP proxy that breaks connections: after so many bytes from clients, again
// and again, and tells before the next gets through.
import { connect, createServer, type Socket } from "node:net";

export interface CuttingProxy {
  origin: string;
  /** Where connections go from now on; until the first call they wait. */
  lead(port: number): void;
  close(): void;
}

interface Cutting {
  cutEveryBytes: number;
  cuts: number;
  /**
   * New connections meanwhile are closed; otherwise they wait. Browsers send a broken
   * request again by themselves, which must not wait.
   */
  isDownMeanwhile?: boolean;
}

/**
 * @param onCut is called with the number of each cut, from 1 on; the link stays broken until what it returns resolves
 */
export async function startCuttingProxy(
  { cutEveryBytes, cuts, isDownMeanwhile = false }: Cutting,
  onCut: (cut: number) => Promise<void>,
): Promise<CuttingProxy> {
  let target = Promise.withResolvers<number>();
  let [passedBytes, cutCount] = [0, 0];
  let ready: Promise<void> = Promise.resolve();
  let isDown = false;
  const open = new Set<Socket>();
  const keep = (socket: Socket) => {
    open.add(socket);
    // A broken connection is what this is for.
    socket.on("error", () => undefined);
    socket.on("close", () => open.delete(socket));
    return socket;
  };
  const cutAll = () => {
    for (const socket of open) socket.destroy();
  };
  const server = createServer(async (client) => {
    keep(client).pause();
    if (isDown && isDownMeanwhile) {
      client.destroy();
      return;
    }
    await ready;
    const port = await target.promise;
    if (client.destroyed) return;
    const upstream = keep(connect(port, "127.0.0.1"));
    upstream.on("close", () => client.destroy());
    client.on("close", () => upstream.destroy());
    upstream.pipe(client);
    client.on("data", (chunk: Buffer) => {
      passedBytes += chunk.length;
      if (cutCount < cuts && passedBytes >= cutEveryBytes * (cutCount + 1)) {
        isDown = true;
        ready = onCut(++cutCount).then(() => {
          isDown = false;
        });
        cutAll();
      } else if (!upstream.write(chunk)) {
        client.pause();
        upstream.once("drain", () => client.resume());
      }
    });
    client.resume();
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as { port: number };
  return {
    origin: `http://127.0.0.1:${port}`,
    lead: (to) => {
      target.resolve(to);
      target = Promise.withResolvers();
      target.resolve(to);
    },
    close: () => {
      cutAll();
      server.close();
    },
  };
}
