// How one member of a model is written: the names of its columns, and where its codes are.
import type { SqlDialect } from "./dialects.ts";

export interface MemberContext {
  dialect: SqlDialect;
  /** Begins the names of its columns. */
  prefix: string;
  /** The column of a feature's code in the member's view. */
  codeOf(feature: number): string;
  /** Whether the sums of trees are given, by the names of `walkedSum`. */
  isWalked?: boolean;
}

/** The column of the sum of a member's leaves for one output, where a recursive query has made it. */
export function walkedSum(prefix: string, output: number): string {
  return `${prefix}w${output}`;
}

export function contextOf(
  dialect: SqlDialect,
  prefix: string,
  codeOf: (feature: number) => string,
  isWalked = false,
): MemberContext {
  return { dialect, prefix, codeOf, isWalked };
}
