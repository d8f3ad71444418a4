// What a profile holds, wherever its arrays lie and however much room they have.

import type { TableProfile } from "../../engine/profile/profile.ts";
import type { ColumnScan } from "../../engine/reading/column-scan.ts";
import type { NumberSample } from "../../engine/reading/number-sample.ts";
import type { TextDictionary } from "../../engine/reading/text-dictionary.ts";

export function profileContent({ columns, ...profile }: TableProfile) {
  return { ...profile, columns: columns.map(({ scan, ...column }) => ({ ...column, scan: scan && contentOf(scan) })) };
}

function contentOf({ dictionary, sample, evidence, missing, firstMissing }: ColumnScan) {
  const own = { dictionary: textsOf(dictionary), sample: sample && cellsOf(sample) };
  return { ...own, evidence, missing, firstMissing };
}

/** In the order of rows' hashes: a batch's numbers are sampled before its other texts. */
function cellsOf({ size, depth, rowHashes, values, forms }: NumberSample) {
  const cells = Array.from({ length: size }, (_, at) => [rowHashes[at]!, values[at]!, forms[at]!]);
  return { depth, cells: cells.sort(([one], [other]) => one! - other!) };
}

function textsOf(dictionary: TextDictionary) {
  const { isFull } = dictionary;
  const texts = dictionary.allTexts().map((text, id) => {
    const [count, line, shape] = [dictionary.countOf(id), dictionary.firstLineOf(id), dictionary.shapeOf(id)];
    return { text, count, line, shape, value: shape === 0 ? null : dictionary.valueOf(id) };
  });
  return { isFull, texts };
}
