// Draws how many of some rows fall into each cell, without drawing the rows.
import type { Random } from "../../engine/random.ts";

/** One multinomial draw: conditional binomials. */
export function drawCounts(chances: readonly number[], rowCount: number, random: Random): number[] {
  let left = rowCount;
  let rest = chances.reduce((sum, chance) => sum + chance, 0);
  return chances.map((chance) => {
    const share = rest <= 0 ? 0 : Math.min(1, chance / rest);
    rest -= chance;
    const count = binomial(left, share, random);
    left -= count;
    return count;
  });
}

/** Exact: by inversion where the mean is small, else by transformed rejection with squeeze (BTRS, Hörmann 1993). */
function binomial(n: number, p: number, random: Random): number {
  if (n === 0 || p <= 0) return 0;
  if (p >= 1) return n;
  if (p > 0.5) return n - binomial(n, 1 - p, random);
  if (n * p < 10) {
    const step = Math.log1p(-p);
    let [sum, count] = [0, -1];
    while (sum <= n) {
      sum += Math.floor(Math.log(1 - random.nextFloat()) / step) + 1;
      count++;
    }
    return count;
  }
  const spread = Math.sqrt(n * p * (1 - p));
  const b = 1.15 + 2.53 * spread;
  const a = -0.0873 + 0.0248 * b + 0.01 * p;
  const c = n * p + 0.5;
  const alpha = (2.83 + 5.1 / b) * spread;
  const m = Math.floor((n + 1) * p);
  const odds = p / (1 - p);
  for (;;) {
    const u = random.nextFloat() - 0.5;
    const v = random.nextFloat();
    const us = 0.5 - Math.abs(u);
    const k = Math.floor(((2 * a) / us + b) * u + c);
    if (k < 0 || k > n) continue;
    const w = Math.log((v * alpha) / (a / (us * us) + b));
    if (w <= logGamma(m + 1) + logGamma(n - m + 1) - logGamma(k + 1) - logGamma(n - k + 1) + (k - m) * Math.log(odds))
      return k;
  }
}

const LOG_FACTORIALS = [0];
/** ln Γ of a whole number: by sums, or Stirling's series. */
function logGamma(n: number): number {
  const z = n - 1;
  if (z < 1_024) {
    for (let at = LOG_FACTORIALS.length; at <= z; at++) LOG_FACTORIALS.push(LOG_FACTORIALS[at - 1]! + Math.log(at));
    return LOG_FACTORIALS[z]!;
  }
  return (z + 0.5) * Math.log(z) - z + 0.5 * Math.log(2 * Math.PI) + 1 / (12 * z) - 1 / (360 * z ** 3);
}
