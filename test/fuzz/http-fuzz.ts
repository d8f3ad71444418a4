// The fuzz campaign: requests made from the OpenAPI document, and what every answer to them has to be.
import fc from "fast-check";
import { type ApiDocument, type Json, type Operation, readDocument } from "./api-document.ts";
import { type FuzzAnswer, faultsOf } from "./fuzz-answers.ts";
import { anyRequest, type FuzzRequest } from "./fuzz-requests.ts";
import { type FuzzWorld, renewWorld } from "./fuzz-world.ts";

export interface Campaign {
  requestCount: number;
  /** Answers by operation and status. */
  statuses: Record<string, Record<number, number>>;
  /** The answer that took longest. */
  slowest: { ms: number; request: string };
  /** What was wrong, once per operation and fault, each with a request that shows it. */
  findings: string[];
}

export interface CampaignPlan {
  /** The same seed makes the same requests, but for keys. */
  seed: number;
  requestsPerOperation: number;
  /** Requests under way at the same time. */
  atOnce?: number;
}

/** Operations that bob may not ask for: grace, who administers, asks in his place. */
const FOR_ADMINISTRATORS = [
  ...["listAudit", "getMetrics"],
  ...["listUsers", "addUser", "changeUser", "renewPassword", "removeUser"],
];
/** They hash passwords, which is slow by design: a few are as good as many. */
const HASHING = ["login", "addUser", "renewPassword", "changeOwnPassword"];
const MOST_HASHING = 20;
/** What answers later than this hangs, on however busy a machine. */
const MOST_ANSWER_MS = 60_000;

/** Sends so many requests to every operation, to those that hash passwords a few. */
export async function runCampaign(world: FuzzWorld, plan: CampaignPlan): Promise<Campaign> {
  const { api } = world;
  const document = readDocument((await (await fetch(`${world.origin}/openapi.json`)).json()) as Json);
  const fuzz = new Fuzz(world, document);
  const before = await picture(world);
  for (const [index, operation] of document.operations.entries()) {
    renewWorld(world);
    const user = FOR_ADMINISTRATORS.includes(operation.id) ? "grace" : "bob";
    const credentials = { token: await api.tokenOf(user), apiKey: api.apiKeyOf(user, ["read"]) };
    const requests = fc.sample(anyRequest(operation, world, credentials), {
      seed: plan.seed + index,
      numRuns: countOf(operation, plan),
    });
    await fuzz.sendAll(operation, requests, plan.atOnce ?? 1);
    const health = await fetch(`${world.origin}/healthz`);
    if (health.status !== 200) fuzz.note(operation, `afterwards /healthz answers ${health.status}`, null);
    await health.arrayBuffer();
    if (operation.method !== "GET" && (await picture(world)) !== before)
      fuzz.note(operation, "ada's resources are no longer as they were", null);
  }
  return fuzz.campaign;
}

function countOf({ id }: Operation, { requestsPerOperation }: CampaignPlan): number {
  return HASHING.includes(id) ? Math.min(MOST_HASHING, requestsPerOperation) : requestsPerOperation;
}

class Fuzz {
  readonly campaign: Campaign = { requestCount: 0, statuses: {}, slowest: { ms: 0, request: "" }, findings: [] };
  private readonly seen = new Set<string>();
  private readonly world: FuzzWorld;
  private readonly document: ApiDocument;

  constructor(world: FuzzWorld, document: ApiDocument) {
    this.world = world;
    this.document = document;
  }

  note(operation: Operation, fault: string, request: FuzzRequest | null): void {
    const name = `${operation.id}: ${fault}`;
    if (!this.seen.has(name)) this.campaign.findings.push(request === null ? name : `${name}\n  ${shown(request)}`);
    this.seen.add(name);
  }

  /** One after the other, `atOnce` at a time. */
  async sendAll(operation: Operation, requests: readonly FuzzRequest[], atOnce: number): Promise<void> {
    const waiting = requests.values();
    const lane = async () => {
      const patience = new Patience();
      for (const request of waiting) await this.sendOne(operation, request, patience);
      patience.end();
    };
    await Promise.all(Array.from({ length: atOnce }, lane));
  }

  private async sendOne(operation: Operation, request: FuzzRequest, patience: Patience): Promise<void> {
    const { api } = this.world;
    // The limit on requests is not what is tested here.
    if (++this.campaign.requestCount % 500 === 0) api.pass(60);
    const startMs = performance.now();
    const answer = await send(this.world, request, patience);
    const ms = performance.now() - startMs;
    if (ms > this.campaign.slowest.ms) this.campaign.slowest = { ms, request: shown(request) };
    if (answer === null) {
      this.note(operation, `has not answered after ${MOST_ANSWER_MS} ms`, request);
      return;
    }
    this.campaign.statuses[operation.id] ??= {};
    const statuses = this.campaign.statuses[operation.id]!;
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
    for (const fault of faultsOf(this.world, this.document, operation, request, answer))
      this.note(operation, fault, request);
    for (const fault of api.faults.splice(0)) this.note(operation, `the log says ${faultText(fault)}`, request);
  }
}

/** One timer for many requests in turn: each has as long as the first. */
class Patience {
  private readonly controller = new AbortController();
  private readonly timer = setTimeout(() => this.controller.abort(), MOST_ANSWER_MS);
  readonly signal = this.controller.signal;

  renew(): void {
    this.timer.refresh();
  }

  end(): void {
    clearTimeout(this.timer);
  }
}

/** Null where no answer comes. */
async function send({ origin }: FuzzWorld, request: FuzzRequest, patience: Patience): Promise<FuzzAnswer | null> {
  const { method, path, headers, body } = request;
  patience.renew();
  try {
    const options = {
      method,
      headers,
      redirect: "manual",
      signal: patience.signal,
      ...(body !== null && { body }),
    } as const;
    const response = await fetch(origin + path, options);
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch (error) {
    if (patience.signal.aborted) return null;
    throw error;
  }
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

function faultText(fault: unknown): string {
  return fault instanceof Error ? `${fault.name}: ${fault.message}`.slice(0, 300) : String(fault);
}

function shown({ method, path, headers, body }: FuzzRequest): string {
  const { authorization, ...others } = headers;
  const text = body instanceof Uint8Array ? Buffer.from(body).toString("latin1") : body;
  const credential = authorization === undefined ? "without a credential" : authorization.slice(0, 16);
  return `${method} ${path.slice(0, 300)} ${credential} ${JSON.stringify(others)} ${JSON.stringify(text)?.slice(0, 600)}`;
}
