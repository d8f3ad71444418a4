// Growing a forest tree by tree, and the votes of each tree on the rows that it did not see.

import type { FitInput } from "../fitting/family.ts";
import { deriveSeed, Random } from "../random.ts";
import { throwIfCancelled } from "../stop-signal.ts";
import type { LabelledRows } from "../table/table.ts";
import type { Forest, ForestSettings } from "./forest.ts";
import { ForestKernel } from "./forest-kernel.ts";
import { drawBootstrap, drawSample } from "./forest-rows.ts";
import { type GrownTree, joinTrees } from "./grown-trees.ts";

/** Whether each tree votes on the rows that it did not see; only `outOfBag` needs that. */
type Voting = "votes" | "no votes";

/** Share of the rows that an extra-tree may see if it is to vote on the others. */
const SAMPLE_SHARE = 0.8;
/** Second parts of seeds: for trees of the model, and for trees that only vote. */
const MODEL_TREE = 0;
const VOTING_TREE = 1;
/** Trees of the model for each that only votes. */
const VOTED_TREES = 2;

/**
 * Grows random forests (Breiman 2001) and extremely randomized trees (Geurts, Ernst, Wehenkel 2006) on bucket codes.
 * Tree i depends only on the input and on i, so growing in steps gives the same bytes as growing at once.
 */
export class ForestGrower {
  private readonly input: FitInput;
  readonly settings: ForestSettings;
  private readonly voting: Voting;
  private readonly kernel: ForestKernel;
  private readonly trees: GrownTree[] = [];
  private readonly firstTree: number;
  private readonly summedGains: Float64Array;
  private votingTreeCount = 0;
  /** Whether the current tree may be dropped when time is up, because enough others of its kind are finished. */
  private mayDropTree = false;
  private leastTrees = 1;
  /** The class shares that each row got from trees that did not see it, summed, and the number of these trees. */
  private readonly sums: Float64Array;
  private readonly votes: Uint32Array;

  /**
   * Without votes the trees are the same and cost less, but there is no `outOfBag`. Growth begins at tree `firstTree`,
   * so that threads can share the trees of one forest.
   */
  constructor(input: FitInput, settings: ForestSettings, voting: Voting = "votes", firstTree = 0) {
    this.input = input;
    this.settings = settings;
    this.voting = voting;
    this.firstTree = firstTree;
    this.summedGains = new Float64Array(input.view.features.length);
    this.kernel = new ForestKernel(input, settings, () => this.shouldDropTree());
    const voterCount = voting === "votes" ? input.rows.length : 0;
    this.sums = new Float64Array(voterCount * input.classCount);
    this.votes = new Uint32Array(voterCount);
  }

  get treeCount(): number {
    return this.trees.length;
  }

  /**
   * Adds trees until there are `treeCount`; when time is up, keeps the finished ones, at
   * least `leastTrees` of each kind. Throws `Cancelled`.
   */
  growTo(treeCount: number, leastTrees = 1): void {
    this.leastTrees = leastTrees;
    const rowCount = this.input.rows.length;
    const drawCount = Math.min(rowCount, this.settings.rowsPerTree ?? rowCount);
    while (this.trees.length < treeCount) {
      const takesVotes = this.voting === "votes" && !this.needsVotingTrees();
      const nodeCount = this.growTree(MODEL_TREE, this.trees.length, drawCount, takesVotes);
      if (nodeCount < 0) return;
      this.trees.push(this.kernel.nodes(nodeCount));
      this.addGains();
      if (takesVotes) this.takeVotes();
    }
  }

  /** The trees so far, as a copy of their own. */
  forest(): Forest {
    const { view, classCount } = this.input;
    return {
      kind: "forest",
      classCount,
      featureCount: view.features.length,
      ...joinTrees(this.trees),
      distributions: this.kernel.leafShares().slice(),
    };
  }

  /** Leaves its memory to the next forest. Call once, and nothing afterwards. */
  release(): void {
    this.kernel.giveBack();
  }

  /**
   * Gini decrease of all splits of the trees so far by feature (Breiman 2001), in rows: at each split the weight of its
   * node times how far it lowers the mean impurity, summed tree by tree. Trees that only vote do not count.
   */
  gains(): Float64Array {
    return this.summedGains.slice();
  }

