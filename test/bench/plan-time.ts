// Where a plan spends the processor's time: each attempt's seconds beside
// what it is worth, then confirmations and refits.
// Usage: bun test/bench/plan-time.ts [CSV-FILE…] [--seeds N] [--attempts N] [--brief] [--plan-only] [--no-early-end]
//   Without files: 10,000 drawn rows of 12 numbers and 8 categories. --seeds: other holdouts of the same table, one run each.
//   --no-early-end: every attempt is taken through all folds.
// Everything runs on one thread of one process; the holdout chooses nothing but
// versions, so what the stack makes of it is told too.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { algorithmName } from "../../engine/families/algorithms.ts";
import type { BaseModel } from "../../engine/families/base-algorithms.ts";
import { deriveSeed, Random } from "../../engine/random.ts";
import { planAttempts } from "../../engine/search/attempts.ts";
import { openTraining } from "../../engine/search/open-training.ts";
import { chooseFinalists, rankVersions } from "../../engine/search/ranking.ts";
import { basesOf, confirm, type FoundSettings } from "../../engine/search/refit.ts";
import { type StackBase, stackPositions } from "../../engine/search/stack-votes.ts";
import { isBase, type TrainingTask } from "../../engine/search/training-task.ts";
import { confirmingParts } from "../../engine/splits/holdout.ts";
import { neverStop } from "../../engine/stop-signal.ts";
import type { Table } from "../../engine/table/table.ts";
import type { AttemptAnswer } from "../../workers/messages.ts";
import { readTable } from "../../workers/reading/read-table.ts";
import { runAttempt, runFit, runStack } from "../../workers/train.ts";
import { fitWholeStack } from "../support/stack-fits.ts";
import { drawNormal } from "./noisy-tables.ts";

const BUCKETS = 20;
const DRAWN_ROWS = 10_000;
const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: "string", default: "1" },
    attempts: { type: "string", default: "20" },
    brief: { type: "boolean", default: false },
    "plan-only": { type: "boolean", default: false },
    "no-early-end": { type: "boolean", default: false },
  },
});

const folder = mkdtempSync(join(tmpdir(), "cupel-plan-"));
try {
  const drawn = join(folder, "drawn.csv");
  if (positionals.length === 0) writeFileSync(drawn, drawTable());
  for (const path of positionals.length === 0 ? [drawn] : positionals) {
    const { table } = readTable({ path, label: null, missingMarkers: null }, neverStop);
    for (let seed = 1; seed <= Number(flags.seeds); seed++) timePlan(basename(path, ".csv"), table, seed);
  }
} finally {
  rmSync(folder, { recursive: true });
}

