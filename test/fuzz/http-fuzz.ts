// The fuzz campaign: requests made from the OpenAPI document, and what every answer to them has to be.
import fc from "fast-check";
import { PROBLEMS, type ProblemCode } from "../../src/api/problem-codes.ts";
import type { TestApi } from "../support/api.ts";
import {
  type ApiDocument,
  type DeclaredAnswer,
  type Json,
  misfitOf,
  type Operation,
  readDocument,
} from "./api-document.ts";
import { anyRequest, type FuzzRequest } from "./fuzz-requests.ts";
import { createWorld, type FuzzWorld, MARKER, renewWorld } from "./fuzz-world.ts";

export interface Campaign {
  requestCount: number;
  /** Answers by operation and status. */
  statuses: Record<string, Record<number, number>>;
  /** What was wrong, once per operation and fault, each with a request that shows it. */
  findings: string[];
}

/** Operations that bob may not ask for: grace, who administers, asks in his place. */
const FOR_ADMINISTRATORS = [
  ...["listAudit", "getMetrics"],
  ...["listUsers", "addUser", "changeUser", "renewPassword", "removeUser"],
];
/** What answers later than this hangs, on however busy a machine. */
const MOST_ANSWER_MS = 20_000;

/** Sends so many requests to every operation. The same seed makes the same requests, but for keys. */
export async function runCampaign(api: TestApi, seed: number, requestsPerOperation: number): Promise<Campaign> {
  const world = createWorld(api);
  const document = readDocument((await (await fetch(`${world.origin}/openapi.json`)).json()) as Json);
  const campaign: Campaign = { requestCount: 0, statuses: {}, findings: [] };
  const seen = new Set<string>();
  const note = (operation: Operation, fault: string, request: FuzzRequest | null) => {
    const name = `${operation.id}: ${fault}`;
    if (!seen.has(name)) campaign.findings.push(request === null ? name : `${name}\n  ${shown(request)}`);
    seen.add(name);
  };
  const before = await picture(world);
  for (const [index, operation] of document.operations.entries()) {
    renewWorld(world);
    const statuses: Record<number, number> = {};
    campaign.statuses[operation.id] = statuses;
    const user = FOR_ADMINISTRATORS.includes(operation.id) ? "grace" : "bob";
    const credentials = { token: await api.tokenOf(user), apiKey: api.apiKeyOf(user, ["read"]) };
    const requests = anyRequest(operation, world, credentials);
    for (const request of fc.sample(requests, { seed: seed + index, numRuns: requestsPerOperation })) {
      // The limit on requests is not what is tested here.
      if (++campaign.requestCount % 500 === 0) api.pass(60);
      const response = await send(world, request);
      if (response === null) {
        note(operation, `has not answered after ${MOST_ANSWER_MS} ms`, request);
        continue;
      }
      statuses[response.status] = (statuses[response.status] ?? 0) + 1;
      for (const fault of await faultsOf(world, document, operation, request, response))
        note(operation, fault, request);
      for (const fault of api.faults.splice(0)) note(operation, `the log says ${faultText(fault)}`, request);
    }
    const health = await fetch(`${world.origin}/healthz`);
    if (health.status !== 200) note(operation, `afterwards /healthz answers ${health.status}`, null);
    await health.arrayBuffer();
    if (operation.method !== "GET" && (await picture(world)) !== before)
      note(operation, "ada's resources are no longer as they were", null);
  }
  return campaign;
}

