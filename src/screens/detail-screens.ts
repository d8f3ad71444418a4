// The screens that are neither the start nor lists: a separate part of the
// script, not needed to sign in or browse lists.

export { CompareModels } from "./compare-models.tsx";
export { Dataset } from "./dataset.tsx";
export { Health } from "./health.tsx";
export { Model } from "./model.tsx";
export { NewDataset } from "./new-dataset.tsx";
export { NewPrediction } from "./new-prediction.tsx";
export { NewRefinement } from "./new-refinement.tsx";
export { NewTraining } from "./new-training.tsx";
export { Account } from "./people/account.tsx";
export { Administration } from "./people/administration.tsx";
export { Audit } from "./people/audit.tsx";
export { OwnPassword } from "./people/own-password.tsx";
export { PredictRow } from "./predict-row.tsx";
export { Prediction } from "./prediction.tsx";
export { Refinement } from "./refinement.tsx";
export { Start } from "./start.tsx";
export { Training } from "./training.tsx";
