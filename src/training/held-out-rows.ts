// Which rows a run held out, and which of them each version got wrong: a
// later comparison of two models needs both (D113).
import { createHash } from "node:crypto";
import type { TrainingTask } from "../../engine/search/training-task.ts";
import type { TableAnswer } from "../../workers/messages.ts";

/** With fewer changes of the label from row to row, files of other rows may have the same labels in the same order. */
const FEWEST_CHANGES = 50;

/**
 * A digest of the held-out rows by their place and label. Files with other columns of the same rows have the same
 * digest, except for files sorted by label, where the file itself counts too.
 */
export function digestOfHoldout({ table, split }: TrainingTask, { label, sha256 }: TableAnswer): string {
  const { classes, labels } = table;
  const changes = classes.reduce((count, code, row) => count + Number(row > 0 && code !== classes[row - 1]), 0);
  const hash = createHash("sha256");
  hash.update(JSON.stringify([label, labels, changes < FEWEST_CHANGES ? sha256 : null]));
  // The byte order is the platform's; the program runs on little-endian ones only.
  hash.update(bytesOf(split.judging)).update(Buffer.from(classes));
  return hash.digest("hex");
}

/** A bit for each held-out row, 1 where the decision was wrong, the lowest bit of a byte first; as Base64. */
export function wrongRows(decisions: Uint8Array, { table, split }: TrainingTask): string {
  const bits = new Uint8Array(Math.ceil(split.judging.length / 8));
  split.judging.forEach((row, at) => {
    if (decisions[at] !== table.classes[row]) bits[at >> 3]! |= 1 << (at & 7);
  });
  return Buffer.from(bits).toString("base64");
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
