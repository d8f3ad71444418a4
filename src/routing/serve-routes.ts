// Makes routes into a function that answers requests: Elysia finds the
// route, all else is decided here and in answer.ts.
import { Elysia } from "elysia";
import type { ClientAddresses } from "../auth/client-address.ts";
import { completeHeaders, STRICT_TRANSPORT } from "../http/headers.ts";
import { type HostCheck, hostNotAllowed } from "../http/hosts.ts";
import { ApiError } from "../http/problem.ts";
import { createRefusals } from "../receiving/refused-body.ts";
import { answerError, answerRoute, type Connection, type Surroundings } from "./answer.ts";
import type { Cors } from "./cors.ts";
import type { Method, Route } from "./route.ts";

/** The part of `Bun.serve`'s server that is used here. */
interface ServerHandle {
  timeout(request: Request, seconds: number): void;
  requestIP(request: Request): { address: string } | null;
}

export interface App {
  /** Answers a request; never throws. */
  fetch(request: Request, server?: ServerHandle): Promise<Response>;
  routes: readonly Route[];
}

export interface ServeSettings extends Surroundings {
  isAllowedHost: HostCheck;
  clientAddresses: ClientAddresses;
  cors: Cors;
  /** Whether this server itself speaks TLS. */
  isTls: boolean;
}

/** Answers a request that has passed the checks before all routes; never throws. */
type Router = (request: Request, server: ServerHandle | undefined) => Promise<Response>;

/**
 * An app of these routes. Throws if two have the same method and path or
 * operationId, or call one part of a path differently.
 */
export function serveRoutes(routes: readonly Route[], settings: ServeSettings): App {
  refuseTwins(routes);
  refuseOtherNames(routes);
  const router = createRouter(routes, settings);
  const seeRefusalOut = createRefusals();
  const isStrict = settings.isTls || settings.publicUrl?.startsWith("https:") === true;
  return {
    routes,
    fetch: async (request, server) => {
      const response = answerBeforeRoutes(request, settings) ?? (await router(request, server));
      if (isStrict) response.headers.set("strict-transport-security", STRICT_TRANSPORT);
      settings.cors.complete(request, response.headers);
      if (response.status < 400) return response;
      return seeRefusalOut(request, response, (seconds) => server?.timeout(request, seconds));
    },
  };
}

/** The answer to a request that must not or need not reach a route; null for all others. */
function answerBeforeRoutes(request: Request, settings: ServeSettings): Response | null {
  const host = hostOf(request);
  if (host === null || !settings.isAllowedHost(host)) return answerError(hostNotAllowed(host), request, settings);
  const ready = answerPreflight(request, settings.cors) ?? answerBasePath(request, settings.basePath);
  if (ready !== null) return ready;
  const isFindable = startsWhereElysiaLooks(request.url, settings.isTls);
  return isFindable ? null : answerError(notFound(settings.basePath), request, settings);
}

function createRouter(routes: readonly Route[], settings: ServeSettings): Router {
  // Elysia searches for the path from a fixed position of the URL, and each of its two positions is wrong for one
  // scheme: behind a short host, 11 lets `GET /x/api/v1/…` through as `/api/v1/…`; behind `https://`, 7 finds nothing.
  const elysia = new Elysia({
    normalize: false,
    strictPath: true,
    aot: true,
    systemRouter: false,
    handler: { standardHostname: settings.isTls },
  });
  const servers = new WeakMap<Request, ServerHandle>();
  const connection: Connection = {
    clientAddress: (request) =>
      settings.clientAddresses(
        servers.get(request)?.requestIP(request)?.address ?? null,
        request.headers.get("x-forwarded-for"),
      ),
    keepAlive: (request, seconds) => servers.get(request)?.timeout(request, seconds),
  };
  for (const [path, methods] of byPath(routes)) {
    const pattern = settings.basePath + path.replaceAll(/\{(\w+)\}/g, ":$1");
    for (const [method, route] of methods) {
      elysia.route(
        method,
        pattern,
        // Elysia reads this function's source for the names in its parameter list.
        ({ request, params }) => answerRoute(route, request, params, settings, connection),
        { parse: "none" },
      );
    }
    const allow = allowedMethods([...methods.keys()]);
    elysia.route(
      "ALL",
      pattern,
      ({ request }) => answerError(methodNotAllowed(request.method, allow), request, settings),
      { parse: "none" },
    );
  }
  elysia.onError(({ request, error, code }) =>
    answerError(unrouted(error, code, settings.basePath), request, settings),
  );
  return async (request, server) => {
    // Elysia answers HEAD by reading the whole answer to GET; the server below leaves the body out unread.
    const routed = request.method === "HEAD" ? new Request(request, { method: "GET" }) : request;
    if (server !== undefined) servers.set(routed, server);
    try {
      return await elysia.fetch(routed);
    } catch (error) {
      return answerError(error, request, settings);
    }
  };
}

