// The service's table of contents: every resource, and what they need.
//
// A resource is a file in a folder of api/ that makes its routes (see http/route.ts) from `Services` (api/services.ts).
// Its routes are named below; nothing else is needed.

import { datasetRoutes } from "../api/datasets/datasets.ts";
import { exampleRowRoutes } from "../api/models/example-row.ts";
import { modelComparisonRoutes } from "../api/models/model-comparison.ts";
import { modelDetailRoutes } from "../api/models/model-details.ts";
import { modelEffectRoutes } from "../api/models/model-effects.ts";
import { modelFileRoutes } from "../api/models/model-files.ts";
import { modelHealthRoutes } from "../api/models/model-health.ts";
import { modelNameRoutes } from "../api/models/model-names.ts";
import { modelThresholdRoutes } from "../api/models/model-threshold.ts";
import { modelRoutes } from "../api/models/models.ts";
import { newPredictionRoutes } from "../api/predictions/new-predictions.ts";
import { outcomeRoutes } from "../api/predictions/outcomes.ts";
import { predictionFileRoutes } from "../api/predictions/prediction-files.ts";
import { predictionRowRoutes } from "../api/predictions/prediction-rows.ts";
import { predictionShiftRoutes } from "../api/predictions/prediction-shift.ts";
import { predictionUploadRoutes } from "../api/predictions/prediction-uploads.ts";
import { predictionRoutes } from "../api/predictions/predictions.ts";
import { refinementRoutes } from "../api/refinements/feature-refinery.ts";
import { auditRoutes } from "../api/server/audit.ts";
import { clientRoutes } from "../api/server/clients-route.ts";
import { dashboardRoutes } from "../api/server/dashboard.ts";
import { docsRoutes } from "../api/server/docs.ts";
import { healthRoutes } from "../api/server/health.ts";
import { limitRoutes } from "../api/server/limits-route.ts";
import { metricsRoutes } from "../api/server/metrics.ts";
import { readerRoutes } from "../api/server/readers-route.ts";
import { usageRoutes } from "../api/server/usage-route.ts";
import type { Services } from "../api/services.ts";
import { modelLineRoutes } from "../api/successors/model-line.ts";
import { successorRoutes } from "../api/successors/successors.ts";
import { trainingRoutes } from "../api/training/training.ts";
import { trainingProgressRoutes } from "../api/training/training-progress.ts";
import { resumableRoutes } from "../api/uploads/resumable.ts";
import { uploadRenewalRoute } from "../api/uploads/upload-renewal.ts";
import { uploadRoutes } from "../api/uploads/uploads.ts";
import { apiKeyRoutes } from "../api/users/api-keys.ts";
import { loginRoutes } from "../api/users/login.ts";
import { ownListRoutes } from "../api/users/own-lists.ts";
import { userRoutes } from "../api/users/users.ts";
import { clientAddresses } from "../auth/client-address.ts";
import { allowHosts } from "../http/hosts.ts";
import { corsOf } from "../routing/cors.ts";
import { createIdempotency } from "../routing/idempotency.ts";
import { openApiDocument } from "../routing/openapi.ts";
import type { Route } from "../routing/route.ts";
import { type App, serveRoutes } from "../routing/serve-routes.ts";
import type { ServeOptions } from "./config.ts";

export interface AppSettings extends Pick<ServeOptions, "basePath" | "publicUrl" | "trustedProxies" | "corsOrigins"> {
  /** Names of this server, besides `localhost` and addresses. */
  hostNames: readonly string[];
  isTls: boolean;
  /** Refuses our own answers if they do not fit their schemas: for tests. */
  checkAnswers: boolean;
}

const TAGS = [
  { name: "Login", description: "Tokens, and keys for programs." },
  { name: "Feature refinement", description: "Which columns carry signal, and files reduced to them." },
  { name: "Datasets", description: "Labelled tables, prepared for training." },
  { name: "Training", description: "Attempts of three families on a dataset; the best three are kept." },
  { name: "Models", description: "What training kept." },
  { name: "Predictions", description: "New rows scored by a model." },
  { name: "Uploads", description: "Large files, sent to a signed address, whole or in pieces." },
  { name: "Users", description: "Who may log in; for administrators." },
  { name: "Server", description: "Health, limits and this reference." },
] as const;

/** The whole API. */
export function createApp(services: Services, settings: AppSettings): App {
  const routes = [
    ...loginRoutes(services),
    ...apiKeyRoutes(services),
    ...refinementRoutes(services),
    ...datasetRoutes(services),
    ...trainingRoutes(services),
    ...trainingProgressRoutes(services),
    ...modelRoutes(services),
    ...modelComparisonRoutes(services),
    ...modelDetailRoutes(services),
    ...exampleRowRoutes(services),
    ...modelEffectRoutes(services),
    ...modelHealthRoutes(services),
    ...modelFileRoutes(services),
    ...modelThresholdRoutes(services),
    ...modelNameRoutes(services),
    ...successorRoutes(services),
    ...modelLineRoutes(services),
    ...newPredictionRoutes(services),
    ...predictionUploadRoutes(services),
    ...predictionRoutes(services),
    ...predictionFileRoutes(services),
    ...predictionShiftRoutes(services),
    ...outcomeRoutes(services),
    ...predictionRowRoutes(services),
    ...ownListRoutes(services),
    ...uploadRoutes(services),
    uploadRenewalRoute(services),
    ...resumableRoutes(services),
    ...limitRoutes(services),
    ...usageRoutes(services),
    ...readerRoutes(),
    ...clientRoutes(),
    ...userRoutes(services),
    ...auditRoutes(services),
    ...metricsRoutes(services),
    ...healthRoutes(services),
    ...dashboardRoutes(),
  ];
  return createAppOf(routes, services, settings);
}

/** An app of these routes and their reference. */
export function createAppOf(
  resources: readonly Route[],
  {
    bearers,
    requestLimit,
    log,
    version,
    database,
    now,
  }: Pick<Services, "bearers" | "requestLimit" | "log" | "version" | "database" | "now">,
  settings: AppSettings,
): App {
  const { basePath, publicUrl, hostNames, trustedProxies, corsOrigins } = settings;
  const routes: Route[] = [
    ...resources,
    ...docsRoutes(() =>
      openApiDocument(routes, { programVersion: version, serverUrl: publicUrl ?? basePath, tags: TAGS }),
    ),
  ];
  return serveRoutes(routes, {
    ...settings,
    ...log,
    identify: (authorization) => bearers.identify(authorization),
    admit: (credentialKey) => requestLimit.admit(credentialKey),
    idempotency: createIdempotency({ database, now, checkAnswers: settings.checkAnswers }),
    isAllowedHost: allowHosts(hostNames),
    clientAddresses: clientAddresses(trustedProxies),
    cors: corsOf(corsOrigins),
  });
}
