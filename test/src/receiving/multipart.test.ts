// Forms with one file: what is read, what is refused, and that nothing is left of what fails.
import { beforeEach, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import type { ApiError } from "../../../src/http/problem.ts";
import { type FormWithFile, receiveForm } from "../../../src/receiving/multipart.ts";
import { testFolder } from "../../support/folders.ts";

const BOUNDARY = "----form-boundary";
const TYPE = `multipart/form-data; boundary=${BOUNDARY}`;
const WATCH = { keepAlive: () => undefined };
const MOST_BYTES = 300_000;

const root = testFolder();
const [uploadsFolder, files] = [join(root, "uploads"), join(root, "files")];

beforeEach(() => {
  for (const folder of [uploadsFolder, files]) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
  }
});
interface Part {
  head: string;
  content: string | Uint8Array;
}

function filePart(content: string | Uint8Array, name = "file", fileName = "rows.csv"): Part {
  return {
    head: `Content-Disposition: form-data; name="${name}"; filename="${fileName}"\r\nContent-Type: text/csv`,
    content,
  };
}

function field(name: string, content: string): Part {
  return { head: `Content-Disposition: form-data; name="${name}"`, content };
}

function formOf(parts: readonly Part[], end = `--${BOUNDARY}--\r\n`): Buffer {
  const pieces = parts.flatMap(({ head, content }) => [`--${BOUNDARY}\r\n${head}\r\n\r\n`, content, "\r\n"]);
  return Buffer.concat([...pieces, end].map((piece) => Buffer.from(piece as string)));
}

function read(body: Uint8Array, pieceBytes = 64_000, headers: Record<string, string> = {}): Promise<FormWithFile> {
  let at = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (at >= body.length) return controller.close();
      controller.enqueue(body.slice(at, at + pieceBytes));
      at += pieceBytes;
    },
  });
  const request = new Request("http://localhost/", {
    method: "POST",
    headers: { "content-type": TYPE, ...headers },
    body: stream,
  });
  const targetPath = join(files, "target.csv");
  return receiveForm(
    request,
    {
      filePart: "file",
      leastFileBytes: 10,
      mostFileBytes: MOST_BYTES,
      largerFiles: "Split it.",
      targetPath,
      uploadsFolder,
    },
    WATCH,
  );
}

async function refusalOf(reading: Promise<FormWithFile>): Promise<ApiError> {
  const refusal = await reading.then(
    () => null,
    (error: ApiError) => error,
  );
  expect(refusal).not.toBeNull();
  expect(readdirSync(uploadsFolder)).toEqual([]);
  expect(readdirSync(files)).toEqual([]);
  return refusal!;
}

describe("what is read", () => {
  test("a file and fields, in any order", async () => {
    const content = "a,b\n1,2\n3,4\n";
    for (const parts of [
      [field("name", "Zürich"), filePart(content), field("numberOfBuckets", "20")],
      [filePart(content), field("name", "Zürich"), field("numberOfBuckets", "20")],
    ]) {
      expect(await read(formOf(parts))).toEqual({
        path: join(files, "target.csv"),
        sizeBytes: content.length,
        sha256: createHash("sha256").update(content).digest("hex"),
        fileName: "rows.csv",
        fields: [
          ["name", "Zürich"],
          ["numberOfBuckets", "20"],
        ],
      });
      expect(readFileSync(join(files, "target.csv"), "utf8")).toBe(content);
      expect(readdirSync(uploadsFolder)).toEqual([]);
    }
  });

  test("any bytes, in any pieces", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 10, maxLength: 3_000 }),
        fc.constantFrom("", "\r\n", `\r\n--${BOUNDARY.slice(0, 8)}`, "\r\n--"),
        fc.integer({ min: 1, max: 700 }),
        async (bytes, end, pieceBytes) => {
          const content = Buffer.concat([bytes, Buffer.from(end)]);
          const { path, sizeBytes } = await read(formOf([filePart(content), field("x", "y")]), pieceBytes);
          expect(sizeBytes).toBe(content.length);
          expect(readFileSync(path).equals(content)).toBeTrue();
        },
      ),
      { numRuns: 40 },
    );
  });

  test("a file as large as may be, and what stands behind the form", async () => {
    const form = formOf([filePart(Buffer.alloc(MOST_BYTES, "7"))], `--${BOUNDARY}--\r\nand more`);
    expect((await read(form)).sizeBytes).toBe(MOST_BYTES);
  });

  test("the forms of the platform's own clients", async () => {
    const form = new FormData();
    form.append("name", "x");
    form.append("file", new File(["1,2,3,4,5,6,7"], "a b.csv"));
    const request = new Request("http://localhost/", { method: "POST", body: form });
    const shape = {
      filePart: "file",
      leastFileBytes: 1,
      mostFileBytes: 100,
      largerFiles: "Split it.",
      targetPath: join(files, "t"),
      uploadsFolder,
    };
    expect(await receiveForm(request, shape, WATCH)).toMatchObject({ fileName: "a b.csv", fields: [["name", "x"]] });
  });

  test.each([
    ["../../etc/passwd", "passwd"],
    ["C:\\Users\\ada\\rows.csv", "rows.csv"],
    ["é€.csv", "é€.csv"],
    [`${"n".repeat(400)}.csv`, "n".repeat(260)],
    ["", ""],
  ])("a file name is for showing: %s", async (sent, shown) => {
    expect((await read(formOf([filePart("1234567890", "file", sent)]))).fileName).toBe(shown);
  });
});

