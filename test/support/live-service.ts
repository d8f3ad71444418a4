// The whole service in this process, with real workers, behind a real port, and a user who may log in.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { insertApiKey } from "../../data/api-keys.ts";
import { insertUser } from "../../data/users.ts";
import { makeApiKey, type Scope } from "../../src/auth/api-key.ts";
import { hashPassword } from "../../src/auth/passwords.ts";
import { DEFAULT_TIME_CAPS } from "../../src/common/limits.ts";
import { listen } from "../../src/service/listen.ts";
import { openService, type Service } from "../../src/service/service.ts";
import { spawnWorker } from "./in-process.ts";
import { keepLog } from "./kept-log.ts";
import { UNLIMITED } from "./unlimited.ts";

export const USER = "ada@example.org";
export const PASSWORD = "correct horse battery";

export interface LiveService {
  service: Service;
  /** With the base path. */
  address: string;
  port: number;
  /** A new API key of the user. */
  keyWith(...scopes: Scope[]): string;
  close(): Promise<void>;
}

export async function startService(basePath = ""): Promise<LiveService> {
  const folder = mkdtempSync(join(tmpdir(), "cupel-live-"));
  const service = await openService({
    dataFolder: folder,
    workers: 2,
    memoryBudgetMib: 8_192,
    timeCaps: DEFAULT_TIME_CAPS,
    requestsPerMinute: 100_000,
    mayLackFiles: false,
    storage: UNLIMITED,
    isWatching: true,
    webhook: null,
    spawnWorker,
    basePath,
    publicUrl: null,
    hostNames: [],
    trustedProxies: [],
    corsOrigins: [],
    isTls: false,
    checkAnswers: true,
    log: keepLog().log,
  });
  const { database } = service;
  const user = { key: crypto.randomUUID(), email: USER, role: "user" } as const;
  insertUser(database, { ...user, passwordHash: await hashPassword(PASSWORD) }, new Date());
  const listening = listen(service.app, { host: "127.0.0.1", port: 0, tls: null });
  return {
    service,
    address: `${listening.origin}${basePath}`,
    port: listening.port,
    keyWith: (...scopes) => {
      const { apiKey, tokenHash } = makeApiKey();
      const about = { key: crypto.randomUUID(), userKey: user.key, name: "test", tokenHash, scopes, expiresOn: null };
      insertApiKey(database, about, new Date());
      return apiKey;
    },
    close: async () => {
      await listening.stop(true);
      await service.close();
      rmSync(folder, { recursive: true });
    },
  };
}
