// Why an attempt is no finalist: the reason holds whatever the attempts are, with the choice itself as the oracle.

import { expect, test } from "bun:test";
import fc from "fast-check";
import type { AttemptRecord } from "../../../data/database/records.ts";
import { familyOf, type ModelSettings } from "../../../engine/families/algorithms.ts";
import { chooseFinalists, rankVersions } from "../../../engine/search/ranking.ts";
import { publishedSettings } from "../../../src/training/attempt-summary.ts";
import { withReasons } from "../../../src/words/finalists.ts";
import { attemptsOf } from "../../support/summary-parts.ts";

const forest = { algorithm: "forest", treeCount: 10, featuresPerSplit: 2, minLeafRows: 1, maxDepth: null } as const;
const SETTINGS: ModelSettings[] = [
  { ...forest, variant: "forest", rowsPerTree: null },
  { ...forest, variant: "extra-trees", rowsPerTree: null },
  { algorithm: "naive Bayes", variant: "plain", smoothing: 1 },
  { algorithm: "logistic regression", basis: "smooth", l2: 1, maxIterations: 10 },
  { algorithm: "stack", withMains: false, members: [] } as unknown as ModelSettings,
];

const drawn = fc.array(
  fc.record({
    settings: fc.constantFrom(...SETTINGS),
    loss: fc.integer({ min: 1, max: 12 }).map((loss) => loss / 20),
    hasBeatenStack: fc.boolean(),
  }),
  { minLength: 1, maxLength: 14 },
);

/** The attempts of a run as its report has them. */
function runOf(
  attempts: readonly { settings: ModelSettings; loss: number; hasBeatenStack: boolean }[],
): AttemptRecord[] {
  const contenders = attempts.map(({ settings, loss, hasBeatenStack }, at) => ({
    ...{ attempt: at + 1, settings, outOfFoldLogLoss: loss, falseDecisions: at, logLoss: loss },
    ...{ decisions: Uint8Array.of(at), hasBeatenStack: hasBeatenStack && settings.algorithm !== "stack" },
  }));
  const chosen = chooseFinalists(contenders);
  const finalists = new Set(chosen.map(({ attempt }) => attempt));
  const versions = rankVersions(chosen).map(({ attempt }) => attempt);
  const versionOf = (attempt: number) => (versions.includes(attempt) ? versions.indexOf(attempt) + 1 : null);
  const [model] = attemptsOf([10], 1_000);
  return contenders.map(({ attempt, settings, outOfFoldLogLoss }) => ({
    ...model!,
    ...{ attempt, family: familyOf(settings), settings: publishedSettings(settings, "fine"), outOfFoldLogLoss },
    ...{ finalist: finalists.has(attempt), version: versionOf(attempt), falseDecisions: attempt - 1 },
  }));
}

test("names attempts that are no worse out of fold: two stacks before a stack, one of the family before any other", () => {
  fc.assert(
    fc.property(drawn, (attempts) => {
      const run = runOf(attempts);
      const told = withReasons(run);
      for (const [at, { finalist, note, outOfFoldLogLoss, settings, family }] of told.entries()) {
        if (finalist) {
          expect(note).toBe(run[at]!.note);
          continue;
        }
        const lucky = /^no finalist: only few held-out rows put it above attempt (\d+)$/.exec(note!);
        if (lucky !== null) {
          const leader = run[Number(lucky[1]) - 1]!;
          expect("attemptsWeighed" in leader.settings || leader.version === 1).toBeTrue();
          expect(leader.finalist).toBeTrue();
          expect(at + 1).toBeLessThan(leader.attempt);
          continue;
        }
        const isStack = "attemptsWeighed" in settings;
        const named = (/ attempts? (\d+)(?: and (\d+))?/.exec(note!) ?? [])
          .slice(1)
          .flatMap((number) => (number === undefined ? [] : [run[Number(number) - 1]!]));
        expect(named).toHaveLength(isStack ? 2 : 1);
        const [numbers, losses] = [
          named.map(({ attempt }) => attempt).join(" and "),
          named.map((other) => other.outOfFoldLogLoss!.toFixed(3)).join(" and "),
        ];
        const others = isStack ? `attempts ${numbers} have` : `attempt ${numbers} of its family has`;
        expect(note).toBe(
          `no finalist: out of fold its log-loss is ${outOfFoldLogLoss!.toFixed(3)}; ${others} ${losses}`,
        );
        const isAlike = (other: AttemptRecord) =>
          isStack === "attemptsWeighed" in other.settings && (isStack || other.family === family);
        const before = told.filter((other) => isAlike(other) && other.outOfFoldLogLoss! <= outOfFoldLogLoss!);
        // Few held-out rows may have left them out as well.
        const isFinalist = before.some((other) => other.finalist);
        for (const better of named) {
          expect(better.finalist).toBe(isFinalist);
          expect(better.outOfFoldLogLoss!).toBeLessThanOrEqual(outOfFoldLogLoss!);
          expect(isAlike(better)).toBeTrue();
        }
      }
    }),
  );
});

test("leaves what is said already, what did not finish, and libraries as they are", () => {
  const [first] = attemptsOf([10], 1_000);
  const others: AttemptRecord[] = [
    { ...first!, finalist: false, note: "ended after the first fold" },
    { ...first!, finalist: false, status: "failed", outOfFoldLogLoss: null },
    { ...first!, finalist: false, role: "library baseline" },
  ];
  expect(withReasons(others)).toEqual(others);
});
