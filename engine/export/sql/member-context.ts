// How one member of a model is written: the names of its columns, and where its codes are. The members are those of a
// stack; a model that is no stack is its only member.
import type { SqlDialect } from "./dialect.ts";

export interface MemberContext {
  dialect: SqlDialect;
  /** Begins the names of its columns. */
  prefix: string;
  /** The column of a feature's code in the member's view. */
  codeOf(feature: number): string;
  /**
   * Whether a recursive query has summed the leaves of the trees, into the columns of `walkedSum`; false if left out.
   */
  isWalked?: boolean;
}

/** The column of the sum of a member's leaves for one output (node-table.ts). */
export function walkedSum(prefix: string, output: number): string {
  return `${prefix}w${output}`;
}
