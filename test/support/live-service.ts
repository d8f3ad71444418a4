// The whole service in this process, with real workers, and a user who may log in: asked directly, or behind a real port.
import { expect } from "bun:test";
import { insertApiKey } from "../../data/api-keys.ts";
import { insertUser } from "../../data/users.ts";
import { makeApiKey, type Scope } from "../../src/auth/api-key.ts";
import { hashPassword } from "../../src/auth/passwords.ts";
import { DEFAULT_TIME_CAPS } from "../../src/common/limits.ts";
import { listen } from "../../src/service/listen.ts";
import { openService, type Service } from "../../src/service/service.ts";
import { testFolder } from "./folders.ts";
import { spawnWorker } from "./in-process.ts";
import { keepLog } from "./kept-log.ts";
import { UNLIMITED } from "./unlimited.ts";

export const USER = "ada@example.org";
export const PASSWORD = "correct horse battery";

type ServiceOptions = Parameters<typeof openService>[0];

export function openTestService(dataFolder: string, changes: Partial<ServiceOptions> = {}): Promise<Service> {
  return openService({
    dataFolder,
    workers: 2,
    memoryBudgetMib: 8_192,
    timeCaps: DEFAULT_TIME_CAPS,
    requestsPerMinute: 100_000,
    mayLackFiles: false,
    storage: UNLIMITED,
    isWatching: true,
    webhook: null,
    spawnWorker,
    basePath: "",
    publicUrl: null,
    hostNames: [],
    trustedProxies: [],
    corsOrigins: [],
    isTls: false,
    checkAnswers: true,
    log: keepLog().log,
    ...changes,
  });
}

/** Adds `USER`; returns the key. */
export async function addServiceUser({ database }: Service, role: "user" | "admin" = "user"): Promise<string> {
  const user = { key: crypto.randomUUID(), email: USER, role };
  insertUser(database, { ...user, passwordHash: await hashPassword(PASSWORD) }, new Date());
  return user.key;
}

/** `USER` signed in to a service, which may be opened anew meanwhile. */
export class SignedIn {
  private readonly service: () => Service;
  private token = "";

  constructor(service: () => Service) {
    this.service = service;
  }

  async signIn(): Promise<void> {
    await addServiceUser(this.service());
    const login = { username: USER, password: PASSWORD };
    this.token = (await this.ask<{ access_token: string }>("POST", "/api/login", login)).access_token;
  }

  /** Fails the test where the answer is no success. */
  async ask<T>(method: string, path: string, body?: object): Promise<T> {
    const headers = new Headers(this.token === "" ? {} : { authorization: `Bearer ${this.token}` });
    const isForm = body instanceof FormData;
    if (body !== undefined && !isForm) headers.set("content-type", "application/json");
    const sent = body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) };
    const response = await this.service().app.fetch(
      new Request(`http://localhost${path}`, { method, headers, ...sent }),
    );
    const answer = await response.json();
    expect([path, response.ok, response.ok ? null : answer]).toEqual([path, true, null]);
    return answer as T;
  }

  /** Asks until work on the server is over. */
  async until<T>(path: string, isOver: (answer: T) => boolean): Promise<T> {
    for (;;) {
      const answer = await this.ask<T>("GET", path);
      if (isOver(answer)) return answer;
      await Bun.sleep(50);
    }
  }
}

/** Behind a real port, for all tests of the file that calls it. */
export async function startService(basePath = "") {
  const folder = testFolder(async () => {
    await listening.stop(true);
    await service.close();
  });
  const service = await openTestService(folder, { basePath });
  const { database } = service;
  const userKey = await addServiceUser(service);
  const listening = listen(service.app, { host: "127.0.0.1", port: 0, tls: null });
  return {
    service,
    /** With the base path. */
    address: `${listening.origin}${basePath}`,
    port: listening.port,
    /** A new API key of the user. */
    keyWith: (...scopes: Scope[]): string => {
      const { apiKey, tokenHash } = makeApiKey();
      const about = { key: crypto.randomUUID(), userKey, name: "test", tokenHash, scopes, expiresOn: null };
      insertApiKey(database, about, new Date());
      return apiKey;
    },
  };
}
