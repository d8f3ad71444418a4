// Finds the name that somebody probably meant, for errors that suggest it.
import { quotedName } from "../csv/header.ts";
import { asSeen, unseenDifference } from "../csv/unseen-characters.ts";

/** Steps that the search for one name may take, tens of milliseconds; a longer one compares without case only. */
const MOST_STEPS = 10_000_000;
const LABELS_LISTED = 10;

/**
 * Returns the name that differs least from the wanted one: in case or what cannot be seen, or by at
 * most one edit in three characters. Null where none does.
 */
export function nearestName(wanted: string, names: readonly string[]): string | null {
  const folded = fold(wanted);
  const sameFolded = names.find((name) => fold(name) === folded);
  if (sameFolded !== undefined) return sameFolded;
  // A distance takes as many steps as the product of both lengths, which are nearly the same.
  if (names.length * folded.length ** 2 > MOST_STEPS) return null;
  let nearest: string | null = null;
  let fewestEdits = Math.floor(folded.length / 3) + 1;
  for (const name of names) {
    if (Math.abs(name.length - folded.length) >= fewestEdits) continue;
    const edits = editDistance(folded, fold(name));
    if (edits < fewestEdits) {
      nearest = name;
      fewestEdits = edits;
    }
  }
  return nearest;
}

/** The near name in quotes, and how it differs from the wanted one where that cannot be seen. */
export function nearWords(wanted: string, near: string): string {
  const difference = unseenDifference(wanted, near);
  return difference === null ? quotedName(near) : `${quotedName(near)} ${difference}`;
}

/** Suggests the nearest name; `otherwise` where none is near. */
export function meantName(wanted: string, names: readonly string[], otherwise: string): string {
  const nearest = nearestName(wanted, names);
  return nearest === null ? otherwise : `Did you mean ${nearWords(wanted, nearest)}?`;
}

/** As `meantName`, for a label: where none is near, it lists the first labels. */
export function meantLabel(wanted: string, labels: readonly string[]): string {
  const listed = labels.slice(0, LABELS_LISTED).map(quotedName).join(", ");
  return meantName(wanted, labels, `The labels are ${listed}${labels.length > LABELS_LISTED ? ", …" : "."}`);
}

function fold(name: string): string {
  return asSeen(name).toLowerCase();
}

/**
 * Returns how many insertions, deletions, replacements and swaps of neighbours lead
 * from one text to the other (Damerau 1964, restricted).
 */
function editDistance(a: string, b: string): number {
  let beforeLast = new Uint32Array(b.length + 1);
  let last = Uint32Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const row = new Uint32Array(b.length + 1);
    row[0] = i;
    for (let j = 1; j <= b.length; j++) {
      const replaced = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      row[j] = Math.min(replaced, last[j]! + 1, row[j - 1]! + 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) row[j] = Math.min(row[j]!, beforeLast[j - 2]! + 1);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length]!;
}
