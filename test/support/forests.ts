// Settings of a plain random forest, whose trees grow to their ends on as many rows as there are.
import type { BaseSettings } from "../../engine/families/base-algorithms.ts";

interface Growth {
  treeCount: number;
  featuresPerSplit: number;
  minLeafRows: number;
}

export function forestOf(growth: Growth) {
  const limits = { maxDepth: null, rowsPerTree: null };
  return { algorithm: "forest", variant: "forest", ...growth, ...limits } as const satisfies BaseSettings;
}
