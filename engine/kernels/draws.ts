// Draws of rows for a tree: how often each is drawn.
import { Matrix } from "./matrix.ts";
import { put } from "./memory.ts";
import { countDraws, nextBelow } from "./random.ts";

/** Draws with replacement. */
export function drawBootstrap(drawCount: i32): void {
  const rowCount = Matrix.rowCount;
  memory.fill(Matrix.drawn, 0, usize(rowCount) * sizeof<i32>());
  countDraws(Matrix.drawn, rowCount, drawCount);
}

/** Chooses rows without replacement (Knuth's selection sampling); all of them without a draw. */
export function drawSample(count: i32): void {
  const rowCount = Matrix.rowCount;
  let needed = count;
  for (let row = 0; row < rowCount; row++) {
    const taken = count >= rowCount || nextBelow(rowCount - row) < needed;
    put<i32>(Matrix.drawn, row, i32(taken));
    needed -= i32(taken);
  }
}
