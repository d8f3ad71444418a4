// Growing a forest tree by tree, with the votes of each tree on the rows that it did not see.
import { deriveSeed, Random } from "../random.ts";
import { throwIfCancelled } from "../stop-signal.ts";
import type { FitInput } from "./family.ts";
import type { Forest, ForestSettings } from "./forest.ts";
import { MAX_TOTAL_WEIGHT } from "./forest-marks.ts";
import { noTrees, packForest, type Trees } from "./forest-nodes.ts";
import {
  type BalancedDraw,
  balancedDraw,
  drawBalanced,
  drawBootstrap,
  drawSample,
  trainingMatrix,
} from "./forest-rows.ts";
import { PRESENT_LEFT } from "./forest-search.ts";
import { growTree, newTreeGrowth, type TreeGrowth } from "./forest-tree.ts";

/** Scores of the rows learned from, each by the trees that did not see it. */
export interface OutOfBag {
  /** `classCount` probabilities for each of `input.rows`, in their order. */
  probabilities: Float64Array;
  /** How many trees voted for each row; a row without votes has the class shares of all rows. */
  votes: Uint32Array;
}

/** Whether rows that a tree did not see are sent down it: what `outOfBag` needs, and nobody else. */
type Voting = "votes" | "no votes";

/** Feature indexes are stored in two bytes. */
const MAX_FEATURES = 65_535;
/** Share of the rows that an extra-tree may see where its votes on the others are wanted. */
const SAMPLE_SHARE = 0.8;
/** Parts of seeds: trees of the model, and trees that only vote. */
const MODEL_TREE = 0;
const VOTING_TREE = 1;

/**
 * Grows random forests (Breiman 2001) and extremely randomized trees (Geurts, Ernst, Wehenkel 2006) on bucket codes.
 * Tree i depends only on the input and on i, so growing in steps gives the same bytes as growing at once.
 */
export class ForestGrower {
  private readonly input: FitInput;
  readonly settings: ForestSettings;
  private readonly voting: Voting;
  private readonly growth: TreeGrowth;
  /** Draws of each class, where all are drawn alike. */
  private readonly balance: BalancedDraw | null;
  private readonly trees: Trees;
  private readonly roots: number[] = [];
  private readonly firstTree: number;
  private readonly summedGains: Float64Array;
  /** Holds one tree at a time. */
  private readonly votingTrees: Trees;
  private votingTreeCount = 0;
  /** Class shares that each row got from trees that did not see it, summed, and the number of these trees. */
  private readonly sums: Float64Array;
  private readonly votes: Uint32Array;

  /**
   * Without votes, trees are the same and cost less, and `outOfBag` has nothing to tell. With `firstTree`, growth begins there:
   * so that threads can share the trees of one forest.
   */
  constructor(input: FitInput, settings: ForestSettings, voting: Voting = "votes", firstTree = 0) {
    checkArguments(input, settings);
    this.input = input;
    this.settings = settings;
    this.voting = voting;
    this.firstTree = firstTree;
    this.summedGains = new Float64Array(input.view.features.length);
    this.trees = noTrees(input.classCount);
    this.votingTrees = noTrees(input.classCount);
    const matrix = trainingMatrix(input);
    this.balance = settings.balanced === true ? balancedDraw(matrix) : null;
    this.growth = newTreeGrowth(matrix, settings, input.stop);
    const voterCount = voting === "votes" ? input.rows.length : 0;
    this.sums = new Float64Array(voterCount * input.classCount);
    this.votes = new Uint32Array(voterCount);
  }

  get treeCount(): number {
    return this.roots.length;
  }

  /** Adds trees until there are `treeCount`; when time is up, keeps the finished ones, at least one. Throws `Cancelled`. */
  growTo(treeCount: number): void {
    const rowCount = this.input.rows.length;
    const drawCount = Math.min(rowCount, this.settings.rowsPerTree ?? rowCount);
    while (this.roots.length < treeCount) {
      const takesVotes = this.voting === "votes" && !this.needsVotingTrees();
      const root = this.addTree(this.trees, MODEL_TREE, this.roots.length, drawCount, takesVotes);
      if (root < 0) return;
      this.roots.push(root);
      this.addGains();
      if (takesVotes) this.takeVotes(this.trees);
    }
  }

