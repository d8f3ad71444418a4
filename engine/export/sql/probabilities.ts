// From scores to probabilities.
import type { SqlDialect } from "./dialect.ts";
import type { MemberContext } from "./member-context.ts";
import type { Column, Outputs } from "./stages.ts";

/** The exponential of a number up to 0, never below e^-700: PostgreSQL fails on a result that rounds to 0. */
export function boundedExp(sql: string, dialect: SqlDialect): string {
  return `EXP(${dialect.greatest(sql, dialect.double(-700))})`;
}

/** Softmax of scores; of a single score, which two classes have, the logistic function. */
export function fromScores(
  { stages, names }: Outputs,
  { dialect, prefix }: Pick<MemberContext, "dialect" | "prefix">,
): Outputs {
  if (names.length === 1) {
    const z = names[0]!;
    const e = `${prefix}odds`;
    const logistic = (isAbove: string) => `CASE WHEN ${isAbove} THEN 1 / (1 + ${e}) ELSE ${e} / (1 + ${e}) END`;
    const shares = [`${prefix}p0`, `${prefix}p1`];
    const last: Column[] = [
      [shares[0]!, logistic(`${z} <= 0`)],
      [shares[1]!, logistic(`${z} >= 0`)],
    ];
    return { stages: [...stages, [[e, boundedExp(`-ABS(${z})`, dialect)]], last], names: shares };
  }
  const most = `${prefix}most`;
  const total = `${prefix}total`;
  const raised = names.map((_, k) => `${prefix}e${k}`);
  const shares = names.map((_, k) => `${prefix}p${k}`);
  return {
    stages: [
      ...stages,
      [[most, dialect.greatest(...names)]],
      raised.map((name, k): Column => [name, boundedExp(`${names[k]} - ${most}`, dialect)]),
      [[total, raised.join(" + ")]],
      shares.map((name, k): Column => [name, `${raised[k]} / ${total}`]),
    ],
    names: shares,
  };
}
