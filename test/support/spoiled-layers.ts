// Hidden layers whose parts do not fit together, under a checksum that is right: every reader refuses them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packArrays, unpackArrays } from "../../engine/arrays/array-file.ts";
import { HIDDEN_LAYER } from "../../engine/logistic/hidden-layer-form.ts";
import { MODEL_FORMAT } from "../../engine/model/model-file.ts";
import { VECTORS } from "./vectors.ts";

export function spoiledLayers(): Uint8Array[] {
  const bytes = readFileSync(join(VECTORS, "hidden-layer-many-classes.cupel"));
  const { head, arrays } = unpackArrays(MODEL_FORMAT, bytes) as {
    head: { model: { unitCount: number } };
    arrays: Map<string, Float64Array>;
  };
  const withArray = (name: string, array: Float64Array) =>
    packArrays(MODEL_FORMAT, head, new Map(arrays).set(name, array));
  const { unitCount } = head.model;
  const ofUnits = [0, 0.5, unitCount - 1, unitCount + 1].map((unitCount) =>
    packArrays(MODEL_FORMAT, { ...head, model: { ...head.model, unitCount } }, arrays),
  );
  const cut = Object.keys(HIDDEN_LAYER.arrays).map((name) => withArray(name, arrays.get(name)!.slice(1)));
  const used = arrays.get("codeValues")!.findIndex((value) => value !== 0);
  const inputCount = arrays.get("unitWeights")!.length / unitCount;
  const beyond = [inputCount, 2 ** 31, 2 ** 32 - 1].map((input) =>
    withArray("codeInputs", arrays.get("codeInputs")!.with(used, input)),
  );
  return [...ofUnits, ...cut, ...beyond];
}
