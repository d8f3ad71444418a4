// The screens that draw or read files: a part of the script by itself, since nobody needs them to sign in and look through lists.
export { Dataset } from "./dataset.tsx";
export { Model } from "./model.tsx";
export { NewPrediction } from "./new-prediction.tsx";
export { PredictRow } from "./predict-row.tsx";
export { Prediction } from "./prediction.tsx";
export { Refinement } from "./refinement.tsx";
export { Start } from "./start.tsx";
export { Training } from "./training.tsx";
