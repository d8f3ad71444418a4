// Pearson's chi-square: how far the cells of a table of counts are from what its margins make likely.

/** `cells`: row by row. Rows and columns without counts add nothing. */
export function chiSquare(
  cells: ArrayLike<number>,
  rowTotals: ArrayLike<number>,
  columnTotals: ArrayLike<number>,
  total: number,
): number {
  let statistic = 0;
  for (let cell = 0, row = 0; row < rowTotals.length; row++) {
    for (let column = 0; column < columnTotals.length; column++, cell++) {
      const expected = (rowTotals[row]! * columnTotals[column]!) / total;
      if (expected > 0) statistic += (cells[cell]! - expected) ** 2 / expected;
    }
  }
  return statistic;
}
