// The first look at a file: exact where it is small, close where it is
// large, and never more than the file has room for.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { guessSize } from "../../../engine/columns/first-look.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const look = (text: string, openingBytes: number, label: string | null = null) =>
  guessSize(bytes(text).subarray(0, openingBytes), bytes(text).length, label);

function numbered(rowCount: number, columnCount: number, lineEnd = "\n"): string {
  const names = Array.from({ length: columnCount }, (_, column) => `c${column}`);
  const lines = Array.from({ length: rowCount }, (_, row) =>
    names.map((_, column) => (row * 7 + column) % 3).join(","),
  );
  return [names.join(","), ...lines, ""].join(lineEnd);
}

describe("guessSize", () => {
  test("counts a file that it sees whole", () => {
    expect(look("a,b,label\n1,2,x\n3,4,y\n5,6,x\n7,8,y", 1_000)).toEqual({
      rowCount: 4,
      columnCount: 3,
      classCount: 2,
      textBytes: 0,
    });
  });

  test("counts the bytes of columns of several words as text, but not those of the label", () => {
    const rows = Array.from({ length: 50 }, (_, row) => `${row},some words of row ${row},good or bad`);
    const text = ["n,review,label", ...rows, ""].join("\n");
    const { textBytes } = look(text, 1_000)!;
    expect(textBytes).toBeWithin(0.7 * text.length, text.length + 1);
    expect(look(text, 1_000, "review")!.textBytes).toBeLessThan(textBytes);
    expect(look(numbered(50, 5), 1_000)!.textBytes).toBe(0);
  });

  test("takes the label's column by its name, and labels seen once for a sign of others", () => {
    expect(look("a,b\nx,1\ny,2\nz,3\nx,4\n", 1_000, "a")!.classCount).toBe(3 + 2);
    expect(look("a,b\nx,1\ny,2\nz,3\nx,4\n", 1_000)!.classCount).toBe(4 + 4);
  });

  test.each(["\n", "\r\n", "\r"])("is close for even records, whatever ends their lines (%j)", (lineEnd) => {
    const guess = look(numbered(20_000, 9, lineEnd), 10_000)!;
    expect(guess).toMatchObject({ columnCount: 9, classCount: 3 });
    expect(guess.rowCount).toBeWithin(20_000, 23_000);
  });

  test("bounds the rows by the bytes of the file, also where no record ends in the opening", () => {
    const text = `a,b\n${"x".repeat(5_000)},1\n2,3\n`;
    const guess = look(text, 100)!;
    expect(guess.columnCount).toBe(2);
    expect(guess.rowCount).toBeWithin(2, Math.floor(text.length / 2) + 1);
    expect(look(`${"name,".repeat(1_000)}label\n1`, 500)!.columnCount).toBeGreaterThan(50);
  });

  test("a fault behind the first records, and bytes that are no text, are for the reader to tell", () => {
    expect(look('a,b\n1,2\n3,4\n5,"6', 1_000)).toMatchObject({ rowCount: 2, columnCount: 2 });
    expect(look("", 1_000)).toBeNull();
    expect(guessSize(new Uint8Array(64), 64, null)).toBeNull();
  });

  test("never throws, and never guesses more rows than there are bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(10_000), (opening, further) => {
        const sizeBytes = opening.length + further;
        const guess = guessSize(opening, sizeBytes, null);
        if (guess !== null) expect(guess.rowCount * guess.columnCount).toBeLessThanOrEqual(sizeBytes + 1);
      }),
    );
  });
});
