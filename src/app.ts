// The service's table of contents: every resource, and what they need.
//
// A resource is a file in api/ that makes its routes (see http/route.ts) from `Services` (api/services.ts). Its routes are named
// below; nothing else is needed.
import { auditRoutes } from "./api/audit.ts";
import { dashboardRoutes } from "./api/dashboard.ts";
import { datasetRoutes } from "./api/datasets.ts";
import { docsRoutes } from "./api/docs.ts";
import { refinementRoutes } from "./api/feature-refinery.ts";
import { healthRoutes } from "./api/health.ts";
import { limitRoutes } from "./api/limits-route.ts";
import { metricsRoutes } from "./api/metrics.ts";
import { modelDetailRoutes } from "./api/model-details.ts";
import { modelFileRoutes } from "./api/model-files.ts";
import { modelRoutes } from "./api/models.ts";
import { newPredictionRoutes } from "./api/new-predictions.ts";
import { ownListRoutes } from "./api/own-lists.ts";
import { predictionFileRoutes } from "./api/prediction-files.ts";
import { predictionRowRoutes } from "./api/prediction-rows.ts";
import { predictionRoutes } from "./api/predictions.ts";
import type { Services } from "./api/services.ts";
import { trainingRoutes } from "./api/training.ts";
import { trainingProgressRoutes } from "./api/training-progress.ts";
import { uploadRoutes } from "./api/uploads.ts";
import { usageRoutes } from "./api/usage-route.ts";
import { apiKeyRoutes } from "./auth/api-keys.ts";
import { clientAddresses } from "./auth/client-address.ts";
import { loginRoutes } from "./auth/login.ts";
import { userRoutes } from "./auth/users.ts";
import type { ServeOptions } from "./config.ts";
import { corsOf } from "./http/cors.ts";
import { allowHosts } from "./http/hosts.ts";
import { openApiDocument } from "./http/openapi.ts";
import type { Route } from "./http/route.ts";
import { type App, serveRoutes } from "./http/serve-routes.ts";

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
  { name: "Uploads", description: "Large files, sent to a signed address." },
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
    ...modelDetailRoutes(services),
    ...modelFileRoutes(services),
    ...newPredictionRoutes(services),
    ...predictionRoutes(services),
    ...predictionFileRoutes(services),
    ...predictionRowRoutes(services),
    ...ownListRoutes(services),
    ...uploadRoutes(services),
    ...limitRoutes(services),
    ...usageRoutes(services),
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
  { bearers, requestLimit, log, version }: Pick<Services, "bearers" | "requestLimit" | "log" | "version">,
  settings: AppSettings,
): App {
  const { basePath, publicUrl, hostNames, trustedProxies, corsOrigins } = settings;
  const routes: Route[] = [
    ...resources,
    ...docsRoutes(() => openApiDocument(routes, { version, serverUrl: publicUrl ?? basePath, tags: TAGS })),
  ];
  return serveRoutes(routes, {
    ...settings,
    ...log,
    identify: (authorization) => bearers.identify(authorization),
    admit: (credentialKey) => requestLimit.admit(credentialKey),
    isAllowedHost: allowHosts(hostNames),
    clientAddresses: clientAddresses(trustedProxies),
    cors: corsOf(corsOrigins),
  });
}
