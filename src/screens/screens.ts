// The dashboard's table of contents: every screen with its path and its section of the navigation.
//
// To add a screen, write `src/screens/<name>.tsx` with one component of ScreenProps and list it here. A screen that is
// neither the start nor a list goes through `detail-screens.ts`.
import type { ComponentType } from "preact";
import { lazily } from "../browser/lazy.tsx";
import type { ScreenProps } from "../browser/router.ts";
import { Datasets } from "./datasets.tsx";
import { Home } from "./home.tsx";
import { Models } from "./models.tsx";
import { Predictions } from "./predictions.tsx";
import { Refinements } from "./refinements.tsx";
import { Trainings } from "./trainings.tsx";

export interface Screen {
  /** Parts in braces become the screen's `params`. The first screen whose path matches is shown. */
  path: string;
  section: string;
  screen: ComponentType<ScreenProps>;
}

export interface SectionLink {
  /** The path of its first screen. */
  path: string;
  name: string;
  isForAdministrators?: true;
}

/** The navigation, in its order. */
export const SECTIONS: readonly SectionLink[] = [
  { path: "/", name: "New" },
  { path: "/refinements", name: "Refinements" },
  { path: "/datasets", name: "Datasets" },
  { path: "/trainings", name: "Trainings & models" },
  { path: "/predictions", name: "Predictions" },
  { path: "/administration", name: "Administration", isForAdministrators: true },
];

/** Loaded after signing in, before the first of them is opened. */
export const detailScreens = () => import("./detail-screens.ts");

const detail = (name: keyof Awaited<ReturnType<typeof detailScreens>>) =>
  lazily(async () => (await detailScreens())[name]);

export const SCREENS: readonly Screen[] = [
  { path: "/", section: "/", screen: Home },
  { path: "/start/{datasetKey}", section: "/", screen: detail("Start") },
  { path: "/refinements", section: "/refinements", screen: Refinements },
  { path: "/refinements/new", section: "/refinements", screen: detail("NewRefinement") },
  {
    path: "/refinements/{featureRefinementKey}",
    section: "/refinements",
    screen: detail("Refinement"),
  },
  { path: "/datasets", section: "/datasets", screen: Datasets },
  { path: "/datasets/new", section: "/datasets", screen: detail("NewDataset") },
  { path: "/datasets/{datasetKey}", section: "/datasets", screen: detail("Dataset") },
  { path: "/datasets/{datasetKey}/train", section: "/datasets", screen: detail("NewTraining") },
  { path: "/trainings", section: "/trainings", screen: Trainings },
  {
    path: "/trainings/{trainingJobKey}",
    section: "/trainings",
    screen: detail("Training"),
  },
  { path: "/models", section: "/trainings", screen: Models },
  { path: "/models/compare", section: "/trainings", screen: detail("CompareModels") },
  { path: "/models/{modelKey}", section: "/trainings", screen: detail("Model") },
  { path: "/models/{modelKey}/health", section: "/trainings", screen: detail("Health") },
  {
    path: "/models/{modelKey}/predict",
    section: "/trainings",
    screen: detail("NewPrediction"),
  },
  {
    path: "/models/{modelKey}/row",
    section: "/trainings",
    screen: detail("PredictRow"),
  },
  { path: "/predictions", section: "/predictions", screen: Predictions },
  {
    path: "/predictions/{predictionKey}",
    section: "/predictions",
    screen: detail("Prediction"),
  },
  { path: "/administration", section: "/administration", screen: detail("Administration") },
  { path: "/administration/audit", section: "/administration", screen: detail("Audit") },
  { path: "/account", section: "/account", screen: detail("Account") },
  { path: "/account/password", section: "/account", screen: detail("OwnPassword") },
];
