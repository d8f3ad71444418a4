// Pages: they cover a list once, and end.
import { describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import fc from "fast-check";
import { misfit, readFields } from "../../../src/http/fields.ts";
import { PageOf, pageAnswer, pageQuery } from "../../../src/http/paging.ts";
import type { ApiError } from "../../../src/http/problem.ts";

const read = (query: string, mostOffset?: number) =>
  readFields(pageQuery(mostOffset), new URLSearchParams(query), "query");

describe("pageQuery", () => {
  test("has the documented defaults and bounds", () => {
    expect(read("")).toEqual({ offset: 0, limit: 20 });
    expect(read("offset=1000000&limit=100", 1_000_000)).toEqual({ offset: 1_000_000, limit: 100 });
    expect(read("limit=101")).toEqual({ offset: 0, limit: 100 });
    expect(read("limit=99999999999999999999")).toEqual({ offset: 0, limit: 100 });
    expect(read("offset=9007199254740991&limit=1")).toEqual({ offset: Number.MAX_SAFE_INTEGER, limit: 1 });
  });

  test.each([
    ["offset=-1", "offset"],
    ["offset=1000001", "offset"],
    ["offset=1.5", "offset"],
    ["offset=99999999999999999999999", "offset"],
    ["limit=0", "limit"],
    ["limit=101", "limit"],
    ["limit=all", "limit"],
  ])("%s is refused by name", (query, field) => {
    expect(() => read(query, 1_000_000)).toThrow();
    try {
      read(query, 1_000_000);
    } catch (error) {
      expect((error as ApiError).errors).toMatchObject([{ field }]);
    }
  });
});

describe("pageAnswer", () => {
  test("following nextOffset gives every item once", () => {
    fc.assert(
      fc.property(fc.nat(60), fc.integer({ min: 1, max: 25 }), (total, limit) => {
        const list = Array.from({ length: total }, (_, at) => at);
        const seen: number[] = [];
        const pageAt = (offset: number) =>
          pageAnswer(
            "numbers",
            { items: list.slice(offset, offset + limit), total },
            { offset, limit },
            (item) => item,
          );
        for (let offset: number | null = 0; offset !== null; ) {
          const page: ReturnType<typeof pageAt> = pageAt(offset);
          expect(misfit(PageOf("numbers", Type.Integer()), page)).toBeNull();
          seen.push(...page.numbers);
          offset = page.nextOffset;
        }
        expect(seen).toEqual(list);
      }),
    );
  });

  test("behind the end there is nothing, and no next page", () => {
    const page = pageAnswer("things", { items: [], total: 3 }, { offset: 10, limit: 5 }, String);
    expect(page).toEqual({ things: [], offset: 10, limit: 5, total: 3, nextOffset: null });
  });
});
