// Finalists and versions: who qualifies, the order, the ties, and what counts once.
import { describe, expect, test } from "bun:test";
import type { ModelSettings } from "../../../engine/families/algorithms.ts";
import {
  type Contender,
  chooseFinalists,
  FEW_HELD_OUT_ROWS,
  MAX_FINALISTS,
  MAX_VERSIONS,
  rankVersions,
} from "../../../engine/search/ranking.ts";
import { forestOf } from "../../support/forests.ts";

const forest = forestOf({ treeCount: 10, featuresPerSplit: 2, minLeafRows: 1 });
const extraTrees: ModelSettings = { ...forest, variant: "extra-trees" };
const bayes: ModelSettings = { algorithm: "naive Bayes", variant: "plain", smoothing: 1 };
const logistic: ModelSettings = { algorithm: "logistic regression", basis: "smooth", l2: 1, maxIterations: 10 };

let lastAttempt = 0;
function contender(changes: Partial<Contender>): Contender {
  lastAttempt++;
  return {
    attempt: lastAttempt,
    settings: forest,
    outOfFoldLogLoss: 0.5,
    falseDecisions: 10,
    logLoss: 0.5,
    decisions: Uint8Array.of(0, 1, lastAttempt % 2, lastAttempt % 3, lastAttempt % 5, lastAttempt % 7),
    ...changes,
  };
}

describe("finalists", () => {
  test("each family's best and the best extra-trees are among them, however weak", () => {
    const strong = Array.from({ length: 10 }, (_, i) => contender({ outOfFoldLogLoss: 0.1 + i / 100 }));
    const weakest = [
      contender({ settings: bayes, outOfFoldLogLoss: 3 }),
      contender({ settings: logistic, outOfFoldLogLoss: 2 }),
      contender({ settings: extraTrees, outOfFoldLogLoss: 1 }),
    ];
    const finalists = chooseFinalists([...weakest, ...strong]);
    expect(finalists).toHaveLength(MAX_FINALISTS);
    expect(finalists).toEqual([strong[0]!, strong[1]!, strong[2]!, weakest[2]!, weakest[1]!, weakest[0]!]);
  });

  test("the holdout has no say", () => {
    const lucky = contender({ outOfFoldLogLoss: 0.9, falseDecisions: 0 });
    const others = Array.from({ length: 8 }, () => contender({ outOfFoldLogLoss: 0.2, falseDecisions: 50 }));
    expect(chooseFinalists([lucky, ...others])).not.toContain(lucky);
  });

  test("where a stack is expected, none fills the list in its place", () => {
    const strong = Array.from({ length: 4 }, (_, i) => contender({ outOfFoldLogLoss: 0.1 + i / 100 }));
    const other = contender({ settings: bayes, outOfFoldLogLoss: 3 });
    expect(chooseFinalists([...strong, other])).toEqual([...strong, other]);
    expect(chooseFinalists([...strong, other], { expectsStack: true })).toEqual([strong[0]!, other]);
  });

  test("fewer contenders are all finalists", () => {
    const two = [contender({}), contender({ settings: bayes })];
    expect(chooseFinalists(two)).toEqual(two);
    expect(chooseFinalists([])).toEqual([]);
  });
});

