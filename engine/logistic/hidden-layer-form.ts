// A hidden layer as a form of model: how it is stored and checked.
import { codeStartsOf } from "../fitting/coarse-columns.ts";
import { type ModelForm, putArrays, takeArrays } from "../fitting/model-form.ts";
import { outputCountOf } from "../fitting/score-tables.ts";
import { sumOf } from "../sums.ts";
import { type HiddenLayer, scoreHiddenLayer } from "./hidden-layer.ts";

interface PackedHiddenLayer {
  kind: "hidden layer";
  classCount: number;
  outputCount: number;
  unitCount: number;
}

const ARRAYS = {
  codeInputs: Uint32Array,
  codeValues: Float64Array,
  unitWeights: Float32Array,
  unitIntercepts: Float64Array,
  outputWeights: Float64Array,
  intercepts: Float64Array,
};

export const HIDDEN_LAYER: ModelForm<HiddenLayer, PackedHiddenLayer> = {
  kind: "hidden layer",
  arrays: ARRAYS,
  score: scoreHiddenLayer,
  pack: (model, shelf, prefix) => {
    putArrays(ARRAYS, model, shelf, prefix);
    const { kind, classCount, outputCount, unitCount } = model;
    return { kind, classCount, outputCount, unitCount };
  },
  unpack: ({ kind, classCount, outputCount, unitCount }, codeCounts, shelf, prefix) => {
    const codeStarts = codeStartsOf(codeCounts);
    const model = { kind, classCount, outputCount, unitCount, codeStarts, ...takeArrays(ARRAYS, shelf, prefix) };
    const codeCount = sumOf(codeCounts);
    return isSound(model, codeCount) ? model : null;
  },
};

/** Whether its arrays fit together and every code's input exists, so that scoring reads inside the arrays. */
function isSound(model: HiddenLayer, codeCount: number): boolean {
  const { classCount, outputCount, unitCount, codeInputs, codeValues, unitWeights } = model;
  return (
    outputCount === outputCountOf(classCount) &&
    Number.isInteger(unitCount) &&
    unitCount > 0 &&
    codeInputs.length === codeCount &&
    codeValues.length === codeCount &&
    codeInputs.every((input, at) => codeValues[at] === 0 || (input + 1) * unitCount <= unitWeights.length) &&
    model.unitIntercepts.length === unitCount &&
    model.outputWeights.length === unitCount * outputCount &&
    model.intercepts.length === outputCount
  );
}
