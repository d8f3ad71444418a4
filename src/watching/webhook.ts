// Reports changes of a version's state to the administrator's address: signed, in order, and nothing waits for it.
import { createHmac, randomUUID } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { InputError } from "../../engine/input-error.ts";
import { faultFacts } from "../../workers/fault-facts.ts";
import { CUPEL_VERSION } from "../common/version.ts";
import type { Log, LogFacts } from "../log/log.ts";
import type { WatchChange } from "./watch-rounds.ts";

/** A receiver that takes longer has not answered. */
const LIMIT_MS = 10_000;
/** Before each further try: together some six minutes, the time of a restart. */
const WAITS_MS = [5_000, 60_000, 300_000];
/** Changes that wait at most: a day of a hundred versions. */
const MOST_WAITING = 100;
const LEAST_KEY_BYTES = 24;
/** For everyone on the machine. A group may read: systemd's copies of credentials show one. */
const ANYONE = 0o007;

/** As `cupel serve` is told. */
export interface WebhookOptions {
  url: string;
  /** The file of the key that signs; null to send without a signature. */
  keyPath: string | null;
}

export interface WebhookSettings {
  /** May hold a secret: it is never logged. */
  url: string;
  /** Null to send without a signature. */
  key: Uint8Array | null;
  log: Log;
  now(): Date;
  /** For tests. */
  limitMs?: number;
  waitsMs?: readonly number[];
}

export class Webhook {
  private readonly settings: WebhookSettings;
  private readonly waiting: WatchChange[] = [];
  private readonly stopping = new AbortController();
  private sending: Promise<void> = Promise.resolve();
  private isSending = false;

  constructor(settings: WebhookSettings) {
    this.settings = settings;
  }

  /** Returns at once; if over a hundred changes wait, further ones are dropped, and the log says so. */
  tell(change: WatchChange): void {
    if (this.stopping.signal.aborted) return;
    if (this.waiting.length >= MOST_WAITING) {
      this.settings.log.warn("webhook.dropped", factsOf(change));
      return;
    }
    this.waiting.push(change);
    if (!this.isSending) this.sending = this.sendAll();
  }

  /** Resolves when every reported change has been sent or given up. */
  settled(): Promise<void> {
    return this.sending;
  }

  /** Ends the work under way. Unsent changes are given up: the API has the states. */
  stop(): void {
    this.stopping.abort();
    for (const change of this.waiting.splice(0)) this.settings.log.warn("webhook.dropped", factsOf(change));
  }

  private async sendAll(): Promise<void> {
    this.isSending = true;
    for (let next = this.waiting.shift(); next !== undefined; next = this.waiting.shift()) await this.deliver(next);
    this.isSending = false;
  }

  private async deliver(change: WatchChange): Promise<void> {
    const { log, now, waitsMs = WAITS_MS } = this.settings;
    const id = randomUUID();
    const body = JSON.stringify({ event: "model.state", ...change, time: now().toISOString() });
    const facts = { ...factsOf(change), id };
    for (let tries = 1; ; tries++) {
      const failure = await this.send(id, body);
      if (failure === null) {
        log.info("webhook.sent", { ...facts, tries });
        return;
      }
      const waitMs = waitsMs[tries - 1];
      const isOver = waitMs === undefined || !failure.mayPass || !(await this.pause(waitMs));
      if (!isOver) continue;
      log.warn("webhook.failed", { ...facts, tries, ...failure.facts });
      return;
    }
  }

  /** False if the service stops meanwhile. */
  private async pause(waitMs: number): Promise<boolean> {
    const { signal } = this.stopping;
    return await pause(waitMs, true, { signal, ref: false }).catch(() => false);
  }

  /**
   * Null if the receiver accepted it. The answer is not read, and no redirect
   * is followed: only the named address is called.
   */
  private async send(id: string, body: string): Promise<{ mayPass: boolean; facts: LogFacts } | null> {
    const { url, key, now, limitMs = LIMIT_MS } = this.settings;
    const timestamp = Math.floor(now().getTime() / 1_000);
    const headers = {
      "content-type": "application/json",
      "user-agent": `cupel/${CUPEL_VERSION}`,
      "webhook-id": id,
      "webhook-timestamp": String(timestamp),
      ...(key !== null && { "webhook-signature": signatureOf(key, id, timestamp, body) }),
    };
    try {
      const signal = AbortSignal.any([this.stopping.signal, AbortSignal.timeout(limitMs)]);
      const answer = await fetch(url, { method: "POST", headers, body, redirect: "manual", signal, keepalive: false });
      await answer.body?.cancel();
      const { status } = answer;
      if (answer.ok) return null;
      return { mayPass: status === 408 || status === 429 || status >= 500, facts: { status } };
    } catch (error) {
      return { mayPass: true, facts: { ...faultFacts(error) } };
    }
  }
}

/** As Standard Webhooks has it: HMAC-SHA256 of id, time and body, in base64. */
function signatureOf(key: Uint8Array, id: string, timestamp: number, body: string): string {
  return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
}

function factsOf({ modelKey, version, state }: WatchChange): LogFacts {
  return { modelKey, version, state };
}

/**
 * Null for no webhook.
 *
 * @throws InputError where the file of the key cannot be used
 */
export function openWebhook(
  options: WebhookOptions | null,
  services: Pick<WebhookSettings, "log" | "now">,
): Webhook | null {
  if (options === null) return null;
  const { url, keyPath } = options;
  return new Webhook({ ...services, url, key: keyPath === null ? null : readWebhookKey(keyPath) });
}

/** The key stands in its file as Standard Webhooks writes it: `whsec_` and base64. */
function readWebhookKey(path: string): Uint8Array {
  let text: string;
  try {
    // Windows has no such modes: there the folder's own rights guard the file.
    if (process.platform !== "win32" && (statSync(path).mode & ANYONE) !== 0) {
      throw new InputError(
        "SECRET_READABLE",
        `Everyone on this machine may read ${path}. Stop them with: ` +
          `chmod 600 '${path}', and use a new key if someone may have read it.`,
      );
    }
    text = readFileSync(path, "latin1").trim();
  } catch (error) {
    if (error instanceof InputError) throw error;
    const { code } = faultFacts(error);
    throw new InputError(
      "SECRET_UNUSABLE",
      `Cannot read ${path}, the key of the webhook${code === null ? "" : ` (${code})`}.`,
    );
  }
  const digits = /^whsec_([A-Za-z0-9+/]{1,128}={0,2})$/.exec(text)?.[1] ?? "";
  const key = Uint8Array.from(Buffer.from(digits, "base64"));
  if (key.length >= LEAST_KEY_BYTES) return key;
  throw new InputError(
    "SECRET_UNUSABLE",
    `${path} does not hold a key: \`whsec_\` and ${LEAST_KEY_BYTES} bytes or more in base64, as from: ` +
      "echo whsec_$(openssl rand -base64 32).",
  );
}
