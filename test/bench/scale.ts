// How time and memory grow with rows, columns, classes, buckets and workers: every
// point a process of its own, one after the other.
// Usage: bun test/bench/scale.ts [--axis AXIS,…] [--kernel KERNEL,…] [--most
// SIZE] [--points FILE] [--out FOLDER] [--redraw]
//   --points  measured points are kept here as they come; those there before are taken over, so that axes can be measured one by one
//   --out     where the pictures go, docs by default; --redraw: measures nothing, writes tables and pictures of the points
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { memoryFigure, timeFigure } from "./scale-chart.ts";
import { type Point, tablesOf, wallWords } from "./scale-curves.ts";
import {
  AXES,
  type Axis,
  type AxisPlan,
  KERNELS,
  type KernelPlan,
  READING,
  type Shape,
  sizesOf,
  WHOLE_RUN,
} from "./scale-plan.ts";

const POINT = join(import.meta.dir, "scale-point.ts");
const MAIN = join(import.meta.dir, "../../src/main.ts");
/** A point is measured up to three times while its runs take no longer than this together. */
const RUNS = 3;
const RUNS_SECONDS = 4;
/**
 * A point that is likely to take longer, or more than a share of what memory is free, is left out with all larger ones.
 */
const LONGEST_SECONDS = 150;
const MEMORY_SHARE = 0.7;
const RUN_OPTIONS = ["--no-refine", "--time-cap", "600"];
/**
 * The smallest number of attempts there is, one of each family: along the
 * rows, where the whole plan would take too long.
 */
const FEW_ATTEMPTS = ["--scaling", "2"];
/** Widths of the figures for wide pages and for narrow ones. */
const WIDE_PIXELS = 860;
const NARROW_PIXELS = 360;

const { values: flags } = parseArgs({
  options: {
    axis: { type: "string" },
    kernel: { type: "string" },
    most: { type: "string", default: "Infinity" },
    points: { type: "string" },
    out: { type: "string", default: join(import.meta.dir, "../../docs") },
    redraw: { type: "boolean", default: false },
  },
});

const points: Point[] =
  flags.points !== undefined && existsSync(flags.points) ? JSON.parse(readFileSync(flags.points, "utf8")) : [];
const folder = mkdtempSync(join(tmpdir(), "cupel-scale-"));
try {
  if (!flags.redraw) for (const plan of AXES) if (isWanted(flags.axis, plan.axis)) await measureAxis(plan);
} finally {
  rmSync(folder, { recursive: true });
}
process.stdout.write(`${tablesOf(points)}\n\n${wallWords(points)}\n`);
for (const [suffix, width] of [
  ["", WIDE_PIXELS],
  ["-narrow", NARROW_PIXELS],
] as const) {
  writeFileSync(join(flags.out, `scale-time${suffix}.svg`), timeFigure(points, width));
  writeFileSync(join(flags.out, `scale-memory${suffix}.svg`), memoryFigure(points, width));
}

function isWanted(list: string | undefined, name: string): boolean {
  return list === undefined || list.split(",").includes(name);
}

async function measureAxis(plan: AxisPlan): Promise<void> {
  for (const kernel of KERNELS) {
    if (!isWanted(flags.kernel, kernel.kernel)) continue;
    let last: Point | null = null;
    for (const size of sizesOf(plan, kernel)) {
      if (size > Number(flags.most) || (last !== null && isTooMuch(last, size))) break;
      last = await measurePoint(plan, kernel, size);
      keep(last);
    }
  }
}

function isTooMuch({ size, wallSeconds, peakMb }: Point, next: number): boolean {
  const factor = next / size;
  return wallSeconds * factor > LONGEST_SECONDS || peakMb * 1e6 * factor > MEMORY_SHARE * freemem();
}

function keep(point: Point): void {
  const old = points.findIndex(
    ({ axis, kernel, size }) => axis === point.axis && kernel === point.kernel && size === point.size,
  );
  if (old >= 0) points.splice(old, 1);
  points.push(point);
  if (flags.points !== undefined) writeFileSync(flags.points, JSON.stringify(points));
  const { axis, kernel, size, wallSeconds, cpuSeconds, peakMb } = point;
  const seconds = `${wallSeconds.toFixed(4)} s, ${cpuSeconds.toFixed(4)} s of the processor`;
  process.stderr.write(`${axis} ${size}, ${kernel}: ${seconds}, ${peakMb.toFixed(0)} MB\n`);
}

async function measurePoint({ axis, base }: AxisPlan, { kernel }: KernelPlan, size: number): Promise<Point> {
  const shape: Shape = { ...base, [axis]: size };
  const csv = join(folder, "table.csv");
  if (kernel === READING || kernel === WHOLE_RUN) await output([POINT, "draw", JSON.stringify(shape), csv]);
  const runs: Pick<Point, "wallSeconds" | "cpuSeconds" | "peakMb">[] = [];
  while (runs.length < RUNS && sum(runs.map(({ wallSeconds }) => wallSeconds)) < RUNS_SECONDS) {
    runs.push(kernel === WHOLE_RUN ? await wholeRun(csv, axis, shape) : await workInChild(kernel, shape, csv));
  }
  return {
    axis,
    kernel,
    size,
    wallSeconds: Math.min(...runs.map(({ wallSeconds }) => wallSeconds)),
    cpuSeconds: Math.min(...runs.map(({ cpuSeconds }) => cpuSeconds)),
    peakMb: Math.max(...runs.map(({ peakMb }) => peakMb)),
  };
}

async function workInChild(kernel: string, shape: Shape, csv: string) {
  const { text, peakMb } = await output([POINT, kernel, JSON.stringify(shape), csv]);
  return { ...(JSON.parse(text) as Pick<Point, "wallSeconds" | "cpuSeconds">), peakMb };
}

async function wholeRun(csv: string, axis: Axis, { workers }: Shape) {
  const attempts = axis === "workers" ? [] : FEW_ATTEMPTS;
  const options = [...RUN_OPTIONS, ...attempts, "--workers", `${workers}`, "--out", join(folder, "out")];
  const startMs = performance.now();
  const { cpuSeconds, peakMb } = await output([MAIN, "run", csv, ...options]);
  return { wallSeconds: (performance.now() - startMs) / 1e3, cpuSeconds, peakMb };
}

async function output(args: readonly string[]): Promise<{ text: string; cpuSeconds: number; peakMb: number }> {
  const child = Bun.spawn([process.execPath, ...args], { stdout: "pipe", stderr: "pipe" });
  const [text, errors] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if ((await child.exited) !== 0) throw new Error(`${args.join(" ")}: ${errors}`);
  const usage = child.resourceUsage()!;
  return { text, cpuSeconds: Number(usage.cpuTime.total) / 1e6, peakMb: usage.maxRSS / 1e6 };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
