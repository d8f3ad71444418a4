// Uploads in pieces by the protocol's own client against a real server: cut,
// the server killed, and a disk that takes no more.
import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { sendOverBrokenLink } from "../support/broken-link.ts";
import { withFolder } from "../support/folders.ts";
import { endAll, FROM_SOURCE, type Server, serve } from "../support/server.ts";

const MIB = 1024 * 1024;
const [CUTS, KILL_EACH] = [20, 4];

afterAll(() => endAll());

test("a file arrives whole over a link that breaks 20 times, to a server that is killed five times", () =>
  withFolder(async (folder) => {
    const link = { program: FROM_SOURCE, folder, fileBytes: 64 * MIB, cuts: CUTS, killEach: KILL_EACH };
    const arrival = await sendOverBrokenLink(link);
    expect(arrival.storedSha256).toEqual([arrival.sentSha256]);
    expect(arrival.unfinishedCount).toBe(0);
    expect(arrival.retries).toBeGreaterThanOrEqual(CUTS);
    expect(arrival.memory).toHaveLength(CUTS / KILL_EACH + 1);
    // Measured: 20 at the most, of a login before the file came. A body is never gathered: that would be all of its 64.
    expect(Math.max(...arrival.memory.map(({ rest, peak }) => peak - rest))).toBeLessThan(35);
  }));

const TUS = { "tus-resumable": "1.0.0" };

async function send({ token }: Server, method: string, url: string, headers: Record<string, string>, body?: string) {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${token}`, ...TUS, ...headers },
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  return {
    status: response.status,
    text,
    offset: Number(response.headers.get("upload-offset")),
    headers: response.headers,
  };
}

const PIECE = { "content-type": "application/offset+octet-stream" };
const originOf = ({ printed }: Server) => /listening on (\S+)/.exec(printed)![1]!;

test("a disk that takes no more keeps what came, says what to do, and the upload goes on once there is room", () =>
  withFolder(async (folder) => {
    const state = join(folder, "state");
    // A file may have 6 MiB: above that a write fails with EFBIG, as one on a full disk fails with ENOSPC.
    const limit = `trap '' XFSZ; ulimit -f 12288; exec "$0" "$@"`;
    const small = await serve(["sh", "-c", limit, ...FROM_SOURCE], state);
    const made = await small.call<{ uploadTargets: [{ url: string }] }>("POST", "/api/v1/feature-refinery", {});
    const file = "0123456\n".repeat(MIB);
    const size = { "upload-length": String(file.length) };
    const begun = await send(small, "POST", made.uploadTargets[0].url, size);
    const place = new URL(begun.headers.get("location")!);
    const refused = await send(small, "PATCH", place.href, { ...PIECE, "upload-offset": "0" }, file);
    expect([refused.status, JSON.parse(refused.text)]).toMatchObject([507, { code: "STORAGE_FULL" }]);
    expect(refused.text).toContain(`of ${file.length} bytes are kept`);
    const { offset } = await send(small, "HEAD", place.href, {});
    expect(offset).toBeGreaterThan(0);
    expect(offset).toBeLessThanOrEqual(6 * MIB);
    small.child.kill("SIGKILL");
    await small.child.exited;
    const roomy = await serve(FROM_SOURCE, state);
    const there = `${originOf(roomy)}${place.pathname}${place.search}`;
    expect((await send(roomy, "HEAD", there, {})).offset).toBe(offset);
    const last = await send(roomy, "PATCH", there, { ...PIECE, "upload-offset": String(offset) }, file.slice(offset));
    expect([last.status, last.offset]).toEqual([204, file.length]);
    const name = Array.from(new Bun.Glob("*.csv").scanSync(join(state, "files")))[0]!;
    expect(await Bun.file(join(state, "files", name)).text()).toBe(file);
  }));
