// Files as answers: every header that asks for less than the whole, and the bytes that come over a real connection.
import { beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { fileAnswer } from "../../../src/http/file-answer.ts";
import { ApiError } from "../../../src/http/problem.ts";
import { testFolder } from "../../support/folders.ts";

const TEXT = Array.from({ length: 100 }, (_, at) => String.fromCharCode(48 + (at % 75))).join("");
const ABOUT = { contentType: "text/csv; charset=utf-8", fileName: "refinement-train.csv", etag: "abc" };

const folder = testFolder(() => server.stop(true));
let path: string;
let emptyPath: string;
let server: ReturnType<typeof Bun.serve>;

beforeAll(() => {
  path = join(folder, "table.csv");
  emptyPath = join(folder, "empty.csv");
  writeFileSync(path, TEXT);
  writeFileSync(emptyPath, "");
  server = Bun.serve({
    port: 0,
    // As the app does: the server beneath leaves the body of an answer to HEAD out.
    fetch: (request) =>
      fileAnswer(path, ABOUT, request.method === "HEAD" ? new Request(request, { method: "GET" }) : request).catch(
        (error: ApiError) => new Response(null, { status: error.status, headers: error.headers }),
      ),
  });
});

interface Given {
  headers: Record<string, string>;
  status: number;
  range?: string;
  text?: string;
}

const whole = (headers: Record<string, string>): Given => ({ headers, status: 200, text: TEXT });
const part = (range: string, start: number, end: number): Given => ({
  headers: { range },
  status: 206,
  range: `bytes ${start}-${end - 1}/100`,
  text: TEXT.slice(start, end),
});
const outside = (range: string): Given => ({ headers: { range }, status: 416, range: "bytes */100" });
const known = (tag: string): Given => ({ headers: { "if-none-match": tag }, status: 304, text: "" });

const CASES: readonly Given[] = [
  whole({}),
  part("bytes=0-0", 0, 1),
  part("bytes=0-99", 0, 100),
  part("bytes=10-19", 10, 20),
  part("bytes=90-", 90, 100),
  part("bytes=99-", 99, 100),
  part("bytes=0-", 0, 100),
  part("bytes=-1", 99, 100),
  part("bytes=-500", 0, 100),
  part("bytes=95-500", 95, 100),
  part("Bytes= 4-5", 4, 6),
  outside("bytes=100-"),
  outside("bytes=100-200"),
  outside("bytes=-0"),
  whole({ range: "bytes=5-4" }),
  whole({ range: "bytes=-" }),
  whole({ range: "bytes=a-b" }),
  whole({ range: "lines=0-4" }),
  whole({ range: "bytes=0-4,6-8" }),
  whole({ range: "bytes=0-1e3" }),
  known('"abc"'),
  known('W/"abc"'),
  known("*"),
  known('"x", "abc"'),
  whole({ "if-none-match": '"abd"' }),
  whole({ "if-none-match": "abc" }),
  { headers: { range: "bytes=0-1", "if-none-match": '"abc"' }, status: 304, text: "" },
  { headers: { range: "bytes=500-", "if-none-match": '"abc"' }, status: 304, text: "" },
  { ...part("bytes=2-3", 2, 4), headers: { range: "bytes=2-3", "if-range": '"abc"' } },
  whole({ range: "bytes=2-3", "if-range": '"old"' }),
  whole({ range: "bytes=2-3", "if-range": 'W/"abc"' }),
  whole({ range: "bytes=2-3", "if-range": "Fri, 20 Nov 2026 17:00:00 GMT" }),
  whole({ range: "bytes=500-", "if-range": '"old"' }),
];

function expectGiven(response: Response, { status, range }: Given): void {
  expect(response.status).toBe(status);
  expect(response.headers.get("content-range")).toBe(range ?? null);
  if (status === 416) return;
  expect(response.headers.get("etag")).toBe('"abc"');
  expect(response.headers.get("cache-control")).toBe("private");
  if (status === 304) return;
  expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(response.headers.get("content-disposition")).toBe('attachment; filename="refinement-train.csv"');
  expect(response.headers.get("accept-ranges")).toMatch(/^bytes/);
}

describe("over a connection", () => {
  test.each(CASES.map((given) => [JSON.stringify(given.headers), given] as const))("%s", async (_, given) => {
    const response = await fetch(server.url, { headers: given.headers });
    expectGiven(response, given);
    if (given.text !== undefined) expect(await response.text()).toBe(given.text);
  });

  test("HEAD has the headers of GET and no body", async () => {
    const response = await fetch(server.url, { method: "HEAD" });
    expectGiven(response, whole({}));
    expect(response.headers.get("content-length")).toBe("100");
    expect(await response.text()).toBe("");
  });
});

describe("by itself", () => {
  test.each(CASES.map((given) => [JSON.stringify(given.headers), given] as const))("%s", async (_, given) => {
    const request = new Request("http://localhost/", { headers: given.headers });
    const answer = fileAnswer(path, ABOUT, request);
    if (given.status === 416) {
      await expect(answer).rejects.toMatchObject({
        code: "RANGE_NOT_SATISFIABLE",
        headers: { "content-range": "bytes */100" },
      });
      return;
    }
    expectGiven(await answer, given);
    expect(await (await answer).text()).toBe(given.text!);
  });

  test("parts put together are the file, wherever it is cut", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.integer({ min: 1, max: 99 }), { maxLength: 6 }), async (cuts) => {
        const edges = [0, ...cuts.sort((a, b) => a - b), 100];
        const parts = await Promise.all(
          edges.slice(1).map(async (end, index) => {
            const headers = { range: `bytes=${edges[index]}-${end - 1}`, "if-range": '"abc"' };
            const answer = await fileAnswer(path, ABOUT, new Request("http://localhost/", { headers }));
            return answer.text();
          }),
        );
        expect(parts.join("")).toBe(TEXT);
      }),
      { numRuns: 50 },
    );
  });

  test("of an empty file no range can be had", async () => {
    for (const range of ["bytes=0-", "bytes=-1"]) {
      const request = new Request("http://localhost/", { headers: { range } });
      await expect(fileAnswer(emptyPath, ABOUT, request)).rejects.toBeInstanceOf(ApiError);
    }
    expect(await (await fileAnswer(emptyPath, ABOUT, new Request("http://localhost/"))).text()).toBe("");
  });

  test("a file that is not there is a fault of ours", async () => {
    const answer = fileAnswer(join(folder, "gone.csv"), ABOUT, new Request("http://localhost/"));
    await expect(answer).rejects.toMatchObject({ code: "ENOENT" });
  });

  test("a name in other letters is sent encoded", async () => {
    const answer = await fileAnswer(path, { ...ABOUT, fileName: "Kündigungen.csv" }, new Request("http://localhost/"));
    expect(answer.headers.get("content-disposition")).toBe(
      "attachment; filename=\"K_ndigungen.csv\"; filename*=UTF-8''K%C3%BCndigungen.csv",
    );
  });
});
