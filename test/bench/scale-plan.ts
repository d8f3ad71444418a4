// What the scale curves measure: kernels, axes with their sizes, and the law
// that each kernel should follow along each axis.

export interface Shape {
  rows: number;
  columns: number;
  classes: number;
  buckets: number;
  /** Threads of a whole run; everything else has one. */
  workers: number;
}

export type Axis = keyof Shape;

/** What grows, over which sizes, and what stays as it is meanwhile. */
export interface AxisPlan {
  axis: Axis;
  sizes: readonly number[];
  base: Shape;
}

const TABLE: Shape = { rows: 10_000, columns: 20, classes: 2, buckets: 254, workers: 1 };

export const AXES: readonly AxisPlan[] = [
  { axis: "rows", sizes: [1e3, 1e4, 1e5, 1e6, 5e6], base: TABLE },
  { axis: "columns", sizes: [10, 100, 1000, 5000], base: { ...TABLE, rows: 2000 } },
  { axis: "classes", sizes: [2, 10, 26, 100], base: { ...TABLE, rows: 20_000 } },
  { axis: "buckets", sizes: [4, 20, 64, 250, 1000], base: { ...TABLE, rows: 100_000 } },
  { axis: "workers", sizes: [1, 2], base: TABLE },
];

/** The time between two bounds, each up to a factor; where both are one function, that function. */
export interface Law {
  words: string;
  low: (size: number) => number;
  high: (size: number) => number;
}

const constant = () => 1;
const linear = (size: number) => size;
const law = (words: string, low: Law["low"], high = low): Law => ({ words, low, high });

const LINEAR = law("linear", linear);
const CONSTANT = law("constant", constant);
const AT_MOST_LINEAR = law("at most linear", constant, linear);
const LINEARITHMIC = law("n log n", (size) => size * Math.log(size));

/** What a kernel's mark and legend say. */
export type KernelGroup = "fit" | "rest";

export interface KernelPlan {
  kernel: string;
  group: KernelGroup;
  laws: Partial<Record<Axis, Law>>;
  /** Left out above this size of the axis. */
  most?: Partial<Record<Axis, number>>;
}

export const READING = "reading";
export const BUCKETING = "bucketing";
export const WHOLE_RUN = "whole run";
export const SCORING = "scoring by ";

export const KERNELS: readonly KernelPlan[] = [
  {
    kernel: "forest",
    group: "fit",
    // √d features are tried at a split; codes are copied once.
    laws: {
      rows: LINEARITHMIC,
      columns: law("√d to linear", Math.sqrt, linear),
      classes: AT_MOST_LINEAR,
      buckets: AT_MOST_LINEAR,
    },
  },
  {
    kernel: "boosted trees",
    group: "fit",
    laws: { rows: LINEAR, columns: LINEAR, classes: LINEAR, buckets: AT_MOST_LINEAR },
  },
  {
    kernel: "logistic regression",
    group: "fit",
    laws: { rows: LINEAR, columns: LINEAR, classes: LINEAR, buckets: AT_MOST_LINEAR },
  },
  {
    kernel: "naive Bayes",
    group: "fit",
    laws: { rows: LINEAR, columns: LINEAR, classes: AT_MOST_LINEAR, buckets: AT_MOST_LINEAR },
  },
  { kernel: READING, group: "rest", laws: { rows: LINEAR, columns: LINEAR } },
  {
    kernel: BUCKETING,
    group: "rest",
    // Categories are put in order by the leading axis of a scatter of classes × classes.
    laws: {
      rows: LINEAR,
      columns: LINEAR,
      classes: law("at most square", constant, (size) => size * size),
      buckets: AT_MOST_LINEAR,
    },
  },
  {
    kernel: `${SCORING}forest`,
    group: "rest",
    laws: { rows: LINEAR, columns: AT_MOST_LINEAR, classes: AT_MOST_LINEAR, buckets: CONSTANT },
  },
  {
    kernel: `${SCORING}boosted trees`,
    group: "rest",
    laws: { rows: LINEAR, columns: AT_MOST_LINEAR, classes: LINEAR, buckets: CONSTANT },
  },
  {
    kernel: `${SCORING}naive Bayes`,
    group: "rest",
    laws: { rows: LINEAR, columns: LINEAR, classes: LINEAR, buckets: CONSTANT },
  },
  {
    kernel: WHOLE_RUN,
    group: "rest",
    laws: {
      rows: law("at most n log n", constant, (size) => size * Math.log(size)),
      workers: law("1 / n", (size) => 1 / size),
    },
    most: { rows: 1e5 },
  },
];

/** The sizes of an axis that a kernel is measured at. */
export function sizesOf({ axis, sizes }: AxisPlan, { laws, most }: KernelPlan): number[] {
  if (laws[axis] === undefined) return [];
  return sizes.filter((size) => size <= (most?.[axis] ?? Number.POSITIVE_INFINITY));
}
