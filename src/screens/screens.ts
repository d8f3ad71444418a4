// The dashboard's table of contents: every screen with its path and its section of the navigation.
//
// To add a screen, write `src/screens/<name>.tsx` with one component of ScreenProps and list it here. A screen that is
// neither the start nor a list goes through `detail-screens.ts`.
import type { ComponentType } from "preact";
import { askAhead } from "../browser/client.ts";
import { lazily } from "../browser/lazy.tsx";
import { fillPath, matchPath, type ScreenProps } from "../browser/router.ts";
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
  /**
   * Paths of the API whose answers it asks for first. Where the page is opened at it, they come while its code does.
   */
  asks?: readonly `/${string}`[];
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

type DetailScreens = typeof import("./detail-screens.ts");
let details: DetailScreens | null = null;

/** Loaded after signing in, before the first of them is opened. */
export async function loadDetailScreens(): Promise<void> {
  details = await import("./detail-screens.ts");
}

const detail = (name: keyof DetailScreens) => lazily(loadDetailScreens, () => details?.[name] ?? null);

const MODEL = ["/api/v1/models/{modelKey}", "/api/v1/models/{modelKey}/details"] as const;

const SCREENS: readonly Screen[] = [
  { path: "/", section: "/", screen: Home },
  { path: "/start/{datasetKey}", section: "/", screen: detail("Start") },
  { path: "/refinements", section: "/refinements", screen: Refinements },
  { path: "/refinements/new", section: "/refinements", screen: detail("NewRefinement") },
  {
    path: "/refinements/{featureRefinementKey}",
    section: "/refinements",
    screen: detail("Refinement"),
    asks: ["/api/v1/feature-refinery/{featureRefinementKey}/progress"],
  },
  { path: "/datasets", section: "/datasets", screen: Datasets },
  { path: "/datasets/new", section: "/datasets", screen: detail("NewDataset") },
  {
    path: "/datasets/{datasetKey}",
    section: "/datasets",
    screen: detail("Dataset"),
    asks: ["/api/v1/datasets/{datasetKey}"],
  },
  { path: "/datasets/{datasetKey}/train", section: "/datasets", screen: detail("NewTraining") },
  { path: "/trainings", section: "/trainings", screen: Trainings },
  {
    path: "/trainings/{trainingJobKey}",
    section: "/trainings",
    screen: detail("Training"),
    asks: ["/api/v1/training/{trainingJobKey}/progress"],
  },
  { path: "/models", section: "/trainings", screen: Models },
  { path: "/models/compare", section: "/trainings", screen: detail("CompareModels") },
  { path: "/models/{modelKey}", section: "/trainings", screen: detail("Model"), asks: MODEL },
  { path: "/models/{modelKey}/health", section: "/trainings", screen: detail("Health"), asks: MODEL },
  { path: "/models/{modelKey}/predict", section: "/trainings", screen: detail("NewPrediction") },
  { path: "/models/{modelKey}/row", section: "/trainings", screen: detail("PredictRow") },
  { path: "/predictions", section: "/predictions", screen: Predictions },
  {
    path: "/predictions/{predictionKey}",
    section: "/predictions",
    screen: detail("Prediction"),
    asks: ["/api/v1/predictions/{predictionKey}"],
  },
  { path: "/administration", section: "/administration", screen: detail("Administration") },
  { path: "/administration/audit", section: "/administration", screen: detail("Audit") },
  { path: "/account", section: "/account", screen: detail("Account") },
  { path: "/account/password", section: "/account", screen: detail("OwnPassword") },
];

/** The screen of a path, with what the path names; null where there is none. */
export function screenAt(path: string): (Screen & ScreenProps) | null {
  for (const screen of SCREENS) {
    const params = matchPath(screen.path, path);
    if (params !== null) return { ...screen, params };
  }
  return null;
}

/**
 * Asks for the code of a screen and the answers that it needs, together.
 * Resolves once all is there; what fails the screen tells.
 */
export async function askFor(path: string): Promise<void> {
  const found = screenAt(path);
  if (found?.asks === undefined) return;
  await Promise.allSettled([
    loadDetailScreens(),
    ...found.asks.map((asked) => askAhead(fillPath(asked, found.params))),
  ]);
}
