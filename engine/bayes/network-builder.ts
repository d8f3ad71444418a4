// Building Bayesian networks from counts: terms under two parents, backed
// off to one, to none, and to the overall shares.
import { UNSEEN_CODE } from "../buckets.ts";
import { concatenate } from "../concatenate.ts";
import { countClasses, gatherClasses } from "../families/class-counts.ts";
import { type CoarseColumns, gatherGroups } from "../families/coarse-columns.ts";
import type { FitInput } from "../families/family.ts";
import { outputCountOf } from "../families/score-tables.ts";
import { throwIfCancelled } from "../stop-signal.ts";
import { type BayesNetworks, contextStarts, type Pooling, parentGroups } from "./bayes-networks.ts";
import type { NetworkNode } from "./network-structures.ts";

export interface BackOff {
  /** Rows' worth of the probability with one parent less that each context gets: the m of the m-estimate. */
  smoothing: number;
  /** A context with fewer fit rows counts as unseen. */
  leastRows: number;
}

/** p(group | class) / p(group) in one context, at `group * classCount + class`. */
interface Ratios {
  values: Float64Array;
  logs: Float64Array;
}

/** A column without parents. */
interface ColumnRatios {
  ratios: Ratios;
  /** p(group): rows of the group plus one, over all rows plus one per group; 0 where no fit row has the group. */
  shares: Float64Array;
  /** The start of its terms. */
  offset: number;
}

/**
 * Counts the fit rows node by node and lays the terms out context after context. With c rows of a group and class in a
 * context of n_k rows of the class, P = (c + m × P with one parent less) / (n_k + m), and
 * p(group) where no parent is left. A context without rows backs off to the one with one parent
 * less. Memory: the terms of each context that the fit rows hold.
 */
export class NetworkBuilder {
  /** Terms of all members so far. */
  termCount = 0;
  private readonly input: FitInput;
  private readonly columns: CoarseColumns;
  private readonly backOff: BackOff;
  private readonly classCounts: Float64Array;
  private readonly classes: Uint8Array;
  /** Groups of the fit rows, column after column, then zeros for no parent. */
  private readonly groups: readonly Uint8Array[];
  private readonly plain: readonly ColumnRatios[];
  private readonly memberStarts: number[] = [0];
  private readonly nodes: NetworkNode[] = [];
  private readonly contexts: Uint32Array[] = [];
  private readonly blocks: Float32Array[] = [];
  private cells = new Int32Array(0);

  constructor(input: FitInput, columns: CoarseColumns, backOff: BackOff) {
    this.input = input;
    this.columns = columns;
    this.backOff = backOff;
    this.classCounts = countClasses(input);
    this.classes = gatherClasses(input.classes, input.rows);
    this.groups = [...gatherGroups(columns, input.view, input.rows), new Uint8Array(input.rows.length)];
    this.plain = Array.from(columns.features, (_, column) => this.fitPlain(column));
  }

  /** Adds a member of one node per column at most. O(rows × nodes). */
  addMember(nodes: readonly NetworkNode[]): void {
    for (const node of nodes) {
      throwIfCancelled(this.input.stop);
      this.nodes.push(node);
      this.contexts.push(this.fitNode(node));
    }
    this.memberStarts.push(this.nodes.length);
  }

  finish(pooling: Pooling): BayesNetworks {
    const { columns, nodes, classCounts } = this;
    const { classCount, rows } = this.input;
    const logPriors = classCounts.map((count) => Math.log((count + 1) / (rows.length + classCount)));
    const firstParents = Uint16Array.from(nodes, ({ first }) => first);
    const secondParents = Uint16Array.from(nodes, ({ second }) => second);
    return {
      kind: "networks",
      classCount,
      outputCount: outputCountOf(classCount),
      pooling,
      columns,
      logPriors: classCount === 2 ? Float64Array.of(logPriors[1]! - logPriors[0]!) : logPriors,
      memberStarts: Uint32Array.from(this.memberStarts),
      nodeColumns: Uint16Array.from(nodes, ({ column }) => column),
      firstParents,
      secondParents,
      contextStarts: contextStarts(columns, firstParents, secondParents),
      contexts: concatenate(Uint32Array, this.contexts),
      terms: concatenate(Float32Array, this.blocks),
    };
  }

  private fitPlain(column: number): ColumnRatios {
    const { classCount, rows } = this.input;
    const none = this.columns.features.length;
    const groupCount = this.columns.groupCounts[column]!;
    const cells = this.countCells({ column, first: none, second: none }).slice(0, groupCount * classCount);
    const shares = new Float64Array(groupCount);
    for (let cell = 0; cell < cells.length; cell++) shares[Math.floor(cell / classCount)]! += cells[cell]!;
    for (let group = 0; group < groupCount; group++) {
      const isKnown = group !== UNSEEN_CODE && shares[group]! > 0;
      shares[group] = isKnown ? (shares[group]! + 1) / (rows.length + groupCount - 1) : 0;
    }
    const alike = { values: new Float64Array(cells.length).fill(1), logs: new Float64Array(cells.length) };
    const ratios = backedOff(alike, cells, this.classCounts, shares, this.backOff.smoothing);
    return { ratios, shares, offset: this.addTerms(ratios, shares) };
  }