describe("what is refused leaves nothing", () => {
  const fine = filePart("1234567890");
  const malformed: [name: string, body: Buffer, detail: RegExp][] = [
    ["no file", formOf([field("name", "x")]), /no file part named "file"/],
    ["a file of another name", formOf([filePart("1234567890", "_file")]), /must be named "file"; it is named "_file"/],
    ["two files", formOf([fine, fine]), /more than one file/],
    ["a file of a long name", formOf([filePart("1234567890", `${"x".repeat(59)}\u{1f600}`)]), /named "x{59}…"/],
    ["a file that is none", formOf([field("file", "1234567890")]), /must be a file/],
    ["a part without a name", formOf([fine, { head: "Content-Disposition: form-data", content: "x" }]), /has no name/],
    [
      "many fields",
      formOf([fine, ...Array.from({ length: 21 }, (_, at) => field(`f${at}`, "x"))]),
      /more than 20 fields/,
    ],
    ["a long field", formOf([field("name", "x".repeat(4_097)), fine]), /more than 4096 bytes/],
    ["no end", formOf([fine], ""), /not as multipart/],
    ["an end in the middle of the file", formOf([fine]).subarray(0, -30), /not as multipart|breaks off/],
    ["no form", Buffer.from("a,b\n1,2\n"), /not as multipart/],
    ["nothing", Buffer.alloc(0), /not as multipart|empty/],
  ];
  test.each(malformed)("%s", async (_name, body, detail) => {
    for (const pieceBytes of [1, 7, 64_000]) {
      const refusal = await refusalOf(read(body, pieceBytes));
      expect(refusal.code).toBe("MALFORMED_MULTIPART");
      expect(refusal.message).toMatch(detail);
    }
  });

  test("too large: by its length, and by counting", async () => {
    const large = formOf([filePart(Buffer.alloc(MOST_BYTES + 1, "7"))]);
    expect((await refusalOf(read(large))).code).toBe("BODY_TOO_LARGE");
    const declared = { "content-length": String(MOST_BYTES + 200_000) };
    expect((await refusalOf(read(formOf([fine]), 64_000, declared))).code).toBe("BODY_TOO_LARGE");
    const padded = Buffer.concat([Buffer.alloc(MOST_BYTES + 200_000, " "), formOf([fine])]);
    expect((await refusalOf(read(padded))).code).toBe("BODY_TOO_LARGE");
  });

  test("too small, and of another type", async () => {
    expect((await refusalOf(read(formOf([filePart("123456789")])))).code).toBe("FILE_TOO_SMALL");
    const json = { "content-type": "application/json" };
    expect((await refusalOf(read(formOf([fine]), 64_000, json))).code).toBe("UNSUPPORTED_MEDIA_TYPE");
    const unbounded = { "content-type": "multipart/form-data" };
    expect((await refusalOf(read(formOf([fine]), 64_000, unbounded))).code).toBe("MALFORMED_MULTIPART");
  });

  test("broken off, many times: no file and no open descriptor is left", async () => {
    const openFiles = () => (existsSync("/proc/self/fd") ? readdirSync("/proc/self/fd").length : 0);
    const breakOff = () => {
      const whole = formOf([filePart(Buffer.alloc(200_000, "7"))]);
      let pulls = 0;
      const body = new ReadableStream<Uint8Array>({
        pull: (controller) => {
          if (pulls++ === 0) controller.enqueue(whole.subarray(0, 100_000));
          else controller.error(new Error("gone"));
        },
      });
      const request = new Request("http://localhost/", { method: "POST", headers: { "content-type": TYPE }, body });
      const targetPath = join(files, "target.csv");
      return receiveForm(
        request,
        {
          filePart: "file",
          leastFileBytes: 1,
          mostFileBytes: MOST_BYTES,
          largerFiles: "Split it.",
          targetPath,
          uploadsFolder,
        },
        WATCH,
      );
    };
    expect((await refusalOf(breakOff())).code).toBe("UPLOAD_INTERRUPTED");
    const before = openFiles();
    for (let times = 0; times < 20; times++) await refusalOf(breakOff());
    expect(openFiles()).toBeLessThanOrEqual(before);
  });
});
