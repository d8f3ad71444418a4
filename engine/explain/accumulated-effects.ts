// Accumulated local effects (Apley & Zhu 2020): how the answer of the rows near each value changes from one value to
// the next, summed up along the column.
import { mapped } from "../mapped.ts";

/** A column of sampled rows, and the values that its curve goes through. */
export interface LocalColumn {
  kind: "number" | "category";
  /** One code per row. */
  codes: ArrayLike<number>;
  /** Ascending; a number column starts at its lowest code. */
  points: readonly number[];
  classCount: number;
}

/** `rows × classes` probabilities of the sampled rows, once for each entry: the codes that the column has there. */
export type ScoreWith = (changes: readonly ArrayLike<number>[]) => Float64Array[];

/**
 * Returns, for each point, the curve's value for each class. A row of a number lies between two points and counts in
 * the step between them. A row of a category lies at a point and counts in the steps to both neighbours. Categories
 * are in the order of their codes, which ascend with their signal, if any. Rows that lie nowhere do not count.
 * The mean of the curve over the rows is their mean probability. Scores all rows three or four times.
 */
export function accumulatedEffects(column: LocalColumn, scoreWith: ScoreWith): Float64Array[] {
  const { points, classCount, codes } = column;
  const last = points.length - 1;
  const placeOf = placesOf(column);
  const moved = (by: number) =>
    mapped(Uint16Array, codes, (code, row) => {
      const place = placeOf[row]!;
      return place < 0 ? code : points[Math.max(0, Math.min(last, place + by))]!;
    });
  const isCategory = column.kind === "category";
  const [below, at, unchanged, above] = scoreWith([moved(-1), moved(0), codes, ...(isCategory ? [moved(1)] : [])]);
  const steps = Array.from({ length: points.length }, () => new Float64Array(classCount));
  const weights = new Float64Array(points.length);
  const addStep = (place: number, row: number, from: Float64Array, to: Float64Array) => {
    weights[place]!++;
    for (let k = 0; k < classCount; k++) steps[place]![k]! += to[row * classCount + k]! - from[row * classCount + k]!;
  };
  for (const [row, place] of placeOf.entries()) {
    if (place > 0) addStep(place, row, below!, at!);
    if (above !== undefined && place >= 0 && place < last) addStep(place + 1, row, at!, above);
  }
  const curve = [new Float64Array(classCount)];
  for (let place = 1; place <= last; place++) {
    const before = curve[place - 1]!;
    curve.push(before.map((sum, k) => sum + steps[place]![k]! / Math.max(1, weights[place]!)));
  }
  return centred(curve, placeOf, column, unchanged!);
}

/** The point that each row lies at; for a number the upper one of the two around it; -1 if there is none. */
function placesOf({ kind, codes, points }: LocalColumn): Int32Array {
  const last = points.at(-1)!;
  return mapped(Int32Array, { length: codes.length }, (_, row) => {
    const code = codes[row]!;
    if (kind === "category") return points.indexOf(code);
    if (code < points[0]! || code > last) return -1;
    return Math.max(
      1,
      points.findIndex((point) => code <= point),
    );
  });
}

/** Lifts the curves so that their mean over the rows is the rows' mean probability. */
function centred(
  curve: readonly Float64Array[],
  placeOf: Int32Array,
  { kind, classCount }: LocalColumn,
  probabilities: Float64Array,
): Float64Array[] {
  const lift = new Float64Array(classCount);
  let count = 0;
  for (const [row, place] of placeOf.entries()) {
    if (place < 0) continue;
    count++;
    for (let k = 0; k < classCount; k++) {
      // A number lies somewhere between two points; half of the step counts.
      const middle = kind === "category" ? curve[place]![k]! : (curve[place - 1]![k]! + curve[place]![k]!) / 2;
      lift[k]! += probabilities[row * classCount + k]! - middle;
    }
  }
  return curve.map((ofCode) => ofCode.map((value, k) => value + lift[k]! / Math.max(1, count)));
}