  /** The start of the terms under each combination of the parents' groups. */
  private fitNode(node: NetworkNode): Uint32Array {
    const { columns, plain } = this;
    const { ratios, shares, offset } = plain[node.column]!;
    const none = columns.features.length;
    const firstCount = parentGroups(columns, node.first);
    const secondCount = parentGroups(columns, node.second);
    const contexts = new Uint32Array(firstCount * secondCount).fill(offset);
    if (node.first === none) return contexts;
    const size = ratios.values.length;
    const cells = this.countCells(node);
    const merged = new Int32Array(size);
    for (let a = 0; a < firstCount; a++) {
      const from = a * secondCount;
      mergeContexts(cells, from * size, secondCount, merged);
      const ofOne = this.fitContext(a, merged, ratios, shares);
      if (ofOne === null) continue;
      contexts.fill(this.addTerms(ofOne, shares), from, from + secondCount);
      if (node.second === none) continue;
      for (let b = 0; b < secondCount; b++) {
        const own = cells.subarray((from + b) * size, (from + b + 1) * size);
        const ofTwo = this.fitContext(b, own, ofOne, shares);
        if (ofTwo !== null) contexts[from + b] = this.addTerms(ofTwo, shares);
      }
    }
    return contexts;
  }

  /** The ratios of a column in one context; null if the context is unseen or has too few rows. */
  private fitContext(group: number, cells: Int32Array, base: Ratios, shares: Float64Array): Ratios | null {
    const { classCount } = this.input;
    const classRows = new Float64Array(classCount);
    let rowCount = 0;
    for (let cell = 0; cell < cells.length; cell += classCount) {
      for (let k = 0; k < classCount; k++) {
        const count = cells[cell + k]!;
        classRows[k] = classRows[k]! + count;
        rowCount += count;
      }
    }
    if (group === UNSEEN_CODE || rowCount < Math.max(1, this.backOff.leastRows)) return null;
    return backedOff(base, cells, classRows, shares, this.backOff.smoothing);
  }

  /** Rows by first parent, second parent, own group and class, from the start of a shared array on. */
  private countCells({ column, first, second }: NetworkNode): Int32Array {
    const { groups, classes, columns } = this;
    const { classCount } = this.input;
    const secondCount = parentGroups(columns, second);
    const ownCount = columns.groupCounts[column]!;
    const used = parentGroups(columns, first) * secondCount * ownCount * classCount;
    if (this.cells.length < used) this.cells = new Int32Array(used);
    this.cells.fill(0, 0, used);
    const { cells } = this;
    const [firstGroups, secondGroups, ownGroups] = [groups[first]!, groups[second]!, groups[column]!];
    for (let i = 0; i < classes.length; i++) {
      const context = firstGroups[i]! * secondCount + secondGroups[i]!;
      cells[(context * ownCount + ownGroups[i]!) * classCount + classes[i]!]!++;
    }
    return cells;
  }

  /** Keeps the terms of one context; returns their start. */
  private addTerms({ logs }: Ratios, shares: Float64Array): number {
    const { classCounts } = this;
    const classCount = classCounts.length;
    const outputCount = outputCountOf(classCount);
    const terms = new Float32Array(shares.length * outputCount);
    for (let group = 0, from = 0; group < shares.length; group++, from += classCount) {
      if (shares[group] === 0) continue;
      let lowest = Number.POSITIVE_INFINITY;
      for (let k = 0; k < classCount; k++) {
        if (classCounts[k]! > 0 && logs[from + k]! < lowest) lowest = logs[from + k]!;
      }
      // A class without rows must not win where all others have little: it is
      // never likelier than the least likely of them.
      const logOf = (k: number) => (classCounts[k] === 0 ? lowest : logs[from + k]!);
      if (outputCount === 1) terms[group] = logOf(1) - logOf(0);
      else for (let k = 0; k < outputCount; k++) terms[group * outputCount + k] = logOf(k);
    }
    this.blocks.push(terms);
    const offset = this.termCount;
    this.termCount += terms.length;
    return offset;
  }
}

/**
 * The m-estimate, as ratios to p(group): (c / p(group) + m × base) / (n_k + m). Most contexts hold rows of few classes,
 * and the others keep the base's ratio: its logarithm is known.
 */
function backedOff(
  base: Ratios,
  cells: Int32Array,
  classRows: Float64Array,
  shares: Float64Array,
  smoothing: number,
): Ratios {
  const classCount = classRows.length;
  const values = new Float64Array(cells.length);
  const logs = new Float64Array(cells.length);
  for (let group = 0, cell = 0; group < shares.length; group++) {
    const share = shares[group]!;
    for (let k = 0; k < classCount; k++, cell++) {
      const weight = share > 0 ? cells[cell]! / share : 0;
      const known = base.values[cell]!;
      const ratio = (weight + smoothing * known) / (classRows[k]! + smoothing);
      values[cell] = ratio;
      logs[cell] = ratio === known ? base.logs[cell]! : Math.log(ratio);
    }
  }
  return { values, logs };
}

/** The counts of all contexts that share the first parent's group. */
function mergeContexts(cells: Int32Array, from: number, contextCount: number, merged: Int32Array): void {
  merged.fill(0);
  for (let context = 0, cell = from; context < contextCount; context++) {
    for (let at = 0; at < merged.length; at++, cell++) merged[at] = merged[at]! + cells[cell]!;
  }
}
