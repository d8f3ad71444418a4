// Which neighbouring codes of a feature a model tells apart: cut points between all others need not be compared with.
import { BOOSTED_TREES_KIND } from "../../boosting/boosted-trees.ts";
import type { Model } from "../../families/algorithms.ts";
import type { BaseModel } from "../../families/base-algorithms.ts";
import type { FeatureMerge, StackMember, StackModel } from "../../families/stack-model.ts";
import type { CoarseColumns } from "../../fitting/coarse-columns.ts";
import type { ScoreTables } from "../../fitting/score-tables.ts";
import type { TreeNodes } from "../../fitting/tree-nodes.ts";
import type { HiddenLayer } from "../../logistic/hidden-layer.ts";
import { FIRST_CODE } from "../../table/buckets.ts";
import { MISSING_RIGHT } from "../../trees/tree-walk.ts";

/** For one feature, the codes `c` that are told apart from `c + 1`; null where the model does not read the feature. */
export type Breaks = ReadonlySet<number> | null;

/** The breaks of every feature in the view that a base model or the whole model reads. */
export function breaksOf(model: Model, codeCounts: readonly number[]): Breaks[] {
  if (model.kind !== "stack") return baseBreaks(model, codeCounts.length);
  const breaksOfReaders = readersOf(model).map(({ merge, model: reader }) => {
    const breaks = baseBreaks(reader, codeCounts.length);
    if (merge === null) return breaks;
    return breaks.map((each, feature) => (each === null ? null : throughMerge(model.merges[merge]![feature]!, each)));
  });
  return codeCounts.map((_, feature) => united(breaksOfReaders.map((breaks) => breaks[feature]!)));
}

/** The readers of codes in a stack: the members that weigh something, and the tables on top. */
export function readersOf({ members, weights, mains }: StackModel): readonly StackMember[] {
  const weighing = members.filter((_, index) => weights[index] !== 0);
  return mains === null ? weighing : [...weighing, { merge: mains.merge, model: mains.tables }];
}

/** The breaks that one base model's features have in its own view. */
export function baseBreaks(model: BaseModel, featureCount: number): Breaks[] {
  switch (model.kind) {
    case "forest":
    case BOOSTED_TREES_KIND:
      return treeBreaks(model, featureCount);
    case "additive":
      return tableBreaks(model, featureCount);
    case "paired": {
      const tables = tableBreaks(model.additive, featureCount);
      const paired = columnBreaks(model.pairs.columns, featureCount);
      return tables.map((breaks, feature) => united([breaks, paired[feature]!]));
    }
    case "networks":
      return columnBreaks(model.columns, featureCount);
    case "hidden layer":
      return inputBreaks(model, featureCount);
    case "terms":
      return Array.from({ length: featureCount }, () => null);
  }
}

function treeBreaks({ children, features, thresholds }: TreeNodes, featureCount: number): Breaks[] {
  const breaks = Array.from({ length: featureCount }, (): Set<number> | null => null);
  children.forEach((child, node) => {
    if (child < 0) return;
    const feature = features[node]!;
    breaks[feature] ??= new Set();
    breaks[feature].add(thresholds[node]! & ~MISSING_RIGHT);
  });
  return breaks;
}

function tableBreaks({ tables, outputCount }: ScoreTables, featureCount: number): Breaks[] {
  return tables.slice(0, featureCount).map((table) => {
    if (table === null) return null;
    const isSame = (code: number, k: number) => table[code * outputCount + k] === table[(code + 1) * outputCount + k];
    const outputs = Array.from({ length: outputCount }, (_, k) => k);
    return whereDifferent(table.length / outputCount, (code) => outputs.every((k) => isSame(code, k)));
  });
}

function columnBreaks({ features, starts, groupOfCode }: CoarseColumns, featureCount: number): Breaks[] {
  const breaks = Array.from({ length: featureCount }, (): Breaks => null);
  features.forEach((feature, column) => {
    const groups = groupOfCode.subarray(starts[column]!, starts[column + 1]!);
    breaks[feature] = whereDifferent(groups.length, (code) => groups[code] === groups[code + 1]);
  });
  return breaks;
}

function inputBreaks({ codeStarts, codeInputs, codeValues }: HiddenLayer, featureCount: number): Breaks[] {
  return Array.from({ length: featureCount }, (_, feature) => {
    const values = codeValues.subarray(codeStarts[feature]!, codeStarts[feature + 1]!);
    if (values.every((value) => value === 0)) return null;
    const inputs = codeInputs.subarray(codeStarts[feature]!);
    const isSame = (code: number) =>
      values[code] === values[code + 1] && (values[code] === 0 || inputs[code] === inputs[code + 1]);
    return whereDifferent(values.length, isSame);
  });
}

/** The breaks in the fine view that breaks of a merged view come from. */
function throughMerge({ codeOf }: FeatureMerge, breaks: ReadonlySet<number>): Breaks {
  const isApart = (a: number, b: number) => {
    const [low, high] = a < b ? [a, b] : [b, a];
    if (low !== high && low < FIRST_CODE) return true;
    for (let code = low; code < high; code++) if (breaks.has(code)) return true;
    return false;
  };
  return whereDifferent(codeOf.length, (code) => !isApart(codeOf[code]!, codeOf[code + 1]!));
}

function whereDifferent(codeCount: number, isSame: (code: number) => boolean): Set<number> {
  const breaks = new Set<number>();
  for (let code = 0; code + 1 < codeCount; code++) if (!isSame(code)) breaks.add(code);
  return breaks;
}

function united(all: readonly Breaks[]): Breaks {
  const read = all.filter((breaks) => breaks !== null);
  return read.length === 0 ? null : new Set(read.flatMap((breaks) => [...breaks]));
}
