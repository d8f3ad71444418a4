// The forward and the backward pass of a layer of 16 hidden units over the fit rows, in single precision. Four vectors
// of four units hold a row's units (a to d) and the gradient by their sums (w to z). Addresses are in bytes. Weights
// and gradient lie alike: 16 numbers for each input, then the units' intercepts, then 16 for each output.

/** A cell is a row's value of one input: where the input's weights begin among all weights, then the value. */
const CELL_BYTES: usize = 8;
const UNITS_BYTES: usize = 64;
const SCORE_BYTES: usize = 8;
const LOG2_E = Mathf.LOG2E;
const LN_2 = Mathf.LN2;
/** exp(-2 |z|) is kept above 2^-120, so that the power of two below is a normal number. */
const LEAST_EXPONENT: f32 = -80;

/** Writes each row's units and adds to its scores, which lie output after output. `inputBytes`: the inputs' weights. */
export function forward(
  cells: usize,
  width: i32,
  rowCount: i32,
  weights: usize,
  inputBytes: usize,
  units: usize,
  outputCount: i32,
  scores: usize,
): void {
  const intercepts = weights + inputBytes;
  const outputs = intercepts + UNITS_BYTES;
  for (let row = 0; row < rowCount; row++) {
    let a = v128.load(intercepts);
    let b = v128.load(intercepts, 16);
    let c = v128.load(intercepts, 32);
    let d = v128.load(intercepts, 48);
    const end = cells + usize(width) * CELL_BYTES;
    for (; cells < end; cells += CELL_BYTES) {
      const own = weights + load<u32>(cells);
      const value = v128.load_splat<f32>(cells, 4);
      a = f32x4.add(a, f32x4.mul(value, v128.load(own)));
      b = f32x4.add(b, f32x4.mul(value, v128.load(own, 16)));
      c = f32x4.add(c, f32x4.mul(value, v128.load(own, 32)));
      d = f32x4.add(d, f32x4.mul(value, v128.load(own, 48)));
    }
    a = tanh(a);
    b = tanh(b);
    c = tanh(c);
    d = tanh(d);
    v128.store(units, a);
    v128.store(units, b, 16);
    v128.store(units, c, 32);
    v128.store(units, d, 48);
    units += UNITS_BYTES;
    let output = outputs;
    let score = scores;
    for (let k = 0; k < outputCount; k++) {
      const first = f32x4.add(f32x4.mul(a, v128.load(output)), f32x4.mul(b, v128.load(output, 16)));
      const second = f32x4.add(f32x4.mul(c, v128.load(output, 32)), f32x4.mul(d, v128.load(output, 48)));
      store<f64>(score, load<f64>(score) + sumOf(f32x4.add(first, second)));
      output += UNITS_BYTES;
      score += usize(rowCount) * SCORE_BYTES;
    }
    scores += SCORE_BYTES;
  }
}

/** Adds to the gradient by the weights. `units` are those of the forward pass; `residuals` lie as the scores do. */
export function backward(
  cells: usize,
  width: i32,
  rowCount: i32,
  weights: usize,
  inputBytes: usize,
  units: usize,
  outputCount: i32,
  residuals: usize,
  gradient: usize,
): void {
  const outputs = weights + inputBytes + UNITS_BYTES;
  const intercepts = gradient + inputBytes;
  const outputGradient = intercepts + UNITS_BYTES;
  const one = f32x4.splat(1);
  for (let row = 0; row < rowCount; row++) {
    const a = v128.load(units);
    const b = v128.load(units, 16);
    const c = v128.load(units, 32);
    const d = v128.load(units, 48);
    units += UNITS_BYTES;
    let w = f32x4.splat(0);
    let x = w;
    let y = w;
    let z = w;
    let output = outputs;
    let own = outputGradient;
    let at = residuals;
    for (let k = 0; k < outputCount; k++) {
      const residual = f32x4.splat(f32(load<f64>(at)));
      w = f32x4.add(w, f32x4.mul(residual, v128.load(output)));
      x = f32x4.add(x, f32x4.mul(residual, v128.load(output, 16)));
      y = f32x4.add(y, f32x4.mul(residual, v128.load(output, 32)));
      z = f32x4.add(z, f32x4.mul(residual, v128.load(output, 48)));
      addTo(own, f32x4.mul(residual, a), f32x4.mul(residual, b), f32x4.mul(residual, c), f32x4.mul(residual, d));
      output += UNITS_BYTES;
      own += UNITS_BYTES;
      at += usize(rowCount) * SCORE_BYTES;
    }
    residuals += SCORE_BYTES;
    // The slope of tanh is 1 - tanh².
    w = f32x4.mul(w, f32x4.sub(one, f32x4.mul(a, a)));
    x = f32x4.mul(x, f32x4.sub(one, f32x4.mul(b, b)));
    y = f32x4.mul(y, f32x4.sub(one, f32x4.mul(c, c)));
    z = f32x4.mul(z, f32x4.sub(one, f32x4.mul(d, d)));
    addTo(intercepts, w, x, y, z);
    const end = cells + usize(width) * CELL_BYTES;
    for (; cells < end; cells += CELL_BYTES) {
      const value = v128.load_splat<f32>(cells, 4);
      addTo(
        gradient + load<u32>(cells),
        f32x4.mul(value, w),
        f32x4.mul(value, x),
        f32x4.mul(value, y),
        f32x4.mul(value, z),
      );
    }
  }
}

function addTo(at: usize, a: v128, b: v128, c: v128, d: v128): void {
  v128.store(at, f32x4.add(v128.load(at), a));
  v128.store(at, f32x4.add(v128.load(at, 16), b), 16);
  v128.store(at, f32x4.add(v128.load(at, 32), c), 32);
  v128.store(at, f32x4.add(v128.load(at, 48), d), 48);
}

/** (1 - e) / (1 + e) with the sign of z, where e = exp(-2 |z|): a power of two times a Taylor series of the rest. */
function tanh(z: v128): v128 {
  const sign = v128.and(z, i32x4.splat(0x8000_0000));
  const exponent = f32x4.max(f32x4.mul(f32x4.abs(z), f32x4.splat(-2)), f32x4.splat(LEAST_EXPONENT));
  const power = f32x4.nearest(f32x4.mul(exponent, f32x4.splat(LOG2_E)));
  const rest = f32x4.sub(exponent, f32x4.mul(power, f32x4.splat(LN_2)));
  let series = f32x4.splat(1 / 720);
  series = f32x4.add(f32x4.mul(series, rest), f32x4.splat(1 / 120));
  series = f32x4.add(f32x4.mul(series, rest), f32x4.splat(1 / 24));
  series = f32x4.add(f32x4.mul(series, rest), f32x4.splat(1 / 6));
  series = f32x4.add(f32x4.mul(series, rest), f32x4.splat(1 / 2));
  series = f32x4.add(f32x4.mul(series, rest), f32x4.splat(1));
  series = f32x4.add(f32x4.mul(series, rest), f32x4.splat(1));
  const bits = i32x4.shl(i32x4.add(i32x4.trunc_sat_f32x4_s(power), i32x4.splat(127)), 23);
  const e = f32x4.mul(series, bits);
  const one = f32x4.splat(1);
  return v128.or(f32x4.div(f32x4.sub(one, e), f32x4.add(one, e)), sign);
}

function sumOf(lanes: v128): f64 {
  const first = f32x4.extract_lane(lanes, 0) + f32x4.extract_lane(lanes, 1);
  return f64(first + (f32x4.extract_lane(lanes, 2) + f32x4.extract_lane(lanes, 3)));
}