  /** The trees so far, as a copy of their own. */
  forest(): Forest {
    return packForest(this.trees, this.roots, this.input.view.features.length, this.input.classCount);
  }

  /**
   * Gini decrease of all splits of the trees so far by feature (Breiman 2001), in rows: at each split the weight of its node
   * times how far it lowers the mean impurity, summed tree by tree. Trees that only vote do not count.
   */
  gains(): Float64Array {
    return this.summedGains.slice();
  }

  /**
   * Votes of the trees so far on the rows that each did not see. Extra-trees that see more than 80% of the rows leave too few
   * to vote on: half as many further trees, each on 80% of the rows, are grown here for their votes alone, under the same
   * rules of time and cancellation.
   */
  outOfBag(): OutOfBag {
    if (this.voting === "no votes") throw new Error("this forest was grown without votes");
    if (this.needsVotingTrees()) this.growVotingTrees();
    return { probabilities: this.meanVotes(), votes: this.votes.slice() };
  }

  private addGains(): void {
    const { gains } = this.growth;
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
    while (this.votingTreeCount * 2 < this.roots.length) {
      const root = this.addTree(this.votingTrees, VOTING_TREE, this.votingTreeCount, sampleCount, true);
      if (root < 0) return;
      this.votingTreeCount++;
      this.takeVotes(this.votingTrees);
      this.votingTrees.nodes.count = 0;
    }
  }

  /** Grows one tree and returns its root, or -1 when time is up and another of its kind stands. */
  private addTree(trees: Trees, kind: number, index: number, drawCount: number, takesVotes: boolean): number {
    const { stop, seed } = this.input;
    throwIfCancelled(stop);
    const mayStop = index > 0;
    if (mayStop && stop.timeIsUp()) return -1;
    const tree = kind === MODEL_TREE ? this.firstTree + index : index;
    const random = new Random(deriveSeed(seed, kind, tree));
    if (this.balance !== null) drawBalanced(this.growth.drawn, drawCount, this.balance, random);
    else if (this.settings.variant === "forest") drawBootstrap(this.growth.drawn, drawCount, random);
    else drawSample(this.growth.drawn, drawCount, random);
    return growTree(this.growth, trees, random, mayStop, takesVotes);
  }

  private takeVotes({ leaves }: Trees): void {
    const { drawn, leafOfOther } = this.growth;
    const { sums, votes } = this;
    const { classCount } = this.input;
    for (let row = 0; row < votes.length; row++) {
      if (drawn[row]! > 0) continue;
      votes[row] = votes[row]! + 1;
      leaves.addTo(sums, row * classCount, leafOfOther[row]!);
    }
  }

  private meanVotes(): Float64Array {
    const { input, sums, votes } = this;
    const { rows, classes, classCount } = input;
    const shares = new Float64Array(classCount);
    for (const row of rows) shares[classes[row]!] = shares[classes[row]!]! + 1 / rows.length;
    const probabilities = new Float64Array(sums.length);
    for (let row = 0; row < rows.length; row++) {
      const voteCount = votes[row]!;
      const start = row * classCount;
      for (let k = 0; k < classCount; k++) {
        probabilities[start + k] = voteCount > 0 ? sums[start + k]! / voteCount : shares[k]!;
      }
    }
    return probabilities;
  }
}

/** Throws RangeError for what no caller may ask. */
function checkArguments(input: FitInput, settings: ForestSettings): void {
  const { rows, view } = input;
  const { featuresPerSplit, minLeafRows, maxDepth, rowsPerTree } = settings;
  if (rows.length < 1 || rows.length > MAX_TOTAL_WEIGHT) throw new RangeError(`a forest on ${rows.length} rows`);
  if (view.features.length > MAX_FEATURES) throw new RangeError(`a forest on ${view.features.length} features`);
  if (view.features.some((feature) => feature.codeCount > PRESENT_LEFT))
    throw new RangeError("too many codes for a forest");
  for (const count of [featuresPerSplit, minLeafRows, rowsPerTree ?? 1, maxDepth ?? 1]) {
    if (!(count >= 1)) throw new RangeError(`a forest setting of ${count}`);
  }
}