  /**
   * Votes of the trees so far on the rows that each did not see. Extra-trees that see more than 80% of the rows leave
   * too few rows to vote on. For them this grows half as many further trees, each on 80% of the rows, only for their
   * votes; the same rules of time and cancellation apply. Returns `classCount` probabilities for each of `input.rows`,
   * in their order; a row without votes has the class shares of all rows.
   */
  outOfBag(): Float64Array {
    return meanVotes(this.input, this.outOfBagVotes());
  }

  /** The votes behind `outOfBag`, as they are so far. */
  outOfBagVotes(): Votes {
    if (this.needsVotingTrees()) this.growVotingTrees();
    return { sums: this.sums, counts: this.votes };
  }

  private addGains(): void {
    const gains = this.kernel.gains();
    for (let feature = 0; feature < gains.length; feature++) {
      this.summedGains[feature] = this.summedGains[feature]! + gains[feature]!;
    }
  }

  private needsVotingTrees(): boolean {
    const { rowsPerTree, variant } = this.settings;
    const rowCount = this.input.rows.length;
    return variant === "extra-trees" && (rowsPerTree ?? rowCount) > SAMPLE_SHARE * rowCount;
  }

  private growVotingTrees(): void {
    const sampleCount = Math.max(1, Math.floor(SAMPLE_SHARE * this.input.rows.length));
    while (this.votingTreeCount * VOTED_TREES < this.trees.length) {
      const { leafCount } = this.kernel;
      if (this.growTree(VOTING_TREE, this.votingTreeCount, sampleCount, true) < 0) return;
      this.votingTreeCount++;
      this.takeVotes();
      this.kernel.dropLeavesFrom(leafCount);
    }
  }

  /**
   * Grows one tree and returns its number of nodes, or -1 when time is up and enough others of its kind are finished.
   */
  private growTree(kind: number, index: number, drawCount: number, takesVotes: boolean): number {
    const { stop, seed } = this.input;
    throwIfCancelled(stop);
    this.mayDropTree = index >= this.leastTrees;
    if (this.mayDropTree && stop.timeIsUp()) return -1;
    const tree = index + (kind === MODEL_TREE ? this.firstTree : Math.ceil(this.firstTree / VOTED_TREES));
    const random = new Random(deriveSeed(seed, kind, tree));
    this.drawRows(drawCount, random);
    return this.kernel.grow(random, takesVotes);
  }

  private drawRows(drawCount: number, random: Random): void {
    const drawn = this.kernel.drawn();
    if (this.settings.variant === "forest") drawBootstrap(drawn, drawCount, random);
    else drawSample(drawn, drawCount, random);
  }

  private shouldDropTree(): boolean {
    throwIfCancelled(this.input.stop);
    return this.mayDropTree && this.input.stop.timeIsUp();
  }

  private takeVotes(): void {
    const { sums, votes, kernel } = this;
    const { classCount } = this.input;
    const drawn = kernel.drawn();
    const leafOfOther = kernel.leafOfOther();
    const shares = kernel.leafShares();
    for (let row = 0; row < votes.length; row++) {
      if (drawn[row]! > 0) continue;
      votes[row] = votes[row]! + 1;
      const start = row * classCount;
      const leaf = leafOfOther[row]! * classCount;
      for (let k = 0; k < classCount; k++) sums[start + k] = sums[start + k]! + shares[leaf + k]!;
    }
  }
}

/** Votes on rows by trees that did not see them. */
export interface Votes {
  /** Class shares that each row got, summed. */
  sums: Float64Array;
  /** How many trees voted on each row. */
  counts: Uint32Array;
}

/** Class probabilities by votes; a row without any has the class shares of all rows. */
export function meanVotes({ rows, classes, classCount }: LabelledRows, { sums, counts }: Votes): Float64Array {
  const shares = new Float64Array(classCount);
  for (const row of rows) shares[classes[row]!] = shares[classes[row]!]! + 1 / rows.length;
  const probabilities = new Float64Array(sums.length);
  for (let row = 0; row < rows.length; row++) {
    const voteCount = counts[row]!;
    const start = row * classCount;
    for (let k = 0; k < classCount; k++) {
      probabilities[start + k] = voteCount > 0 ? sums[start + k]! / voteCount : shares[k]!;
    }
  }
  return probabilities;
}
