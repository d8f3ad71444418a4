// A doubt with its weight, and names as its sentences and options have them.
import { plainName } from "../common/markup.ts";
import type { Doubt } from "../summary/verdict.ts";

const LONGEST_NAME = 60;

/** A doubt and how grave it is: points of accuracy that it may cost, or as many as it is worth. */
export interface Weighed {
  weight: number;
  doubt: Doubt;
}

export function weigh(
  weight: number,
  doubt: Omit<Doubt, "random" | "held"> & Partial<Pick<Doubt, "random" | "held">>,
): Weighed {
  return { weight, doubt: { random: null, held: null, ...doubt } };
}

export function shown(name: string): string {
  return `"${plainName(name, LONGEST_NAME)}"`;
}