describe("where few rows are held out", () => {
  const stack: ModelSettings = {
    algorithm: "stack",
    withMains: false,
    members: [],
    intercepts: [],
    finalIntercepts: [],
  };
  const heldOut = (count: number) => ({ decisions: new Uint8Array(count).fill(1, 0, 1) });

  test("what would rank above the stack is no finalist, so that the stack is the champion", () => {
    const rows = heldOut(FEW_HELD_OUT_ROWS);
    const best = contender({ ...rows, settings: stack, falseDecisions: 5 });
    const lucky = contender({ ...rows, settings: bayes, outOfFoldLogLoss: 0.1, falseDecisions: 4 });
    const equal = contender({ ...rows, settings: logistic, falseDecisions: 5, logLoss: 0.1 });
    expect(chooseFinalists([best, lucky, equal])).toEqual([best, equal]);
    expect(rankVersions([best, equal])[0]).toBe(best);
  });

  test("where a stack was refused, the member that beat it is the champion", () => {
    const row = (at: number) => ({ decisions: Uint8Array.of(at & 1, at >> 1) });
    const member = contender({ ...row(0), settings: bayes, outOfFoldLogLoss: 0.2, hasBeatenStack: true });
    const strong = contender({ ...row(1), settings: bayes, outOfFoldLogLoss: 0.1, falseDecisions: 11 });
    const lucky = contender({ ...row(2), settings: logistic, falseDecisions: 9 });
    const below = contender({ ...row(3), falseDecisions: 12 });
    expect(rankVersions(chooseFinalists([lucky, member, strong, below]))).toEqual([member, strong, below]);
    const best = contender({ ...row(2), settings: stack, falseDecisions: 13 });
    expect(rankVersions(chooseFinalists([lucky, member, strong, below, best]))).toEqual([best]);
  });

  test("for another objective than accuracy the rows of the rarest label count", () => {
    const chosenOf = (rarestRowCount: number) => {
      const rows = { ...heldOut(2_000), rarestRowCount };
      const best = contender({ ...rows, settings: stack, score: 0.6 });
      const lucky = contender({ ...rows, settings: bayes, score: 0.7, falseDecisions: 11 });
      return chooseFinalists([best, lucky]).length;
    };
    expect([chosenOf(FEW_HELD_OUT_ROWS), chosenOf(FEW_HELD_OUT_ROWS + 1)]).toEqual([1, 2]);
  });

  test("on more rows, or where no stack was made, they compete", () => {
    for (const [count, first] of [
      [FEW_HELD_OUT_ROWS + 1, { settings: stack }],
      [FEW_HELD_OUT_ROWS + 1, { settings: logistic, hasBeatenStack: true }],
      [5, { settings: logistic }],
    ] as const) {
      const rows = heldOut(count);
      const both = [contender({ ...rows, ...first }), contender({ ...rows, settings: bayes, falseDecisions: 4 })];
      expect(chooseFinalists(both)).toEqual(both);
    }
  });

  test("those that decide every row alike fill nothing", () => {
    const rows = { ...heldOut(10), falseDecisions: 5 };
    const best = contender({ ...rows, settings: stack });
    const alike = Array.from({ length: 10 }, (_, at) =>
      contender({ ...rows, settings: bayes, logLoss: 0.6 + at / 10 }),
    );
    expect(chooseFinalists([best, ...alike])).toHaveLength(2);
  });

  test("the strongest below the stack fill the versions", () => {
    const row = (at: number) => ({ decisions: Uint8Array.of(...[0, 1, 2, 3].map((bit) => (at >> bit) & 1)) });
    const best = contender({ ...row(1), settings: stack, falseDecisions: 5 });
    const lucky = [forest, extraTrees, bayes, logistic].map((own, at) =>
      contender({ ...row(at + 2), settings: own, falseDecisions: 4 }),
    );
    const below = [0.6, 0.7, 0.8].map((outOfFoldLogLoss, at) =>
      contender({ ...row(at + 6), settings: bayes, outOfFoldLogLoss, falseDecisions: 6 + at }),
    );
    expect(rankVersions(chooseFinalists([...lucky, ...below, best]))).toEqual([best, below[0]!, below[1]!]);
  });
});

describe("versions", () => {
  test("the score of another objective comes before wrong decisions", () => {
    const few = contender({ falseDecisions: 5, score: 0.6 });
    const many = contender({ falseDecisions: 50, score: 0.7 });
    const more = contender({ falseDecisions: 51, score: 0.7 });
    expect(rankVersions([few, more, many])).toEqual([many, more, few]);
  });

  test("fewest wrong decisions first, three at most", () => {
    const four = [7, 3, 9, 5].map((falseDecisions) => contender({ falseDecisions }));
    expect(rankVersions(four).map(({ falseDecisions }) => falseDecisions)).toEqual([3, 5, 7]);
    expect(MAX_VERSIONS).toBe(3);
  });

  test("of equals, one that always answers the same class comes last, whatever its log-loss", () => {
    const constant = contender({ decisions: new Uint8Array(6), logLoss: 0.01 });
    const varied = contender({ logLoss: 0.9 });
    expect(rankVersions([constant, varied])).toEqual([varied, constant]);
    const better = contender({ decisions: new Uint8Array(6), falseDecisions: 9 });
    expect(rankVersions([better, varied])).toEqual([better, varied]);
  });

  test("then the lower log-loss, then the cheaper model, then the earlier attempt", () => {
    const worse = contender({ logLoss: 0.6 });
    const dear = contender({});
    const cheap = contender({ settings: logistic });
    expect(rankVersions([worse, dear, cheap])).toEqual([cheap, dear, worse]);
    const first = contender({});
    const second = contender({});
    expect(rankVersions([second, first])).toEqual([first, second]);
  });

  test("those that decide every row alike count once: the better one", () => {
    const decisions = Uint8Array.of(1, 0, 1, 0, 1, 0);
    const twin = contender({ decisions, logLoss: 0.4 });
    const copy = contender({ decisions, logLoss: 0.3, settings: bayes });
    const other = contender({ falseDecisions: 11 });
    expect(rankVersions([twin, copy, other])).toEqual([copy, other]);
  });
});