/** Null where no answer comes. */
async function send({ origin }: FuzzWorld, { method, path, headers, body }: FuzzRequest): Promise<Response | null> {
  const signal = AbortSignal.timeout(MOST_ANSWER_MS);
  try {
    const response = await fetch(origin + path, {
      method,
      headers,
      redirect: "manual",
      signal,
      ...(body !== null && { body }),
    });
    // Whole, or the body could hang where the head did not.
    return new Response(await response.arrayBuffer(), response);
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
}

async function faultsOf(
  world: FuzzWorld,
  document: ApiDocument,
  operation: Operation,
  request: FuzzRequest,
  response: Response,
): Promise<string[]> {
  const text = await response.text();
  const { status } = response;
  // Of the server beneath the app, which takes no more than 16 KiB of address and headers.
  if (status === 431) return [];
  const faults: string[] = [];
  if (status >= 500 && !(status === 503 && operation.id === "getReadiness")) faults.push(`answers ${status}: ${text}`);
  if (!response.headers.has("x-request-id")) faults.push("has no x-request-id");
  faults.push(...leaksIn(world, text + [...response.headers].join("\n")));
  if (request.isElsewhere) {
    if (status >= 400 && text !== "") faults.push(...problemFaults(document, null, response, text));
    return faults;
  }
  const declared = operation.answers.get(status);
  if (declared === undefined) faults.push(`answers ${status}, which is not declared`);
  if (status >= 400) return [...faults, ...problemFaults(document, declared ?? null, response, text)];
  return declared === undefined ? faults : [...faults, ...answerFaults(declared, response, text)];
}

/** `declared` is null where the document says nothing of the status. */
function problemFaults(
  { problem }: ApiDocument,
  declared: DeclaredAnswer | null,
  { status, headers }: Response,
  text: string,
): string[] {
  if (headers.get("content-type") !== "application/problem+json") return [`answers ${status} without a problem`];
  const body = parsed(text) as Json | null;
  if (body === null) return [`answers ${status} with what is no JSON`];
  const misfit = misfitOf(problem, body);
  if (misfit !== null) return [`has a problem that is not as described: ${misfit}`];
  const code = body["code"] as ProblemCode;
  if (!Object.hasOwn(PROBLEMS, code) || PROBLEMS[code].status !== status)
    return [`has the code ${code} with ${status}`];
  if (body["requestId"] !== headers.get("x-request-id")) return ["has two request ids"];
  return declared === null || declared.codes.includes(code) ? [] : [`answers ${code}, which is not declared`];
}

function answerFaults({ schemas }: DeclaredAnswer, { headers }: Response, text: string): string[] {
  if (schemas.size === 0) return text === "" ? [] : ["has a body where none is declared"];
  const type = (headers.get("content-type") ?? "").split(";")[0]!;
  const schema = schemas.get(type);
  if (schema === undefined) return [`answers with ${type}, which is not declared`];
  if (type !== "application/json") return [];
  const body = parsed(text);
  const misfit = body === null ? "no JSON" : misfitOf(schema, body);
  return misfit === null ? [] : [`gives an answer that is not as described: ${misfit}`];
}

const TRACE = /\n\s+at \S|node_modules|\/(src|engine|data|workers)\/[\w-]+\.ts|SQLITE_|SQLiteError|TypeError|ENOENT/;

function leaksIn({ api }: FuzzWorld, text: string): string[] {
  const faults: string[] = [];
  if (text.includes(MARKER)) faults.push("shows what is ada's");
  if (text.includes(api.state.path) || text.includes(process.cwd())) faults.push("shows a path of the server");
  const trace = TRACE.exec(text);
  if (trace !== null) faults.push(`shows the inside: ${trace[0]}`);
  return faults;
}

/** All of ada's that she can see. */
async function picture({ api, foreign }: FuzzWorld): Promise<string> {
  const paths = [
    "/api/v1/feature-refinery?limit=100",
    "/api/v1/datasets?limit=100",
    "/api/v1/api-keys",
    ...foreign["datasetKey"]!.map((key) => `/api/v1/training/datasets/${key}?limit=100`),
    ...foreign["modelKey"]!.map((key) => `/api/v1/models/${key}`),
    ...foreign["predictionKey"]!.map((key) => `/api/v1/predictions/${key}/progress`),
  ];
  const authorization = `Bearer ${await api.tokenOf("ada")}`;
  const answers = paths.map(async (path) => {
    const response = await api.request("GET", path, { headers: { authorization } });
    if (response.status !== 200)
      throw new Error(`${path} answers ${response.status}: ${api.faults.map(faultText).join()}`);
    return response.text();
  });
  // How long ago something began goes on.
  return (await Promise.all(answers)).join("\n").replaceAll(/"\w*(Seconds|Age|lastUsedOn)":[^,}]*/gi, "");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function faultText(fault: unknown): string {
  return fault instanceof Error ? `${fault.name}: ${fault.message}`.slice(0, 300) : String(fault);
}

function shown({ method, path, headers, body }: FuzzRequest): string {
  const { authorization, ...others } = headers;
  const text = body instanceof Uint8Array ? Buffer.from(body).toString("latin1") : body;
  const credential = authorization === undefined ? "without a credential" : authorization.slice(0, 16);
  return `${method} ${path.slice(0, 300)} ${credential} ${JSON.stringify(others)} ${JSON.stringify(text)?.slice(0, 600)}`;
}
