// Tail probabilities of gamma, normal and hypergeometric variables and of fair coins, accurate relatively far out.
import { mapped } from "../mapped.ts";

/** Below this, terms no longer change a sum of doubles. */
const NEGLIGIBLE = 2 ** -54;
/** Stands for zero in a continued fraction (Thompson and Barnett 1986). */
const TINY = 1e-300;

/**
 * P(X >= x) of a gamma variable of unit scale and `shape` > 0: the regularised upper incomplete gamma function Q(shape,
 * x). Relative error about 1e-12 wherever the result is a normal double (1e-10 for shapes as small as 0.00005); 0 below
 * that. NaN in, NaN out. O(sqrt(shape)) near the mean. Power series below shape + 1, Legendre's continued fraction
 * above (Press et al., Numerical Recipes, 6.2; Lentz 1976), both on Loader's saddle-point form of the density.
 */
export function upperGamma(shape: number, x: number): number {
  if (!(shape > 0) || Number.isNaN(x)) return Number.NaN;
  if (x <= 0) return 1;
  if (x === Number.POSITIVE_INFINITY) return 0;
  const density = poissonDensity(shape, x);
  if (x < shape + 1) return Math.max(0, 1 - density * lowerSeries(shape, x));
  return density === 0 ? 0 : density * shape * upperFraction(shape, x);
}

/** P(Z >= z) of a standard normal variable, one-sided; relative error about 1e-12 up to z = 37, where doubles end. */
export function upperNormal(z: number): number {
  const outside = upperGamma(0.5, (z * z) / 2) / 2;
  return z >= 0 ? outside : 1 - outside;
}

/**
 * P(X >= markedDrawn): X counts the marked rows among `sample` rows, drawn without replacement from `total` rows, of
 * which `marked` are marked. Whole numbers. Relative error about 1e-11. At most O(min(marked, sample)).
 */
export function upperHypergeometric(markedDrawn: number, sample: number, marked: number, total: number): number {
  const least = Math.max(0, sample + marked - total);
  const most = Math.min(sample, marked);
  if (markedDrawn <= least) return 1;
  if (markedDrawn > most) return 0;
  // Right of the mean the terms fall; left of it the other tail is the small one, summed the same way.
  if (markedDrawn * total <= sample * marked) {
    return 1 - upperHypergeometric(sample - markedDrawn + 1, sample, total - marked, total);
  }
  let term = 1;
  let sum = 1;
  for (let count = markedDrawn; count < most && term > NEGLIGIBLE * sum; count++) {
    term *= ((sample - count) / (count + 1)) * ((marked - count) / (total - marked - sample + count + 1));
    sum += term;
  }
  return hypergeometricDensity(markedDrawn, sample, marked, total) * sum;
}

/** P(X >= heads): X counts heads in `throws` throws of a fair coin. O(throws). */
export function upperFairCoin(heads: number, throws: number): number {
  let term = 1;
  let sum = 0;
  for (let count = heads; count <= throws; count++) {
    sum += term;
    term *= (throws - count) / (count + 1);
  }
  return binomialDensity(heads, throws, 0.5, 0.5) * sum;
}

/** Σ x^k / ((shape + 1) … (shape + k)): the lower incomplete gamma function over x^shape e^-x / Γ(shape + 1). */
function lowerSeries(shape: number, x: number): number {
  let term = 1;
  let sum = 1;
  for (let divisor = shape + 1; term > NEGLIGIBLE * sum; divisor++) {
    term *= x / divisor;
    sum += term;
  }
  return sum;
}

/** Legendre's continued fraction of Γ(shape, x) e^x x^-shape by the modified method of Lentz; x >= shape + 1. */
function upperFraction(shape: number, x: number): number {
  let b = x + 1 - shape;
  let c = 1 / TINY;
  let d = 1 / b;
  let fraction = d;
  for (let i = 1, change = 0; Math.abs(change - 1) > 2e-16; i++) {
    const a = -i * (i - shape);
    b += 2;
    d = a * d + b;
    if (Math.abs(d) < TINY) d = TINY;
    c = b + a / c;
    if (Math.abs(c) < TINY) c = TINY;
    d = 1 / d;
    change = d * c;
    fraction *= change;
    // The last bits may never settle; by then thousands of steps have.
    if (i > 100_000) break;
  }
  return fraction;
}

/** As R's dhyper: three binomial densities at the share of the sample (Loader 2000). */
function hypergeometricDensity(drawn: number, sample: number, marked: number, total: number): number {
  const share = sample / total;
  const restShare = (total - sample) / total;
  return (
    (binomialDensity(drawn, marked, share, restShare) *
      binomialDensity(sample - drawn, total - marked, share, restShare)) /
    binomialDensity(sample, total, share, restShare)
  );
}

/** P(X = successes) of a binomial variable: Loader, Fast and Accurate Computation of Binomial Probabilities (2000). */
function binomialDensity(successes: number, trials: number, probability: number, complement: number): number {
  if (probability === 0) return successes === 0 ? 1 : 0;
  if (complement === 0) return successes === trials ? 1 : 0;
  if (successes === 0) return Math.exp(trials * Math.log1p(-probability));
  if (successes === trials)
    return Math.exp(trials * (probability < 0.5 ? Math.log(probability) : Math.log1p(-complement)));
  const failures = trials - successes;
  const exponent =
    stirlingError(trials) -
    stirlingError(successes) -
    stirlingError(failures) -
    deviance(successes, trials * probability) -
    deviance(failures, trials * complement);
  return Math.exp(exponent) * Math.sqrt(trials / (2 * Math.PI * successes * failures));
}

/** mean^count e^-mean / Γ(count + 1) for any real count > 0 (Loader 2000). */
function poissonDensity(count: number, mean: number): number {
  return Math.exp(-stirlingError(count) - deviance(count, mean)) / Math.sqrt(2 * Math.PI * count);
}

/** ln Γ(n + 1) less Stirling's (n + 1/2) ln n - n + ln √(2π), for n > 0. */
function stirlingError(n: number): number {
  return n < LEAST_OF_SERIES && Number.isInteger(2 * n) ? SMALL_ERRORS[2 * n]! : shiftedError(n);
}

/** From here on the series is exact; smaller numbers are shifted. */
const LEAST_OF_SERIES = 15;

function shiftedError(n: number): number {
  let shift = 0;
  let at = n;
  for (; at < LEAST_OF_SERIES; at++) shift += (at + 0.5) * Math.log1p(1 / at) - 1;
  const square = at * at;
  return shift + (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - 1 / (1188 * square)) / square) / square) / square) / at;
}

/**
 * Errors of 0, 1/2, 1, … below it, as counts and degrees of freedom are; computing one takes up to fifteen logarithms.
 */
const SMALL_ERRORS = mapped(Float64Array, { length: 2 * LEAST_OF_SERIES }, (_, half) => shiftedError(half / 2));

/** Half the Poisson deviance, count ln(count / mean) + mean - count, without cancellation where the two are close. */
function deviance(count: number, mean: number): number {
  const difference = count - mean;
  if (Math.abs(difference) >= 0.1 * (count + mean)) return count * Math.log(count / mean) - difference;
  const ratio = difference / (count + mean);
  const square = ratio * ratio;
  let sum = difference * ratio;
  let power = 2 * count * ratio;
  for (let odd = 3; ; odd += 2) {
    power *= square;
    const next = sum + power / odd;
    if (next === sum) return next;
    sum = next;
  }
}
