// The points halfway between ascending numbers, and the search among them: one rule for levels and for cut points.
// Training codes a value's nearest level, scoring the value itself. For the values that buckets were fitted on both
// agree, because every cut lies halfway between two of their levels.

/** Halfway between two neighbours, without overflow, and below the upper one even where no number lies between them. */
export function midpoint(low: number, high: number): number {
  const middle = low / 2 + high / 2;
  return middle >= low && middle < high ? middle : low;
}

/**
 * Returns the midpoints between neighbours: `midpoints[i]` is the largest number
 * that is nearest to `values[i]`, where ties go down.
 */
export function midpointsOf(values: Float64Array): Float64Array {
  const midpoints = new Float64Array(Math.max(0, values.length - 1));
  for (let at = 0; at < midpoints.length; at++) midpoints[at] = midpoint(values[at]!, values[at + 1]!);
  return midpoints;
}

/**
 * Counts the ascending points below a value. Of the midpoints between levels,
 * that is the index of the level nearest to the value.
 */
export function countBelow(points: Float64Array, value: number): number {
  let below = 0;
  // No branch depends on the value: the processor would guess half of them
  // wrong, which costs more than the steps themselves.
  for (let size = points.length; size > 0; ) {
    const half = (size + 1) >>> 1;
    below += -Number(points[below + half - 1]! < value) & half;
    size -= half;
  }
  return below;
}
