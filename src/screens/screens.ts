// The dashboard's table of contents: every screen with its path, and the sections of the navigation.
//
// To add a screen, write `src/screens/<name>.tsx` with one component of ScreenProps and list it here. A screen that is
// neither the start nor a list goes through `detail-screens.ts`.
import type { ComponentType } from "preact";
import { askAhead } from "../browser/client.ts";
import { fillPath, matchPath, type ScreenProps } from "../browser/router.ts";
import { lazily } from "../components/lazy.tsx";
import { Datasets } from "./datasets.tsx";
import { Home } from "./home.tsx";
import { Models } from "./models.tsx";
import { Predictions } from "./predictions.tsx";
import { Refinements } from "./refinements.tsx";
import { Trainings } from "./trainings.tsx";

export interface Screen {
  /** Parts in braces become the screen's `params`. The first screen whose path matches is shown. */
  path: string;
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
  { path: "/", screen: Home },
  { path: "/start/{datasetKey}", screen: detail("Start") },
  { path: "/refinements", screen: Refinements },
  { path: "/refinements/new", screen: detail("NewRefinement") },
  {
    path: "/refinements/{featureRefinementKey}",
    screen: detail("Refinement"),
    asks: ["/api/v1/feature-refinery/{featureRefinementKey}/progress"],
  },
  { path: "/datasets", screen: Datasets },
  { path: "/datasets/new", screen: detail("NewDataset") },
  { path: "/datasets/{datasetKey}", screen: detail("Dataset"), asks: ["/api/v1/datasets/{datasetKey}"] },
  { path: "/datasets/{datasetKey}/train", screen: detail("NewTraining") },
  { path: "/trainings", screen: Trainings },
  {
    path: "/trainings/{trainingJobKey}",
    screen: detail("Training"),
    asks: ["/api/v1/training/{trainingJobKey}/progress"],
  },
  { path: "/models", screen: Models },
  { path: "/models/compare", screen: detail("CompareModels") },
  { path: "/models/{modelKey}", screen: detail("Model"), asks: MODEL },
  { path: "/models/{modelKey}/health", screen: detail("Health"), asks: MODEL },
  { path: "/models/{modelKey}/predict", screen: detail("NewPrediction") },
  { path: "/models/{modelKey}/row", screen: detail("PredictRow") },
  { path: "/predictions", screen: Predictions },
  { path: "/predictions/{predictionKey}", screen: detail("Prediction"), asks: ["/api/v1/predictions/{predictionKey}"] },
  { path: "/administration", screen: detail("Administration") },
  { path: "/administration/audit", screen: detail("Audit") },
  { path: "/account", screen: detail("Account") },
  { path: "/account/password", screen: detail("OwnPassword") },
];

/** Sections of screens, by the first part of their path, which are not called by it. */
const OTHER_SECTIONS: Readonly<Record<string, string>> = { start: "/", models: "/trainings" };

/** The screen of a path, with what the path names, and its section; null where there is none. */
export function screenAt(path: string): (Screen & ScreenProps & { section: string }) | null {
  const [, first = ""] = path.split("/");
  for (const screen of SCREENS) {
    const params = matchPath(screen.path, path);
    if (params !== null) return { ...screen, params, section: OTHER_SECTIONS[first] ?? `/${first}` };
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
