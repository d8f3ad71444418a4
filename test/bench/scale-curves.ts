// From measured points to exponents, and whether these are near the law: slopes
// over the larger half of the sizes, on logarithms.
import {
  AXES,
  type Axis,
  type AxisPlan,
  KERNELS,
  type KernelPlan,
  type Law,
  sizesOf,
  WHOLE_RUN,
} from "./scale-plan.ts";

export interface Point {
  axis: Axis;
  kernel: string;
  size: number;
  wallSeconds: number;
  /** Of all threads; the least of the runs, as are the wall seconds. */
  cpuSeconds: number;
  /** The whole process at its peak, the drawn table included; the most of the runs. */
  peakMb: number;
}

export interface Curve {
  plan: AxisPlan;
  kernel: KernelPlan;
  points: readonly Point[];
}

/** How far an exponent may lie from its law and still be called near. */
export const NEAR = 0.15;

/** All curves that have points, axis by axis, in the order of the plan. */
export function curvesOf(points: readonly Point[]): Curve[] {
  return AXES.flatMap((plan) =>
    KERNELS.map((kernel): Curve => {
      const own = points.filter((point) => point.axis === plan.axis && point.kernel === kernel.kernel);
      return { plan, kernel, points: own.sort((a, b) => a.size - b.size) };
    }),
  ).filter((curve) => curve.points.length > 0);
}

/** The slope of log y on log x by least squares. */
export function exponentOf(points: readonly (readonly [number, number])[]): number {
  const logs = points.map(([x, y]) => [Math.log(x), Math.log(y)] as const);
  const meanX = logs.reduce((sum, [x]) => sum + x, 0) / logs.length;
  const meanY = logs.reduce((sum, [, y]) => sum + y, 0) / logs.length;
  const covariance = logs.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  return covariance / logs.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
}

/** The larger half, at least two: below, compiling and starting are a good part of the time. */
export function largerHalf<T>(points: readonly T[]): T[] {
  return points.slice(-Math.max(2, Math.ceil(points.length / 2)));
}

export interface Exponent {
  measured: number;
  /** The law's own slope over the same sizes. */
  low: number;
  high: number;
  /** Below: costs that do not grow are still a good part of the time. */
  verdict: "below" | "near" | "above";
}

/** Null below two points. Several threads at work are judged by wall time, all else by the processor's. */
export function timeExponent({ plan, kernel, points }: Curve): Exponent | null {
  if (points.length < 2) return null;
  const upper = largerHalf(points);
  const { low, high } = kernel.laws[plan.axis] as Law;
  const slope = (of: (point: Point) => number) => exponentOf(upper.map((point) => [point.size, of(point)]));
  const measured = slope((point) => secondsOf(point));
  const bounds = { low: slope(({ size }) => low(size)), high: slope(({ size }) => high(size)) };
  const verdict = measured > bounds.high + NEAR ? "above" : measured < bounds.low - NEAR ? "below" : "near";
  return { measured, ...bounds, verdict };
}

export function secondsOf({ axis, wallSeconds, cpuSeconds }: Point): number {
  return axis === "workers" ? wallSeconds : cpuSeconds;
}

const BASE_WORDS: Readonly<Record<Axis, string>> = {
  rows: "20 columns, 2 classes, 254 buckets",
  columns: "2,000 rows, 2 classes, 254 buckets",
  classes: "20,000 rows × 20 columns, 254 buckets",
  buckets: "100,000 rows × 20 columns, 2 classes",
  workers: "10,000 rows × 20 columns, 2 classes; the whole plan of twenty, wall seconds",
};

/** One Markdown table per axis: seconds at each size, exponents, memory. */
export function tablesOf(points: readonly Point[]): string {
  const curves = curvesOf(points);
  return AXES.flatMap((plan) => {
    const own = curves.filter((curve) => curve.plan === plan);
    return own.length === 0 ? [] : [tableOf(plan, own)];
  }).join("\n\n");
}

/** Points that took long enough for what else runs on the machine to show. */
const LONG_SECONDS = 0.1;

/** How far wall time was from processor time, in words; empty where no point took long. */
export function wallWords(points: readonly Point[]): string {
  const ratios = points
    .filter(({ kernel, cpuSeconds }) => kernel !== WHOLE_RUN && cpuSeconds >= LONG_SECONDS)
    .map(({ wallSeconds, cpuSeconds }) => wallSeconds / cpuSeconds)
    .sort((a, b) => a - b);
  if (ratios.length === 0) return "";
  const [least, median, most] = [ratios[0]!, ratios[ratios.length >> 1]!, ratios.at(-1)!].map((ratio) =>
    ratio.toFixed(2),
  );
  return `Wall time over processor time, of ${ratios.length} points above ${LONG_SECONDS} s: ${least} to ${most}, median ${median}.`;
}

function tableOf(plan: AxisPlan, curves: readonly Curve[]): string {
  const head = [
    `${plan.axis}`,
    ...plan.sizes.map((size) => size.toLocaleString("en-US")),
    "exponent",
    "law",
    "its exponent",
    "peak MB",
    "for one more",
  ];
  const rows = curves.map((curve) => [
    curve.kernel.kernel,
    ...plan.sizes.map((size) => secondsAt(curve, size)),
    ...exponentCells(curve),
    ...memoryCells(curve),
  ]);
  const lines = [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  return [`${BASE_WORDS[plan.axis]}:`, "", ...lines].join("\n");
}

function secondsAt({ points, plan, kernel }: Curve, size: number): string {
  const point = points.find((candidate) => candidate.size === size);
  if (point === undefined) return sizesOf(plan, kernel).includes(size) ? "not done" : "";
  const seconds = secondsOf(point);
  if (seconds < 0.1) return seconds.toFixed(seconds < 0.01 ? 4 : 3);
  return seconds.toFixed(seconds < 10 ? 2 : 1);
}

function exponentCells(curve: Curve): string[] {
  const exponent = timeExponent(curve);
  const law = curve.kernel.laws[curve.plan.axis]!.words;
  if (exponent === null) return ["", law, ""];
  const { measured, low, high, verdict } = exponent;
  const figure = measured.toFixed(2);
  const marked = { below: `${figure} ↓`, near: figure, above: `**${figure}**` }[verdict];
  const bounds = low === high ? low.toFixed(2) : `${low.toFixed(2)} to ${high.toFixed(2)}`;
  return [marked, law, bounds];
}

/** The peak at the largest size, and what one more unit took between the two largest. */
function memoryCells({ points }: Curve): string[] {
  const last = points.at(-1)!;
  const before = points.at(-2);
  const peak = last.peakMb.toFixed(0);
  if (before === undefined) return [peak, ""];
  // When the collector came by is worth a few megabytes either way.
  const bytes = Math.max(0, ((last.peakMb - before.peakMb) * 1e6) / (last.size - before.size));
  return [peak, bytes >= 9_950 ? `${(bytes / 1e3).toFixed(0)} kB` : `${bytes.toFixed(0)} B`];
}
