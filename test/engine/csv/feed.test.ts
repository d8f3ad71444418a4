// Live feeds: records at once, the delimiter from the header, and what a feed does where a file would start again.

import { describe, expect, test } from "bun:test";
import { CsvFeed } from "../../../engine/csv/read.ts";
import { InputError } from "../../../engine/input-error.ts";
import { feed, read } from "./reading.ts";

const encoder = new TextEncoder();

/** Pushes each piece and notes, after each, what the feed handed on for it. */
function pushEach(names: readonly string[], pieces: readonly (string | Uint8Array)[]): string[][][] {
  const handedOn: string[][][] = [];
  const csvFeed = new CsvFeed(names, (header) => {
    handedOn.at(-1)!.push(["header", ...header.names]);
    return ({ records }) => handedOn.at(-1)!.push(...records.map((record) => [...record]));
  });
  for (const piece of pieces) {
    handedOn.push([]);
    csvFeed.push(typeof piece === "string" ? encoder.encode(piece) : piece);
  }
  handedOn.push([]);
  csvFeed.end();
  return handedOn;
}

describe("CsvFeed", () => {
  test("hands each record on as soon as its line end arrived", () => {
    expect(pushEach(["a", "b"], ["a,b\n", "1", ',"2\n', '3"', "\n4,5\n6,7", "\n", "8,9"])).toEqual([
      [["header", "a", "b"]],
      [],
      [],
      [],
      [
        ["1", "2\n3"],
        ["4", "5"],
      ],
      [["6", "7"]],
      [],
      [["8", "9"]],
    ]);
  });

  test("waits for what follows a CR only behind the header", () => {
    expect(pushEach(["a", "b"], ["a,b\r", "\n1,2\r", "\n3,4\r"])).toEqual([
      [],
      [
        ["header", "a", "b"],
        ["1", "2"],
      ],
      [["3", "4"]],
      [],
    ]);
    expect(pushEach(["a", "b"], ["a,b\r1,2\r"])).toEqual([
      [
        ["header", "a", "b"],
        ["1", "2"],
      ],
      [],
    ]);
    expect(pushEach([], ["a,b\r"])).toEqual([[], [["header", "a", "b"]]]);
  });

  test("does not wait for bytes that might make the start of another kind of file", () => {
    expect(pushEach([], ["P\n", "1\n"])).toEqual([[["header", "P"]], [["1"]], []]);
  });

  test("takes the delimiter under which the header has the expected names", () => {
    const text = "a,b;c,d\n1,2;3,4\n";
    expect(feed(encoder.encode(text), ["a,b", "c,d"]).header!.delimiter).toBe(";");
    expect(feed(encoder.encode(text), ["a", "d"]).header!.delimiter).toBe(",");
    expect(feed(encoder.encode(text), []).header!.delimiter).toBe(",");
    expect(feed(encoder.encode("a;b;c,d\n1;2;3\n"), ["x"]).header!.delimiter).toBe(";");
    expect(feed(encoder.encode("a\n1\n"), ["a"]).header!.delimiter).toBe(",");
    expect(feed(encoder.encode('"a,b";c\n1;2\n'), ["a,b", "c"], [1]).header!.names).toEqual(["a,b", "c"]);
    expect(feed(encoder.encode('"a;\n;b","c"\n1,2\n'), ["a;\n;b"], [1]).header!.names).toEqual(["a;\n;b", "c"]);
    expect(feed(encoder.encode("sep=|\na,b|c\n1|2\n"), ["a"], [1]).header!.names).toEqual(["a,b", "c"]);
  });

  test("decides at the end where the header has no line end", () => {
    const { header, records } = feed(encoder.encode("a;b"), ["a", "b"], [1]);
    expect(header!.names).toEqual(["a", "b"]);
    expect(records).toEqual([]);
  });

  test("decides on a header longer than the sample", () => {
    const names = Array.from({ length: 9_000 }, (_, i) => `column ${i}`);
    const bytes = encoder.encode(`${names.join(";")}\n${names.join(";")}\n`);
    expect(feed(bytes, names, [10_000])).toEqual(read(bytes));
  });

  test("switches to windows-1252 where the bytes are no UTF-8, whatever the chunks", () => {
    const bytes = Uint8Array.from([...encoder.encode("é,b\n1,€\n2,x"), 0xe9, ...encoder.encode("y\n3,"), 0x80, 0x0a]);
    for (const sizes of [[1], [2], [3], [1000]]) {
      const { header, records, report } = feed(bytes, ["é", "b"], sizes);
      expect(header!.names).toEqual(["é", "b"]);
      expect(records).toEqual([
        ["1", "€"],
        ["2", "xéy"],
        ["3", "€"],
      ]);
      expect(report!.warnings).toMatchObject([{ code: "WINDOWS_1252", line: 3 }]);
    }
    const cutOff = Uint8Array.from([...encoder.encode("a,b\n1,"), 0xe2, 0x82]);
    expect(feed(cutOff, []).records).toEqual([["1", "â‚"]]);
  });

  test("keeps an unnamed last column, for it cannot tell what will come", () => {
    const { header, records, report } = feed(encoder.encode("a,b,\n1,2,\n3,4,x\n"), ["a", "b"]);
    expect(header!.names).toEqual(["a", "b", "column_3"]);
    expect(records).toEqual([
      ["1", "2", ""],
      ["3", "4", "x"],
    ]);
    expect(report!.warnings.map((warning) => warning.code)).toEqual(["EMPTY_NAME"]);
  });

  test("hands on the sound records before a fault", () => {
    const { records, error } = feed(encoder.encode('a,b\n1,2\n3,"4\n"\n5\n6,7\n'), ["a"]);
    expect(records).toEqual([
      ["1", "2"],
      ["3", "4\n"],
    ]);
    expect(error).toMatchObject({ code: "CELL_COUNT", line: 5 });
  });

  test("refuses an empty feed", () => {
    const csvFeed = new CsvFeed(["a"], () => () => {});
    csvFeed.push(new Uint8Array(0));
    expect(() => csvFeed.end()).toThrow(InputError);
  });
});
