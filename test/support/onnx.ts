// ONNX files scored by another program: onnxruntime, compiled to WebAssembly.
import { env, InferenceSession, Tensor } from "onnxruntime-web";
import type { InputValues } from "../../engine/export/onnx/inputs.ts";

env.wasm.numThreads = 1;
/** Its start puts another class in its place, which our threads cannot be made of. */
const OwnWorker = globalThis.Worker;

export interface OnnxAnswers {
  labels: readonly string[];
  /** `rows × labels`. */
  probabilities: Float64Array;
}

/** Gives the loaded file to `use`. */
export async function withOnnx<T>(
  pieces: readonly Uint8Array[],
  use: (session: InferenceSession) => Promise<T>,
): Promise<T> {
  const session = await InferenceSession.create(new Uint8Array(Buffer.concat(pieces)), { logSeverityLevel: 3 });
  globalThis.Worker = OwnWorker;
  return use(session).finally(() => session.release());
}

/** The answers to rows, given as the check file of an export has them: null is a missing number. */
export async function scoreOnnx(
  session: InferenceSession,
  inputs: InputValues,
  isText: (input: string) => boolean,
): Promise<OnnxAnswers> {
  const feeds = Object.entries(inputs).map(([name, values]) => {
    const dims = [values.length, 1];
    if (isText(name)) return [name, new Tensor("string", values as string[], dims)];
    const numbers = Float64Array.from(values as (number | null)[], (value) => value ?? Number.NaN);
    return [name, new Tensor("float64", numbers, dims)];
  });
  const { label, probabilities } = await session.run(Object.fromEntries(feeds));
  return { labels: label!.data as unknown as string[], probabilities: probabilities!.data as Float64Array };
}
