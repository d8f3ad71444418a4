// An upload to a disk that takes no more: 507, and nothing left. The disk's end is the system's own file-size limit.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { withFolder } from "../../support/folders.ts";

const SERVER = join(import.meta.dir, "..", "..", "support", "upload-once.ts");

test("readiness says what is wrong with the disk", () =>
  withFolder(async (folder) => {
    const program = `import { healthRoutes } from "${join(import.meta.dir, "../../../src/api/server/health.ts")}";
      const database = { client: { query: () => ({ get: () => null }) } };
      for (const uploadsFolder of [process.argv[1], process.argv[1] + "/none"]) {
        const ready = healthRoutes({ database, uploadsFolder }).find(({ path }) => path === "/readyz");
        await ready.handle().catch(({ code, message, errors }) => console.log(JSON.stringify([code, message, errors[0].code])));
      }`;
    const limited = `trap '' XFSZ; ulimit -f 0; exec "${process.execPath}" -e "$0" "${folder}"`;
    const child = Bun.spawn(["sh", "-c", limited, program], { stdout: "pipe", stderr: "pipe" });
    const [said, errors] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
    expect(errors).toBe("");
    expect(
      said
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual([
      ["UNAVAILABLE", "The server's disk is full.", "STORAGE_FULL"],
      ["UNAVAILABLE", "The disk cannot be written to.", "FAILING"],
    ]);
  }));

test("a disk that takes no more", () =>
  withFolder(async (folder) => {
    // SIGXFSZ is ignored, so that a write above the limit fails with EFBIG as one on a full disk fails with ENOSPC.
    const limited = `trap '' XFSZ; ulimit -f 2048; exec "${process.execPath}" "${SERVER}" "${folder}"`;
    const child = Bun.spawn(["sh", "-c", limited], { stdout: "pipe", stderr: "pipe" });
    const [answer, errors] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
    await child.exited;
    expect(errors).toBe("");
    expect(JSON.parse(answer)).toEqual([
      { sizeBytes: 1_000_000, status: 200, code: null, files: 1 },
      { sizeBytes: 5_000_000, status: 507, code: "STORAGE_FULL", files: 1 },
      { sizeBytes: 1_000_000, status: 200, code: null, files: 1 },
    ]);
  }));