/** Preflights come before any route: browsers send them without a credential. */
function answerPreflight(request: Request, cors: Cors): Response | null {
  const response = cors.preflight(request);
  if (response !== null) completeHeaders(response.headers, crypto.randomUUID());
  return response;
}

/** Adds the base path's final slash, without which the dashboard's relative addresses do not resolve. */
function answerBasePath({ method, url }: Request, basePath: string): Response | null {
  if (basePath === "" || method !== "GET" || new URL(url).pathname !== basePath) return null;
  const response = new Response(null, { status: 308, headers: { location: `${basePath.split("/").at(-1)}/` } });
  completeHeaders(response.headers, crypto.randomUUID());
  return response;
}

function refuseTwins(routes: readonly Route[]): void {
  const seen = new Set<string>();
  for (const { method, path, operationId } of routes) {
    for (const name of [`${method} ${path.replaceAll(/\{\w+\}/g, "{}")}`, operationId]) {
      if (seen.has(name)) throw new Error(`two routes are called ${name}`);
      seen.add(name);
    }
  }
}

/** With two names at one place Elysia would answer every request with 500, and only then. */
function refuseOtherNames(routes: readonly Route[]): void {
  const known = new Map<string, { name: string; path: string }>();
  for (const { path } of routes) {
    for (const { index, 1: name = "" } of path.matchAll(/\{(\w+)\}/g)) {
      const place = path.slice(0, index).replaceAll(/\{\w+\}/g, "{}");
      const first = known.get(place) ?? { name, path };
      known.set(place, first);
      if (first.name === name) continue;
      throw new Error(`${path} calls {${name}} what ${first.path} calls {${first.name}}: give both one name`);
    }
  }
}

function byPath(routes: readonly Route[]): Map<string, Map<Method, Route>> {
  const paths = new Map<string, Map<Method, Route>>();
  for (const route of routes) {
    const methods = paths.get(route.path) ?? new Map<Method, Route>();
    paths.set(route.path, methods.set(route.method, route));
  }
  return paths;
}

function allowedMethods(methods: readonly Method[]): string {
  return methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])).join(", ");
}

function methodNotAllowed(method: string, allow: string): ApiError {
  const verb = allow.includes(",") ? "do" : "does";
  return new ApiError("METHOD_NOT_ALLOWED", `${method} does not exist here; ${allow} ${verb}.`, { headers: { allow } });
}

function notFound(basePath: string): ApiError {
  return new ApiError("NOT_FOUND", `There is no such path; ${basePath}/docs lists those that exist.`);
}

/** The fault of a request that reached no route. */
function unrouted(error: unknown, code: unknown, basePath: string): unknown {
  return code === "NOT_FOUND" ? notFound(basePath) : error;
}

/**
 * The host of a request. Null for none, an impossible one, or two: a target in absolute
 * form (`GET http://a/…`) and a different Host header.
 */
function hostOf({ url, headers }: Request): string | null {
  const target = URL.parse(url);
  const header = headers.get("host");
  if (target === null) return null;
  return header === null || URL.parse(`${target.protocol}//${header}`)?.host === target.host ? target.host : null;
}

/** Whether Elysia looks for the path where it begins. */
function startsWhereElysiaLooks(url: string, isTls: boolean): boolean {
  return url.indexOf("/", url.indexOf("://") + 3) === url.indexOf("/", isTls ? 11 : 7);
}
