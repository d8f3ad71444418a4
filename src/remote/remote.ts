// The parts that the command line needs for work on a server.
export { onServer } from "./connect.ts";
export { remoteInspect } from "./remote-inspect.ts";
export { remoteLabels, requirePredictionKey } from "./remote-labels.ts";
export { modelPlace, remotePredict } from "./remote-predict.ts";
export { remoteRefine } from "./remote-refine.ts";
export { remoteRun } from "./remote-run.ts";
