// Whatever is thrown becomes a problem that says what clients may know.

import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { InputError } from "../../../engine/input-error.ts";
import { ApiError, asApiError, problemResponse } from "../../../src/http/problem.ts";
import { PROBLEMS } from "../../../src/http/problem-codes.ts";

const PLACE = { requestId: "r-1", path: "/api/v1/x", basePath: "/cupel" };

describe("asApiError", () => {
  test("an input error becomes a 400 with its place", () => {
    const error = asApiError(new InputError("CELL_COUNT", "Line 7 has 3 cells.", { line: 7, column: "age" }));
    expect(error).toMatchObject({ status: 400, code: "FILE_UNUSABLE", message: "Line 7 has 3 cells." });
    expect(error.errors).toEqual([
      { field: "file", code: "CELL_COUNT", message: "Line 7 has 3 cells.", line: 7, column: "age" },
    ]);
  });

  test("one whose code is the API's own keeps it, one that names a status of another kind does not", () => {
    expect(asApiError(new InputError("COLUMN_MISMATCH", "No."))).toMatchObject({
      status: 400,
      code: "COLUMN_MISMATCH",
    });
    expect(asApiError(new InputError("INTERNAL", "No."))).toMatchObject({ status: 400, code: "FILE_UNUSABLE" });
    expect(asApiError(new InputError("toString", "No."))).toMatchObject({ status: 400, code: "FILE_UNUSABLE" });
  });

  test("one about the server's own files tells nothing", () => {
    const error = asApiError(new InputError("FILE_NOT_FOUND", 'There is no file "/srv/state/files/x.csv".'));
    expect(error).toMatchObject({ status: 500, code: "INTERNAL", errors: [] });
    expect(error.message).not.toContain("/srv");
  });

  test.each([
    ["an error", new Error("password is hunter2")],
    ["an error of the runtime", new TypeError("x is undefined")],
    ["a text", "text"],
    ["null", null],
    ["undefined", undefined],
    ["an object", { status: 200 }],
  ])("%s is a fault without words", (_name, thrown) => {
    expect(asApiError(thrown)).toMatchObject({ status: 500, code: "INTERNAL", errors: [] });
    expect(asApiError(thrown).message).toBe(asApiError(new Error("another")).message);
  });

  test("a full disk is told, of files and of the database", () => {
    for (const code of ["ENOSPC", "EDQUOT", "EFBIG"]) {
      const error = asApiError(Object.assign(new Error("write /srv/x"), { code }));
      expect(error).toMatchObject({ status: 507, code: "STORAGE_FULL" });
    }
    const database = new Database(":memory:");
    database.run("CREATE TABLE t (x)");
    database.run("PRAGMA max_page_count = 3");
    let thrown: unknown;
    try {
      for (let row = 0; row < 1_000; row++) database.run("INSERT INTO t VALUES (zeroblob(4000))");
    } catch (error) {
      thrown = error;
    }
    expect(asApiError(thrown)).toMatchObject({ status: 507, code: "STORAGE_FULL" });
  });
});

describe("problemResponse", () => {
  test("is RFC 9457", async () => {
    const errors = [{ field: "name", code: "REQUIRED", message: "It is required." }];
    const response = problemResponse(
      new ApiError("TOO_MANY_REQUESTS", "Ten failures.", { errors, headers: { "retry-after": "60" } }),
      PLACE,
    );
    expect(response.status).toBe(429);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(response.headers.get("retry-after")).toBe("60");
    expect(await response.json()).toEqual({
      type: "/cupel/docs/problems#TOO_MANY_REQUESTS",
      title: PROBLEMS.TOO_MANY_REQUESTS.title,
      status: 429,
      detail: "Ten failures.",
      instance: "/api/v1/x",
      code: "TOO_MANY_REQUESTS",
      requestId: "r-1",
      errors,
    });
  });
});

test("codes have statuses of errors, and sentences", () => {
  for (const [code, { status, title, remedy }] of Object.entries(PROBLEMS)) {
    expect(code).toMatch(/^[A-Z][A-Z_]+$/);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(title).toMatch(/^[A-Z].*[^.]$/);
    expect(remedy).toMatch(/^[A-Z].*\.$/);
  }
});
