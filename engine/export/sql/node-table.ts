// Trees as a table of nodes that a recursive query walks: for models whose
// CASE expressions would take too long to plan.

import { BOOSTED_TREES_KIND, type BoostedTrees } from "../../boosting/boosted-trees.ts";
import { FIRST_CODE, UNSEEN_CODE } from "../../table/buckets.ts";
import type { Forest } from "../../trees/forest.ts";
import { MISSING_RIGHT } from "../../trees/tree-walk.ts";
import type { SqlDialect } from "./dialect.ts";
import { type MemberContext, walkedSum } from "./member-context.ts";

/** The trees of one member. */
export interface WalkedTrees extends Pick<MemberContext, "prefix" | "codeOf"> {
  model: Forest | BoostedTrees;
}

/** Rows of one INSERT. */
const ROWS_TOGETHER = 2_000;
const ANALYZED = ["cupel_rows", "cupel_codes", "cupel_trees", "cupel_nodes", "cupel_leaves"] as const;

/**
 * Statements that sum the leaves of the rows in the temporary table `cupel_rows`, which has `cupel_id` and these
 * columns of codes, into `cupel_sums`; the sums' columns are those that `walkedSum` names. Temporary tables alone are
 * made and replaced. No statement reads one of them twice, which MySQL refuses.
 */
export function walkStatements(
  walked: readonly WalkedTrees[],
  codes: readonly string[],
  dialect: SqlDialect,
): { statements: string[]; sums: string[] } {
  const slots = new Map(codes.map((name, at) => [name, at + 1]));
  const sums: string[] = [];
  const [trees, nodes, leaves]: [string[], string[], string[]] = [[], [], []];
  let first = 0;
  for (const { prefix, model, codeOf } of walked) {
    const { children, features, thresholds, roots } = model;
    const outputs = outputsOf(model);
    const firstSum = sums.length;
    for (let k = 0; k < outputs.count; k++) sums.push(walkedSum(prefix, k));
    for (const root of roots) trees.push(String(first + root));
    // Each node's tree, since a leaf of gradient boosting adds to the output of its tree.
    let tree = -1;
    children.forEach((child, node) => {
      if (node === roots[tree + 1]) tree++;
      if (child < 0) {
        for (const [k, value] of outputs.of(node, tree)) {
          leaves.push(`${first + node}, ${firstSum + k}, ${dialect.double(value)}`);
        }
        return;
      }
      const threshold = thresholds[node]! & ~MISSING_RIGHT;
      const low = (thresholds[node]! & MISSING_RIGHT) === 0 ? 0 : FIRST_CODE;
      const slot = slots.get(codeOf(features[node]!))!;
      nodes.push(`${first + node}, ${slot}, ${Math.max(threshold, UNSEEN_CODE)}, ${low}, ${first + child}`);
    });
    first += children.length;
  }
  const { nameOf, analyze } = dialect.temporary!;
  const codesTable = nameOf("cupel_codes");
  const statements = [
    ...filled("cupel_trees", "root INT", trees, dialect),
    ...filled("cupel_nodes", "node INT PRIMARY KEY, slot INT, bound INT, low INT, child INT", nodes, dialect),
    ...filled(
      "cupel_leaves",
      "node INT, target INT, value DOUBLE PRECISION, PRIMARY KEY (node, target)",
      leaves,
      dialect,
    ),
    ...filled("cupel_codes", "cupel_id INT, slot INT, code INT, PRIMARY KEY (cupel_id, slot)", [], dialect),
    ...codes.map(
      (name, at) => `INSERT INTO ${codesTable} SELECT cupel_id, ${at + 1}, ${name} FROM ${nameOf("cupel_rows")}`,
    ),
    ...(analyze === null ? [] : ANALYZED.map((name) => `${analyze} ${nameOf(name)}`)),
    ...replacing(nameOf("cupel_sums"), walkQuery(sums, nameOf), dialect),
  ];
  return { statements, sums };
}

/** `CREATE TEMP TABLE … AS`, in place of an earlier one. */
export function replacing(table: string, query: string, dialect: SqlDialect): string[] {
  return [`${dialect.temporary!.drop} ${table}`, `CREATE TEMPORARY TABLE ${bare(table)} AS\n${query}`];
}

/**
 * A row goes right where its code exceeds the bound, or is below `low`. Leaves are no nodes, so the walk ends there.
 * Leaves add single precision, so that sums in double precision are exact, whatever their order.
 */
function walkQuery(sums: readonly string[], table: (name: string) => string): string {
  const totals = sums.map((name, target) => `SUM(CASE WHEN l.target = ${target} THEN l.value END) AS ${name}`);
  return `WITH RECURSIVE cupel_walk AS (
  SELECT s.cupel_id, t.root AS node
  FROM ${table("cupel_rows")} s CROSS JOIN ${table("cupel_trees")} t
  UNION ALL
  SELECT w.cupel_id, n.child + CASE WHEN c.code > n.bound OR c.code < n.low THEN 1 ELSE 0 END
  FROM cupel_walk w
  JOIN ${table("cupel_nodes")} n ON n.node = w.node
  JOIN ${table("cupel_codes")} c ON c.cupel_id = w.cupel_id AND c.slot = n.slot
)
SELECT w.cupel_id,
  ${totals.join(",\n  ")}
FROM cupel_walk w JOIN ${table("cupel_leaves")} l ON l.node = w.node
GROUP BY w.cupel_id`;
}

/** The values that a leaf adds, each with the member's sum that it goes to. */
function outputsOf(model: Forest | BoostedTrees): {
  count: number;
  of(leaf: number, tree: number): [output: number, value: number][];
} {
  if (model.kind === BOOSTED_TREES_KIND) {
    const { outputCount, values } = model;
    return { count: outputCount, of: (leaf, tree) => [[tree % outputCount, values[leaf]!]] };
  }
  const { classCount, children, distributions } = model;
  return {
    count: classCount,
    of: (leaf) => {
      const from = ~children[leaf]! * classCount;
      return Array.from(distributions.subarray(from, from + classCount), (share, k) => [k, share]);
    },
  };
}

function filled(name: string, columns: string, rows: readonly string[], dialect: SqlDialect): string[] {
  const { nameOf, drop } = dialect.temporary!;
  const statements = [`${drop} ${nameOf(name)}`, `CREATE TEMPORARY TABLE ${name} (${columns})`];
  for (let from = 0; from < rows.length; from += ROWS_TOGETHER) {
    const values = rows.slice(from, from + ROWS_TOGETHER).map((row) => `(${row})`);
    statements.push(`INSERT INTO ${nameOf(name)} VALUES\n${values.join(",\n")}`);
  }
  return statements;
}

/** The name without the schema of temporary tables. */
function bare(table: string): string {
  return table.slice(table.lastIndexOf(".") + 1);
}
