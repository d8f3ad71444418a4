// False calls and rows until a call of the sequential test of labels: the tables "Labels that come later" of
// RESULTS.md. `bun test/bench/worse-than-promised.ts [streams]`
import { estimateOf } from "../../engine/judging/estimate.ts";
import { noOutcomes } from "../../engine/outcomes/outcomes.ts";
import { countKinds, promiseOf } from "../../engine/outcomes/promise.ts";
import { judgePromise, type Losses } from "../../engine/outcomes/worse-than-promised.ts";
import { Random } from "../../engine/random.ts";
import { upperNormal } from "../../engine/statistics/tail-probabilities.ts";

const STREAMS = Number(process.argv[2] ?? 2_000);
/** Streams of each difference. */
const WORSE_STREAMS = 500;
const ROWS = 5_000;
const MOST_ROWS = 20_000;
const ROWS_OF_DAY = 250;
const PROMISES = [0.05, 0.15, 0.3];
const DIFFERENCES = [0.02, 0.03, 0.05, 0.1];
const random = new Random(17);

/** The first row at which a test calls the stream worse; Infinity where it never does. */
type Caller = (promised: number, draw: () => boolean, mostRows: number) => number;

const lossesOf = (promised: number): Losses => ({
  excess: [-promised, 1 - promised],
  shares: [1 - promised, promised],
  noticeable: 0.1,
});

/** As shipped, looked at after each batch of so many rows, each of which begins one more bet. */
function inBatches(rowsOfBatch: number): Caller {
  return (promised, draw, mostRows) => {
    const batches: number[][] = [];
    // Batches are judged a few hundred rows at a time: what comes after a call changes nothing.
    for (let rows = 0; rows < mostRows; ) {
      const until = Math.min(mostRows, rows + 1_000);
      for (; rows < until; rows += rowsOfBatch) {
        const wrong = Array.from({ length: rowsOfBatch }, draw).filter(Boolean).length;
        batches.push([rowsOfBatch - wrong, wrong]);
      }
      const { since } = judgePromise(lossesOf(promised), batches);
      if (since !== null) return (since + 1) * rowsOfBatch;
    }
    return Number.POSITIVE_INFINITY;
  };
}

/** The usual test at 1% on all rows so far, after each batch of so many. */
function repeatedTest(batch: number): Caller {
  return (promised, draw, mostRows) => {
    for (let row = 1, wrong = 0; row <= mostRows; row++) {
      if (draw()) wrong++;
      if (row % batch > 0) continue;
      const z = (wrong - row * promised) / Math.sqrt(row * promised * (1 - promised));
      if (upperNormal(z) < 0.01) return row;
    }
    return Number.POSITIVE_INFINITY;
  };
}

const drawOf = (share: number) => () => random.nextFloat() < share;

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}

function line(name: string, call: Caller, promised: number): void {
  let called = 0;
  for (let i = 0; i < STREAMS; i++) if (call(promised, drawOf(promised), ROWS) <= ROWS) called++;
  const needed = DIFFERENCES.map((difference) =>
    median(Array.from({ length: WORSE_STREAMS }, () => call(promised, drawOf(promised + difference), MOST_ROWS))),
  );
  process.stdout.write(`| ${promised} | ${name} | ${(called / STREAMS).toFixed(4)} | ${needed.join(" | ")} |\n`);
}

/** Days until a version that was good is called worse. */
function lateChange(goodDays: number, difference: number): void {
  const [promised, goodShare, mostDays] = [0.17, 0.15, 120];
  const needed = Array.from({ length: 100 }, () => {
    const days = Array.from({ length: goodDays + mostDays }, (_, day) => {
      const draw = drawOf(day < goodDays ? goodShare : promised + difference);
      const wrong = Array.from({ length: ROWS_OF_DAY }, draw).filter(Boolean).length;
      return [ROWS_OF_DAY - wrong, wrong];
    });
    return (judgePromise(lossesOf(promised), days).since ?? Number.POSITIVE_INFINITY) + 1 - goodDays;
  });
  process.stdout.write(`| ${goodDays} | ${difference} | ${median(needed)} |\n`);
}

/**
 * A model of costs (1 and 10) and one of balanced accuracy (a label of 6%) whose decisions are as promised, or worse;
 * days of 250 rows: how many are called, and the median of rows until the call.
 */
function otherObjectives(): void {
  const confusion = [
    [8_930, 470],
    [120, 480],
  ];
  const costs = [
    [0, 1],
    [10, 0],
  ];
  const later: [string, number[][]][] = [
    ["as confirmed", confusion],
    ["a tenth more of the rare label missed", [confusion[0]!, [180, 420]]],
    [
      "half as many again of both mistakes",
      [
        [8_695, 705],
        [180, 420],
      ],
    ],
    [
      "all of the rare label missed",
      [
        [9_400, 0],
        [600, 0],
      ],
    ],
    [
      "twice as many rare labels, as often missed",
      [
        [8_360, 440],
        [240, 960],
      ],
    ],
  ];
  for (const objective of ["balanced-accuracy", "f1", "cost"] as const) {
    const aim = { objective, costs: objective === "cost" ? costs : null };
    const confirmed = { ...estimateOf(aim, confusion), confusion };
    const optimised = { objective, score: confirmed.mean, ...(aim.costs !== null && { costs }), confirmed };
    const lineage = { performance: { confirmedPerformance: null, optimised } };
    const promised = promiseOf({ labels: ["ok", "scrap"], lineage })!;
    for (const [name, shares] of later) {
      const chances = shares.flat().map((count) => count / 10_000);
      const needed = Array.from({ length: WORSE_STREAMS }, () => {
        const days = Array.from({ length: MOST_ROWS / ROWS_OF_DAY }, () => {
          const counts = noOutcomes(2);
          for (let row = 0; row < ROWS_OF_DAY; row++) {
            let at = random.nextFloat();
            const cell = Math.max(
              0,
              chances.findIndex((chance) => {
                at -= chance;
                return at < 0;
              }),
            );
            counts.confusion[cell >> 1]![cell & 1]!++;
          }
          return countKinds(promised, counts);
        });
        return ((judgePromise(promised.losses, days).since ?? Number.POSITIVE_INFINITY) + 1) * ROWS_OF_DAY;
      });
      const called = needed.filter(Number.isFinite).length / WORSE_STREAMS;
      process.stdout.write(`| ${objective} | ${name} | ${called.toFixed(3)} | ${median(needed)} |\n`);
    }
  }
}

const callers: [string, Caller][] = [
  ["as shipped, days of 50 rows", inBatches(50)],
  [`as shipped, days of ${ROWS_OF_DAY} rows`, inBatches(ROWS_OF_DAY)],
  ["z-test at 1% after each 50 rows", repeatedTest(50)],
  ["z-test at 1% after each 250 rows", repeatedTest(250)],
];
process.stdout.write(`| promise | test | false calls | ${DIFFERENCES.map((one) => `rows at +${one}`).join(" | ")} |\n`);
for (const promised of PROMISES) for (const [name, call] of callers) line(name, call, promised);
process.stdout.write("\n| good days | then worse by | days |\n");
for (const goodDays of [0, 20, 80]) for (const difference of [0.05, 0.1]) lateChange(goodDays, difference);
process.stdout.write("\n| objective | decisions | called | rows |\n");
otherObjectives();