function timePlan(name: string, table: Table, seed: number): void {
  const task = openTask(table, seed);
  const plan = planAttempts({
    learningRowCount: task.split.learning.length,
    featureCount: table.features.length,
    classCount: table.labels.length,
    numberOfBuckets: BUCKETS,
    scalingFactor: Number(flags.attempts) - 1,
    hasStacks: stackPositions(task) !== null,
    tunesWeights: false,
    seed,
  }).map((spec) => ({ ...spec, isWeak: spec.isWeak && !flags["no-early-end"] }));
  const done: { spec: (typeof plan)[number]; answer: AttemptAnswer; seconds: number }[] = [];
  // In the order of a run: those that may end early beside all others, and stacks last.
  const bases = plan.filter(isBase);
  const strong = bases.filter(({ isWeak }) => !isWeak);
  const weak = bases.filter(({ isWeak }) => isWeak);
  for (const spec of [...strong, ...weak, ...plan.filter((other) => !isBase(other))]) {
    const start = cpuSeconds();
    const answer = isBase(spec)
      ? runAttempt(
          task,
          {
            spec,
            others: spec.isWeak ? basesAmong().filter(({ attempt }) => !plan[attempt - 1]!.isWeak) : [],
          },
          neverStop,
        )
      : stackOf("withMains" in spec.settings && spec.settings.withMains);
    done.push({ spec, answer, seconds: cpuSeconds() - start });
  }
  const stack = done.find(({ answer }) => answer.settings.algorithm === "stack")?.answer ?? null;
  const members = stack?.settings.algorithm === "stack" ? stack.settings.members : [];
  const planSeconds = done.reduce((sum, { seconds }) => sum + seconds, 0);
  if (!flags.brief) {
    print(["", name, "processor s", "out-of-fold log-loss", "holdout accuracy", "holdout log-loss", "stack weight"]);
    print(Array.from({ length: 7 }, () => "---"));
    for (const { spec, answer, seconds } of done) {
      const weight = members.find(({ attempt }) => attempt === spec.attempt)?.weight;
      print([
        spec.attempt,
        algorithmName(spec.settings),
        seconds.toFixed(2),
        answer.outOfFoldLogLoss.toFixed(4),
        (100 * answer.holdout.accuracy).toFixed(2),
        answer.holdout.logLoss.toFixed(4),
        weight === undefined ? "" : weight.toFixed(3),
      ]);
    }
  }
  const finishing = flags["plan-only"] ? null : finish();
  print([
    name,
    `seed ${seed}`,
    `plan ${planSeconds.toFixed(1)} s`,
    finishing === null ? "" : `finish ${finishing.toFixed(1)} s`,
    ...(stack === null
      ? []
      : [
          `out of fold ${stack.outOfFoldLogLoss.toFixed(4)}`,
          `holdout ${(100 * stack.holdout.accuracy).toFixed(2)} %, ${stack.holdout.logLoss.toFixed(4)}`,
        ]),
  ]);

  function stackOf(withMains: boolean): AttemptAnswer {
    return runStack(task, fitWholeStack(task, basesAmong(), withMains), neverStop);
  }

  function basesAmong(): StackBase[] {
    return done.flatMap(({ spec, answer }) => {
      const { settings, votes } = answer;
      if (settings.algorithm === "stack" || votes === null) return [];
      return [{ attempt: spec.attempt, buckets: spec.buckets, seed: spec.seed, settings, votes }];
    });
  }

  /** Confirms and refits the versions, each base once for the same rows. */
  function finish(): number {
    const begun = cpuSeconds();
    const seconds = new Map<string, number>();
    const contenders = done.map(({ spec, answer }) => ({
      attempt: spec.attempt,
      settings: answer.settings,
      outOfFoldLogLoss: answer.outOfFoldLogLoss,
      falseDecisions: answer.holdout.falseDecisions,
      logLoss: answer.holdout.logLoss,
      decisions: answer.holdout.decisions,
      found: foundOf(spec, answer),
      decider: answer.decider,
    }));
    const versions = rankVersions(chooseFinalists(contenders));
    for (const judgingPart of [...confirmingParts(task.parts), null]) {
      const fits = new Map<string, BaseModel>();
      for (const { found, decider } of versions) {
        const bases = basesOf(found).map((base) => {
          const key = JSON.stringify(base);
          const start = cpuSeconds();
          const fit = fits.get(key) ?? runFit(task, { base, judgingPart }, neverStop);
          fits.set(key, fit);
          const work = `fit of ${algorithmName(base.settings)}`;
          seconds.set(work, (seconds.get(work) ?? 0) + cpuSeconds() - start);
          return fit;
        });
        const start = cpuSeconds();
        const confirming = { found, bases, decider, measuresColumns: true };
        if (judgingPart !== null) confirm(task, { ...confirming, judgingPart }, neverStop);
        seconds.set("confirmation", (seconds.get("confirmation") ?? 0) + cpuSeconds() - start);
      }
    }
    if (!flags.brief) for (const [work, spent] of seconds) print(["", work, spent.toFixed(2)]);
    return cpuSeconds() - begun;
  }
}

function foundOf({ buckets, seed }: Pick<StackBase, "buckets" | "seed">, answer: AttemptAnswer): FoundSettings {
  const { settings, mains } = answer;
  return { buckets, seed, settings, mains: mains?.found ?? null };
}

function openTask(table: Table, seed: number): TrainingTask {
  return openTraining(table, { numberOfBuckets: BUCKETS, target: null, seed });
}

/** 12 numbers and 8 categories of 3 to 50 values; the label follows some of them, some pairs, and chance. */
function drawTable(): string {
  const random = new Random(deriveSeed(10_020, DRAWN_ROWS));
  const categories = [3, 4, 5, 8, 12, 20, 30, 50];
  const effects = categories.map((count) => Array.from({ length: count }, () => drawNormal(random) / 2));
  const lines = [
    [...Array.from({ length: 12 }, (_, i) => `n${i}`), ...categories.map((count) => `c${count}`), "label"],
  ];
  for (let row = 0; row < DRAWN_ROWS; row++) {
    const x = Array.from({ length: 12 }, () => drawNormal(random));
    const codes = categories.map((count) => random.nextBelow(count));
    const main = 0.7 * x[0]! + 0.5 * Math.abs(x[1]!) - 0.4 * x[2]! + 0.3 * Math.sin(2 * x[3]!);
    const pairs = 0.6 * x[4]! * x[5]! + (x[6]! > 0 === x[7]! > 0 ? 0.4 : -0.4);
    const own = codes.slice(0, 6).reduce((sum, code, index) => sum + effects[index]![code]!, 0);
    const label = main + pairs + own + drawNormal(random) > 0.4 ? "yes" : "no";
    lines.push([...x.map((value) => value.toFixed(4)), ...codes.map((code) => `v${code}`), label]);
  }
  return lines.map((cells) => `${cells.join(",")}\n`).join("");
}

function print(cells: readonly (string | number)[]): void {
  process.stdout.write(`| ${cells.join(" | ")} |\n`);
}

/** Of all threads of the process: collector and compiler too. */
function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
