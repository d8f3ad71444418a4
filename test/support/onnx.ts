// ONNX files scored by another program: onnxruntime, compiled to WebAssembly.
import { env, InferenceSession, Tensor } from "onnxruntime-web";
import type { InputValues } from "../../engine/export/onnx/inputs.ts";

env.wasm.numThreads = 1;
env.logLevel = "error";

export interface OnnxAnswers {
  labels: string[];
  /** `rows × labels`. */
  probabilities: Float64Array;
}

/** The answers to rows, given as the check file of an export has them. */
export async function scoreOnnx(pieces: readonly Uint8Array[], inputs: InputValues): Promise<OnnxAnswers> {
  const session = await InferenceSession.create(new Uint8Array(Buffer.concat(pieces)), { logSeverityLevel: 3 });
  try {
    const feeds = Object.fromEntries(Object.entries(inputs).map(([name, values]) => [name, tensorOf(values)]));
    const { label, probabilities } = await session.run(feeds);
    return { labels: label!.data as unknown as string[], probabilities: probabilities!.data as Float64Array };
  } finally {
    await session.release();
  }
}

/** A column; null is a missing number. */
function tensorOf(values: InputValues[string]): Tensor {
  const dims = [values.length, 1];
  if (values.some((value) => typeof value === "string")) return new Tensor("string", values as string[], dims);
  return new Tensor(
    "float64",
    Float64Array.from(values as (number | null)[], (value) => value ?? Number.NaN),
    dims,
  );
}
