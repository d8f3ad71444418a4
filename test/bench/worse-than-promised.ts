// False calls and rows until a call of the sequential test of labels: the tables "Labels that come later" of
// RESULTS.md. `bun test/bench/worse-than-promised.ts [streams]`
import { Random } from "../../engine/random.ts";
import { logUpperBeta, upperNormal } from "../../engine/statistics/tail-probabilities.ts";
import { judgePromise } from "../../engine/watch/worse-than-promised.ts";

const STREAMS = Number(process.argv[2] ?? 2_000);
/** Streams of each difference. */
const WORSE_STREAMS = 500;
const ROWS = 5_000;
const MOST_ROWS = 20_000;
const ROWS_OF_DAY = 250;
const PROMISES = [0.05, 0.15, 0.3];
const DIFFERENCES = [0.02, 0.03, 0.05, 0.1];
const OWN_PRIOR = 50;
const random = new Random(17);

/** The first row at which a test calls the stream worse; Infinity where it never does. */
type Caller = (promised: number, draw: () => boolean, mostRows: number) => number;

/** A Beta density around the promise as wide as so many rows; null for a uniform one. */
type Prior = number | null;

function logBet(promised: number, prior: Prior, wrong: number, right: number): number {
  const [a, b] = prior === null ? [1, 1] : [prior * promised, prior * (1 - promised)];
  return logUpperBeta(promised, a + wrong, b + right) - logUpperBeta(promised, a, b);
}

/** One bet over all rows, looked at after each. The fewest wrong rows that call, by rows, are found once. */
function oneBet(prior: Prior): Caller {
  const least = new Map<number, Int32Array>();
  return (promised, draw, mostRows) => {
    let bounds = least.get(promised);
    if (bounds === undefined) {
      bounds = new Int32Array(MOST_ROWS + 1);
      for (let rows = 1, wrong = 0; rows <= MOST_ROWS; rows++) {
        while (wrong <= rows && logBet(promised, prior, wrong, rows - wrong) < Math.log(100)) wrong++;
        bounds[rows] = wrong;
      }
      least.set(promised, bounds);
    }
    for (let row = 1, wrong = 0; row <= mostRows; row++) {
      if (draw()) wrong++;
      if (wrong >= bounds[row]!) return row;
    }
    return Number.POSITIVE_INFINITY;
  };
}

/** As shipped: each day begins one more bet; looked at after each row. */
function betsByDay(): Caller {
  const known = new Map<number, Map<number, number>>();
  return (promised, draw, mostRows) => {
    const bets = known.get(promised) ?? new Map<number, number>();
    known.set(promised, bets);
    const bet = (rows: number, wrong: number) => {
      const at = rows * (MOST_ROWS + 1) + wrong;
      let value = bets.get(at);
      if (value === undefined) {
        value = Math.exp(logBet(promised, OWN_PRIOR, wrong, rows - wrong));
        bets.set(at, value);
      }
      return value;
    };
    const wrongBefore = [0];
    for (let row = 1, wrong = 0; row <= mostRows; row++) {
      if (draw()) wrong++;
      const days = wrongBefore.length;
      let evidence = 1 / (days + 1);
      for (let day = 0; day < days; day++) {
        evidence += bet(row - day * ROWS_OF_DAY, wrong - wrongBefore[day]!) / ((day + 1) * (day + 2));
      }
      if (evidence >= 100) return row;
      if (row % ROWS_OF_DAY === 0) wrongBefore.push(wrong);
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

/** Days until a version that was good is called worse, by one bet over all days and as shipped. */
function lateChange(goodDays: number, difference: number): void {
  const [promised, goodShare, mostDays] = [0.17, 0.15, 120];
  const needed = { one: [] as number[], byDay: [] as number[] };
  for (let stream = 0; stream < 100; stream++) {
    const days = Array.from({ length: goodDays + mostDays }, (_, day) => {
      const draw = drawOf(day < goodDays ? goodShare : promised + difference);
      const wrong = Array.from({ length: ROWS_OF_DAY }, draw).filter(Boolean).length;
      return { right: ROWS_OF_DAY - wrong, wrong };
    });
    let [wrong, right] = [0, 0];
    const first = days.findIndex((day) => {
      wrong += day.wrong;
      right += day.right;
      return logBet(promised, OWN_PRIOR, wrong, right) >= Math.log(100);
    });
    needed.one.push(first < 0 ? Number.POSITIVE_INFINITY : first + 1 - goodDays);
    needed.byDay.push((judgePromise(promised, days).since ?? Number.POSITIVE_INFINITY) + 1 - goodDays);
  }
  process.stdout.write(`| ${goodDays} | ${difference} | ${median(needed.one)} | ${median(needed.byDay)} |\n`);
}

const callers: [string, Caller][] = [
  ["one bet, uniform", oneBet(null)],
  ...[10, 20, 50, 100, 200].map((rows): [string, Caller] => [`one bet, ${rows} rows`, oneBet(rows)]),
  [`as shipped, days of ${ROWS_OF_DAY} rows`, betsByDay()],
  ["z-test at 1% after each 50 rows", repeatedTest(50)],
  ["z-test at 1% after each 250 rows", repeatedTest(250)],
];
process.stdout.write(`| promise | test | false calls | ${DIFFERENCES.map((one) => `rows at +${one}`).join(" | ")} |\n`);
for (const promised of PROMISES) for (const [name, call] of callers) line(name, call, promised);
process.stdout.write("\n| good days | then worse by | days, one bet | days, as shipped |\n");
for (const goodDays of [0, 20, 80]) for (const difference of [0.05, 0.1]) lateChange(goodDays, difference);
