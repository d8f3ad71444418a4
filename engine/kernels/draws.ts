// Draws of rows for a tree: how often each is drawn.
import { Matrix } from "./matrix.ts";
import { at, put } from "./memory.ts";
import { nextBelow } from "./random.ts";

/** Draws with replacement. */
export function drawBootstrap(drawCount: i32): void {
  const rowCount = Matrix.rowCount;
  memory.fill(Matrix.drawn, 0, usize(rowCount) * sizeof<i32>());
  for (let draw = 0; draw < drawCount; draw++) {
    const row = nextBelow(rowCount);
    put<i32>(Matrix.drawn, row, at<i32>(Matrix.drawn, row) + 1);
  }
}

/** Chooses rows without replacement (Knuth's selection sampling). All rows take no random number. */
export function drawSample(count: i32): void {
  const rowCount = Matrix.rowCount;
  let needed = count;
  for (let row = 0; row < rowCount; row++) {
    const taken = count >= rowCount || nextBelow(rowCount - row) < needed;
    put<i32>(Matrix.drawn, row, i32(taken));
    needed -= i32(taken);
  }
}
