// Whether two files that are matched by the order of their rows have the same order, by the columns that both have.

/** The first rows of a file. */
export interface FirstRows {
  names: readonly string[];
  records: string[][];
}

/** Rows that are compared. */
const MOST_ROWS = 1_000;
/** A column of fewer different cells does not tell rows apart. */
const LEAST_CELLS = 20;
/** Share of a column's cells that are in the same row where the order is: some may have been corrected since. */
const SAME_SHARE = 0.9;
/** Share of its cells that are in other rows where the order is another; cells written in another way are in none. */
const MOVED_SHARE = 0.05;

export function addFirstRows({ records }: FirstRows, more: readonly (readonly string[])[]): void {
  for (const record of more.slice(0, Math.max(0, MOST_ROWS - records.length))) records.push([...record]);
}

/**
 * Finds a column whose cells stand in other rows; of several, the one with most distinct cells. Null where there is
 * none, or another column shows that the order is the same.
 */
export function columnOutOfOrder(first: FirstRows, second: FirstRows, others: ReadonlySet<string>): string | null {
  const rowCount = Math.min(first.records.length, second.records.length);
  let shuffledColumn: { name: string; cells: number } | null = null;
  for (const [at, name] of first.names.entries()) {
    const place = second.names.indexOf(name);
    if (place < 0 || others.has(name)) continue;
    const cellsOf = ({ records }: FirstRows, column: number) =>
      records.slice(0, rowCount).map((record) => record[column]!.trim());
    const [ours, theirs] = [cellsOf(first, at), cellsOf(second, place)];
    const known = new Set(theirs);
    if (known.size < LEAST_CELLS) continue;
    const same = ours.filter((cell, row) => cell === theirs[row]).length;
    if (same >= SAME_SHARE * rowCount) return null;
    const moved = ours.filter((cell, row) => cell !== theirs[row] && known.has(cell)).length;
    if (moved >= MOVED_SHARE * rowCount && known.size > (shuffledColumn?.cells ?? 0))
      shuffledColumn = { name, cells: known.size };
  }
  return shuffledColumn?.name ?? null;
}
