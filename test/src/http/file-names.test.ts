// Names of files: what clients send, what a result is called, and the header of its download.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { attachment, resultFileName, sentFileName } from "../../../src/http/file-names.ts";
import { ApiError } from "../../../src/http/problem.ts";

const TEXT = fc.string({ unit: "binary", maxLength: 40 });

describe("the name of a sent file", () => {
  test.each([
    ["customers.csv", "customers.csv"],
    [" a b.csv ", "a b.csv"],
    ["/srv/data/a.csv", "a.csv"],
    ["C:\\data\\a.csv", "a.csv"],
    ["", null],
    ["..", null],
    ["data/", null],
    ["\ud800.csv", "\ufffd.csv"],
  ])("%j is kept as %j", (sent, kept) => {
    expect(sentFileName(sent, "file")).toBe(kept);
  });

  test("has neither folders nor control characters, or is refused", () => {
    fc.assert(
      fc.property(TEXT, (sent) => {
        try {
          expect(sentFileName(sent, "file") ?? "x").toMatch(/^[^/\\\p{Cc}\u2028\u2029]+$/u);
        } catch (error) {
          expect(error).toBeInstanceOf(ApiError);
          expect(sent).toMatch(/[\p{Cc}\u2028\u2029]/u);
        }
      }),
    );
  });
});

test.each([
  ["customers.csv", "customers-predicted.csv"],
  ["customers.CSV", "customers-predicted.csv"],
  ["v1.2.tsv", "v1.2-predicted.csv"],
  ["customers", "customers-predicted.csv"],
  [".csv", "prediction-k.csv"],
  [null, "prediction-k.csv"],
])("the result of %j is named %j", (fileName, name) => {
  expect(resultFileName({ fileName, key: "k" })).toBe(name);
});

describe("the header of a download", () => {
  test("is one line of plain characters, from which the name can be read again", () => {
    fc.assert(
      fc.property(TEXT, (text) => {
        const name = text.toWellFormed();
        const header = attachment(name);
        const [, plain, encoded] =
          /^attachment; filename="([\w .-]*)"(?:; filename\*=UTF-8''([\w.%!~-]*))?$/.exec(header) ?? [];
        expect(encoded === undefined ? plain : decodeURIComponent(encoded)).toBe(name);
      }),
    );
  });
});
