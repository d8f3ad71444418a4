// Building Bayesian networks from counts: terms under two parents, backed
// off to one, to none, and to the overall shares.

import { concatenate, enlarged } from "../concatenate.ts";
import { countClasses, gatherClasses } from "../fitting/class-counts.ts";
import { type CoarseColumns, gatherGroups } from "../fitting/coarse-columns.ts";
import type { FitInput } from "../fitting/family.ts";
import { outputCountOf } from "../fitting/score-tables.ts";
import { throwIfCancelled } from "../stop-signal.ts";
import { UNSEEN_CODE } from "../table/buckets.ts";
import { type BayesNetworks, contextStarts, type Pooling, parentGroups } from "./bayes-networks.ts";
import { BackedOffEstimate, openRatios, type Ratios } from "./context-ratios.ts";
import type { NetworkNode } from "./network-structures.ts";

export interface BackOff {
  /** Rows' worth of the probability with one parent less that each context gets: the m of the m-estimate. */
  smoothing: number;
  /** A context with fewer fit rows counts as unseen. */
  leastRows: number;
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
  private readonly hasEmptyClass: boolean;
  private readonly estimate: BackedOffEstimate;
  private readonly classes: Uint8Array;
  /** Groups of the fit rows, column after column, then zeros for no parent. */
  private readonly groups: readonly Uint8Array[];
  private readonly plain: readonly ColumnRatios[];
  private readonly memberStarts: number[] = [0];
  private readonly nodes: NetworkNode[] = [];
  private readonly contexts: Uint32Array[] = [];
  /** Terms, with room for more. */
  private terms = new Float32Array(1024);
  private cells = new Int32Array(0);

  constructor(input: FitInput, columns: CoarseColumns, backOff: BackOff) {
    this.input = input;
    this.columns = columns;
    this.backOff = backOff;
    this.classCounts = countClasses(input);
    this.hasEmptyClass = this.classCounts.includes(0);
    this.estimate = new BackedOffEstimate(input.classCount, backOff.smoothing);
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
      terms: this.terms.slice(0, this.termCount),
    };
  }

  private fitPlain(column: number): ColumnRatios {
    const { classCount, rows } = this.input;
    const noParent = this.columns.features.length;
    const groupCount = this.columns.groupCounts[column]!;
    const cells = this.countCells({ column, first: noParent, second: noParent }).slice(0, groupCount * classCount);
    const shares = new Float64Array(groupCount);
    for (let cell = 0; cell < cells.length; cell++) shares[Math.floor(cell / classCount)]! += cells[cell]!;
    for (let group = 0; group < groupCount; group++) {
      const isKnown = group !== UNSEEN_CODE && shares[group]! > 0;
      shares[group] = isKnown ? (shares[group]! + 1) / (rows.length + groupCount - 1) : 0;
    }
    const alike = openRatios(cells.length);
    alike.values.fill(1);
    const ratios = openRatios(cells.length);
    this.estimate.write(alike, cells, 0, shares, ratios);
    return { ratios, shares, offset: this.addTerms(ratios, shares) };
  }

  /** The start of the terms under each combination of the parents' groups. */
  private fitNode(node: NetworkNode): Uint32Array {
    const { columns, plain } = this;
    const { ratios, shares, offset } = plain[node.column]!;
    const noParent = columns.features.length;
    const firstCount = parentGroups(columns, node.first);
    const secondCount = parentGroups(columns, node.second);
    const contexts = new Uint32Array(firstCount * secondCount).fill(offset);
    if (node.first === noParent) return contexts;
    const size = ratios.values.length;
    const cells = this.countCells(node);
    const merged = new Int32Array(size);
    const rowCounts = new Int32Array(secondCount);
    const ofOne = openRatios(size);
    const ofTwo = openRatios(size);
    for (let a = 0; a < firstCount; a++) {
      const from = a * secondCount;
      if (!this.isKnown(a, mergeContexts(cells, from * size, merged, rowCounts))) continue;
      this.estimate.write(ratios, merged, 0, shares, ofOne);
      contexts.fill(this.addTerms(ofOne, shares), from, from + secondCount);
      if (node.second === noParent) continue;
      for (let b = 0; b < secondCount; b++) {
        if (!this.isKnown(b, rowCounts[b]!)) continue;
        this.estimate.write(ofOne, cells, (from + b) * size, shares, ofTwo);
        contexts[from + b] = this.addTerms(ofTwo, shares);
      }
    }
    return contexts;
  }

  private isKnown(group: number, rowCount: number): boolean {
    return group !== UNSEEN_CODE && rowCount >= Math.max(1, this.backOff.leastRows);
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
    const { classCount } = this.input;
    const outputCount = outputCountOf(classCount);
    const offset = this.termCount;
    const end = offset + shares.length * outputCount;
    if (end > this.terms.length) this.terms = enlarged(this.terms, end);
    const { terms } = this;
    if (this.hasEmptyClass) this.raiseEmptyClasses(logs);
    if (outputCount === 1) {
      for (let group = 0; group < shares.length; group++)
        terms[offset + group] = logs[2 * group + 1]! - logs[2 * group]!;
    } else terms.set(logs, offset);
    for (let group = 0; group < shares.length; group++) {
      const from = offset + group * outputCount;
      if (shares[group] === 0) terms.fill(0, from, from + outputCount);
    }
    this.termCount = end;
    return offset;
  }

  /** A class without rows must not win where all others have little: it gets what the least likely of them has. */
  private raiseEmptyClasses(logs: Float64Array): void {
    const { classCounts } = this;
    for (let from = 0; from < logs.length; from += classCounts.length) {
      const ofContext = logs.subarray(from, from + classCounts.length);
      const lowest = ofContext.reduce(
        (least, log, k) => (classCounts[k]! > 0 ? Math.min(least, log) : least),
        Number.POSITIVE_INFINITY,
      );
      for (const [k, count] of classCounts.entries()) if (count === 0) ofContext[k] = lowest;
    }
  }
}

/** The counts of all contexts that share the first parent's group; returns their rows, and writes those of each. */
function mergeContexts(cells: Int32Array, from: number, merged: Int32Array, rowCounts: Int32Array): number {
  merged.fill(0);
  let total = 0;
  for (let context = 0, cell = from; context < rowCounts.length; context++) {
    let rowCount = 0;
    for (let at = 0; at < merged.length; at++, cell++) {
      merged[at] = merged[at]! + cells[cell]!;
      rowCount += cells[cell]!;
    }
    rowCounts[context] = rowCount;
    total += rowCount;
  }
  return total;
}
