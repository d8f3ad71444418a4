// The dashboard's table of contents: every screen with its path, and the section of the navigation that it belongs to.
//
// To add a screen, write `src/screens/<name>.tsx` with one component of ScreenProps and name it here; one that draws pictures or
// reads files goes through `detail-screens.ts`. Nothing else is to be done.
import type { ComponentType } from "preact";
import { lazily } from "../browser/lazy.tsx";
import type { ScreenProps } from "../browser/router.ts";
import { Account } from "./account.tsx";
import { Administration } from "./administration.tsx";
import { Datasets } from "./datasets.tsx";
import { Home } from "./home.tsx";
import { Models } from "./models.tsx";
import { NewDataset } from "./new-dataset.tsx";
import { NewRefinement } from "./new-refinement.tsx";
import { NewTraining } from "./new-training.tsx";
import { OwnPassword } from "./own-password.tsx";
import { Predictions } from "./predictions.tsx";
import { Refinements } from "./refinements.tsx";
import { Trainings } from "./trainings.tsx";

export interface Screen {
  /** Parts in braces are given to the screen as `params`. The first that fits is shown. */
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

/** Asked for early, so that it is there when the first of them is opened. */
export const detailScreens = () => import("./detail-screens.ts");

export const SCREENS: readonly Screen[] = [
  { path: "/", section: "/", screen: Home },
  { path: "/start/{datasetKey}", section: "/", screen: lazily(async () => (await detailScreens()).Start) },
  { path: "/refinements", section: "/refinements", screen: Refinements },
  { path: "/refinements/new", section: "/refinements", screen: NewRefinement },
  {
    path: "/refinements/{featureRefinementKey}",
    section: "/refinements",
    screen: lazily(async () => (await detailScreens()).Refinement),
  },
  { path: "/datasets", section: "/datasets", screen: Datasets },
  { path: "/datasets/new", section: "/datasets", screen: NewDataset },
  { path: "/datasets/{datasetKey}", section: "/datasets", screen: lazily(async () => (await detailScreens()).Dataset) },
  { path: "/datasets/{datasetKey}/train", section: "/datasets", screen: NewTraining },
  { path: "/trainings", section: "/trainings", screen: Trainings },
  {
    path: "/trainings/{trainingJobKey}",
    section: "/trainings",
    screen: lazily(async () => (await detailScreens()).Training),
  },
  { path: "/models", section: "/trainings", screen: Models },
  { path: "/models/{modelKey}", section: "/trainings", screen: lazily(async () => (await detailScreens()).Model) },
  {
    path: "/models/{modelKey}/predict",
    section: "/predictions",
    screen: lazily(async () => (await detailScreens()).NewPrediction),
  },
  {
    path: "/models/{modelKey}/row",
    section: "/predictions",
    screen: lazily(async () => (await detailScreens()).PredictRow),
  },
  { path: "/predictions", section: "/predictions", screen: Predictions },
  {
    path: "/predictions/{predictionKey}",
    section: "/predictions",
    screen: lazily(async () => (await detailScreens()).Prediction),
  },
  { path: "/administration", section: "/administration", screen: Administration },
  { path: "/account", section: "/account", screen: Account },
  { path: "/account/password", section: "/account", screen: OwnPassword },
];
