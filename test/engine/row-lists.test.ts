// Lists of rows, and rows of matrices, against their definitions.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { evenlySpaced, pickRows, placeRows, placesOf, rowsUpTo } from "../../engine/row-lists.ts";

test("evenly spaced numbers are ascending, as many as asked, from the first on, and their gaps differ by 1 at most", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 500 }), fc.double({ min: 1, max: 600, noNaN: true }), (count, most) => {
      const some = [...evenlySpaced(count, most)];
      expect(some).toHaveLength(Math.min(count, Math.floor(most)));
      if (count <= most) expect(some).toEqual([...rowsUpTo(count)]);
      expect(some[0]).toBe(0);
      const gaps = [...some, count].slice(1).map((next, i) => next - some[i]!);
      expect(Math.max(...gaps) - Math.min(...gaps)).toBeLessThanOrEqual(1);
    }),
  );
});

test("picked rows placed back are the matrix again, and places lead back to the rows", () => {
  const rowsOf = fc.uniqueArray(fc.nat(40), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(rowsOf, fc.integer({ min: 1, max: 4 }), (list, width) => {
      const rows = Uint32Array.from(list).sort();
      const matrix = Float64Array.from({ length: 41 * width }, (_, cell) => cell + 0.5);
      const picked = pickRows(matrix, rows, width, new Float64Array(rows.length * width));
      expect([...picked]).toEqual([...rows].flatMap((row) => [...matrix.subarray(row * width, (row + 1) * width)]));
      const back = new Float64Array(matrix.length);
      placeRows(picked, back, rows, width);
      expect([...back]).toEqual([...matrix.map((cell, at) => (list.includes(Math.floor(at / width)) ? cell : 0))]);
      expect([...rows.map((row) => placesOf(rows)[row]!)]).toEqual([...rowsUpTo(rows.length)]);
    }),
  );
});
