// The archive: what tar programs read is what was written, and whatever differs by a byte is refused.
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { ArchiveFault, openArchive } from "../../../data/backup/archive-reader.ts";
import { createArchive } from "../../../data/backup/archive-writer.ts";
import { decodeTarHeader, encodeTarHeader } from "../../../data/backup/tar-header.ts";
import { withFolder } from "../../support/folders.ts";

const SIZES = [0, 1, 511, 512, 513, 1024 * 1024 - 1, 1024 * 1024, 3_000_001];
const signal = new AbortController().signal;

/** An archive of files of these sizes, each full of bytes of its own. */
async function writeArchive(folder: string, sizes: readonly number[]): Promise<string> {
  const path = join(folder, "archive");
  // Of the past: tar warns of files of the future.
  const archive = await createArchive(path, new Date("2021-05-06T12:00:00.000Z"));
  for (const [index, size] of sizes.entries()) {
    const source = join(folder, `source-${index}`);
    writeFileSync(source, contentOf(index, size));
    await archive.addFile(`some/file-${index}`, source, signal);
  }
  await archive.finish();
  await archive.close();
  return path;
}

const contentOf = (index: number, size: number) => Buffer.alloc(size, `${index} is the number of this file. `);

async function readArchive(path: string): Promise<Map<string, Buffer>> {
  const archive = await openArchive(path);
  const found = new Map<string, Buffer>();
  try {
    for (let entry = await archive.next(); entry !== null; entry = await archive.next()) {
      const pieces: Buffer[] = [];
      for await (const piece of archive.content(entry)) pieces.push(Buffer.from(piece));
      found.set(entry.path, Buffer.concat(pieces));
    }
    return found;
  } finally {
    await archive.close();
  }
}

async function run(command: string[], cwd: string): Promise<string> {
  const child = Bun.spawn(command, { cwd, stdout: "pipe", stderr: "pipe" });
  const [text, fault] = [await child.stdout.text(), await child.stderr.text()];
  expect([await child.exited, fault]).toEqual([0, ""]);
  return text;
}

describe("an archive", () => {
  test("is read back as it was written, at every size around a block and a piece", () =>
    withFolder(async (folder) => {
      const found = await readArchive(await writeArchive(folder, SIZES));
      expect(found.size).toBe(SIZES.length);
      for (const [index, size] of SIZES.entries()) {
        expect(found.get(`some/file-${index}`)!.equals(contentOf(index, size))).toBe(true);
      }
    }));

  test("is unpacked by tar, for its owner's eyes only", () =>
    withFolder(async (folder) => {
      const path = await writeArchive(folder, SIZES);
      const listed = (await run(["tar", "-tvf", path], folder)).trimEnd().split("\n");
      expect(listed).toHaveLength(SIZES.length);
      for (const line of listed) expect(line).toStartWith("-rw-------");
      await run(["tar", "-xf", path], folder);
      expect(readdirSync(join(folder, "some"))).toHaveLength(SIZES.length);
      for (const [index, size] of SIZES.entries()) {
        expect(readFileSync(join(folder, "some", `file-${index}`)).equals(contentOf(index, size))).toBe(true);
      }
    }));

  test("is refused where it was cut off, at any length", () =>
    withFolder(async (folder) => {
      const path = await writeArchive(folder, [0, 700, 513]);
      const whole = readFileSync(path);
      for (let length = whole.length - 1; length >= 0; length -= 97) {
        truncateSync(path, length);
        await expect(readArchive(path)).rejects.toThrow(ArchiveFault);
      }
    }));

  test("is refused where a byte of a header or of the padding was altered, or something follows", () =>
    withFolder(async (folder) => {
      const path = await writeArchive(folder, [700]);
      const whole = readFileSync(path);
      const outside = [...whole.keys()].filter((at) => at < 512 || at >= 512 + 700);
      for (const at of outside) {
        const altered = Buffer.from(whole);
        altered[at] = altered[at]! ^ 1;
        writeFileSync(path, altered);
        await expect(readArchive(path)).rejects.toThrow(ArchiveFault);
      }
      writeFileSync(path, Buffer.concat([whole, Buffer.alloc(512)]));
      await expect(readArchive(path)).rejects.toThrow("behind its end");
    }));
});

describe("a header", () => {
  const entries = fc.record({
    path: fc.stringMatching(/^[\x20-\x7e]{1,100}$/),
    sizeBytes: fc.oneof(fc.nat(), fc.maxSafeNat(), fc.constantFrom(8 ** 11 - 1, 8 ** 11)),
    modifiedSeconds: fc.nat(),
  });

  test("says what it was made of", () => {
    fc.assert(fc.property(entries, (entry) => expect(decodeTarHeader(encodeTarHeader(entry))).toEqual(entry)));
  });

  test("that says anything else is none", () => {
    fc.assert(
      fc.property(entries, fc.nat(511), fc.integer({ min: 1, max: 255 }), (entry, at, change) => {
        const block = encodeTarHeader(entry);
        block[at] = block[at]! ^ change;
        expect(decodeTarHeader(block)).toBeNull();
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 512, maxLength: 512 }), (bytes) => {
        expect(decodeTarHeader(Buffer.from(bytes))).toBeNull();
      }),
    );
  });

  test("of a file beyond 8 GiB is read by tar", () =>
    withFolder(async (folder) => {
      const sizeBytes = 8 ** 11 + 4_096;
      const path = join(folder, "large.tar");
      writeFileSync(path, encodeTarHeader({ path: "large", sizeBytes, modifiedSeconds: 0 }));
      // All holes: it takes no room.
      truncateSync(path, 512 + sizeBytes + 1024);
      expect(await run(["tar", "-tvf", path], folder)).toMatch(new RegExp(` ${sizeBytes} .* large\n$`));
    }));

  test.each(["", "ä", "a\nb", "x".repeat(101)])("takes no path like %j", (path) => {
    expect(() => encodeTarHeader({ path, sizeBytes: 0, modifiedSeconds: 0 })).toThrow(RangeError);
  });
});
