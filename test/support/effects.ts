// What a model learned, made by hand: a number with missing cells, a category, parts of a date, one curve or several.
import type { ColumnEffects } from "../../src/summary/summary.ts";

/** `labels`: of the classes that have curves. */
export function effectsOf(labels: readonly string[], names: readonly string[] = ["age", "plan", "signed", "extra"]) {
  const made = (
    index: number,
    values: readonly (number | string | null)[],
    about: Pick<ColumnEffects, "kind" | "part">,
  ): ColumnEffects => ({
    name: names[index % names.length]!,
    ...about,
    ...(index % 2 === 0
      ? ({ method: "partial dependence", closest: null } as const)
      : ({
          method: "accumulated local effects",
          closest: { name: names[(index + 1) % names.length]!, association: 0.5 + index / 100 },
        } as const)),
    points: values.map((value, at) => ({ value, rows: 5 + 40 * ((at * 7) % 5) })),
    curves: labels.map((label, place) => ({
      label,
      probabilities: values.map((_, at) => (0.1 + 0.03 * at + 0.07 * place) / (1 + index / 4)),
    })),
  });
  const number = { kind: "number", part: null } as const;
  return [
    made(0, [-1.25, 0, 20, 1_234.5, 1e9, null], number),
    made(1, [names[0]!, "rare ones", names.at(-1)!], { kind: "category", part: null }),
    made(2, [2019, 2020, 2021], { kind: "number", part: "year" }),
    made(3, [1, 5, 12], { kind: "number", part: "month" }),
    made(4, [0, 6], { kind: "number", part: "weekday" }),
    ...[5, 6, 7].map((index) => made(index, [1, 2, 3], number)),
  ];
}
