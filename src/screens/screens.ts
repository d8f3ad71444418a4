// The dashboard's table of contents: every screen with its path, and the section of the navigation that it belongs to.
//
// To add a screen, write `src/screens/<name>.tsx` with one component of ScreenProps and name it here. Nothing else is to be done.
import type { ComponentType } from "preact";
import type { ScreenProps } from "../browser/router.ts";
import { Account } from "./account.tsx";
import { Administration } from "./administration.tsx";
import { Dataset } from "./dataset.tsx";
import { Datasets } from "./datasets.tsx";
import { Home } from "./home.tsx";
import { NewDataset } from "./new-dataset.tsx";
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

export const SCREENS: readonly Screen[] = [
  { path: "/", section: "/", screen: Home },
  { path: "/refinements", section: "/refinements", screen: Refinements },
  { path: "/datasets", section: "/datasets", screen: Datasets },
  { path: "/datasets/new", section: "/datasets", screen: NewDataset },
  { path: "/datasets/{datasetKey}", section: "/datasets", screen: Dataset },
  { path: "/trainings", section: "/trainings", screen: Trainings },
  { path: "/predictions", section: "/predictions", screen: Predictions },
  { path: "/administration", section: "/administration", screen: Administration },
  { path: "/account", section: "/account", screen: Account },
];
