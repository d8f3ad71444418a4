// Scores rows by an ONNX file, a thousand at a time on one thread: FILE ROWS ANSWERS [FOLDER with onnxruntime-node]
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";

const [file, rowsPath, answersPath, folder] = process.argv.slice(2);
const { InferenceSession, Tensor, env } =
  folder === undefined ? await import("onnxruntime-web") : createRequire(`${folder}/`)("onnxruntime-node");
if (folder === undefined) env.wasm.numThreads = 1;
const BATCH = 1000;

const { inputs } = JSON.parse(readFileSync(rowsPath, "utf8"));
const count = Object.values(inputs)[0].length;
const isText = (values) => values.some((value) => typeof value === "string");
const columns = Object.entries(inputs).map(([name, values]) => [name, isText(values), values]);

const secondsSince = (begun) => {
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1e6;
};
const beforeLoading = process.cpuUsage();
const bytes = new Uint8Array(readFileSync(file));
const session = await InferenceSession.create(bytes, {
  logSeverityLevel: 3,
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
});
const loadSeconds = secondsSince(beforeLoading);

const labels = [];
const probabilities = [];
const beforeScoring = process.cpuUsage();
for (let from = 0; from < count; from += BATCH) {
  const feeds = {};
  for (const [name, text, values] of columns) {
    const own = values.slice(from, from + BATCH);
    const dims = [own.length, 1];
    feeds[name] = text
      ? new Tensor("string", own, dims)
      : new Tensor(
          "float64",
          Float64Array.from(own, (value) => value ?? Number.NaN),
          dims,
        );
  }
  const found = await session.run(feeds);
  labels.push(...found.label.data);
  const [rows, classes] = found.probabilities.dims;
  for (let row = 0; row < rows; row++) {
    probabilities.push([...found.probabilities.data.subarray(row * classes, (row + 1) * classes)]);
  }
}
const seconds = secondsSince(beforeScoring);
writeFileSync(answersPath, JSON.stringify({ labels, probabilities, loadSeconds, seconds }));
process.exit(0);
