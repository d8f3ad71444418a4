// `cupel serve`: the service on one port until it is told to end.
import { randomUUID } from "node:crypto";
import { COMMAND_LINE, recordAudit } from "../../../data/audit.ts";
import { forgetRunning, noteRunning } from "../../../data/files/running-server.ts";
import { findUserByEmail, hasAdministrator, insertUser } from "../../../data/users.ts";
import { InputError } from "../../../engine/input-error.ts";
import { faultFacts } from "../../../workers/fault-facts.ts";
import { generatePassword, hashPassword, passwordComplaint } from "../../auth/passwords.ts";
import { type ScheduledBackups, startBackups } from "../../backups/scheduled-backups.ts";
import { EXIT } from "../../common/exit-codes.ts";
import { defaultBudgetMib } from "../../common/memory-budget.ts";
import { CUPEL_VERSION } from "../../common/version.ts";
import { createLog, type Log } from "../../log/log.ts";
import { type BackupPlan, FIRST_ADMIN, hostNames, isUnencrypted, type ServeOptions } from "../../service/config.ts";
import { type Listening, listen } from "../../service/listen.ts";
import { openService, type Service } from "../../service/service.ts";
import type { Console } from "../console.ts";
import { endServing, onEnding } from "./serve-ending.ts";
import { checkedEmail } from "./user.ts";

const UNENCRYPTED =
  "Passwords and rows travel unencrypted between this server and other machines. To change that: --tls-cert and " +
  '--tls-key, or a proxy (docs/operate.md, "Directly on a network").';

/** From the environment. */
export interface FirstAdmin {
  email: string | undefined;
  password: string | undefined;
}

/** Serves until asked to end, and returns the exit code. @throws InputError where it cannot start */
export async function serve(
  options: ServeOptions,
  admin: FirstAdmin,
  console: Console,
  spawnWorker: () => Worker,
): Promise<number> {
  const { host, basePath, publicUrl, dataFolder, logLevel } = options;
  const tls = options.tls !== null;
  const log = createLog({
    format: options.logFormat ?? (process.stderr.isTTY ? "text" : "json"),
    level: logLevel,
  });
  const release = endOnCrash(log);
  const memoryBudgetMib = options.memoryBudgetMib ?? defaultBudgetMib();
  const service = await openService({
    ...options,
    memoryBudgetMib,
    hostNames: hostNames(options),
    isTls: tls,
    checkAnswers: false,
    spawnWorker,
    log,
  });
  let listening: Listening;
  try {
    await addFirstAdmin(service, admin, console);
    listening = startListening(service, options);
  } catch (error) {
    await service.close();
    throw error;
  }
  const { port } = listening;
  noteRunning(dataFolder, { processId: process.pid, version: CUPEL_VERSION, host, port, basePath, tls });
  const ending = onEnding(console, log);
  console.print(`listening on ${publicUrl ?? `${listening.origin}${basePath}`}`);
  if (isUnencrypted(options)) console.print(UNENCRYPTED);
  const backups = options.backups === null ? null : startOwnBackups(options.backups, dataFolder, log);
  const { workers } = service;
  log.info("service.listening", { version: CUPEL_VERSION, host, port, tls, workers, memoryBudgetMib, logLevel });
  await ending.asked;
  forgetRunning(dataFolder);
  await endServing({ service, listening, backups }, log);
  ending.release();
  release();
  log.info("service.stopped");
  return EXIT.done;
}

/**
 * Ends the process on an uncaught fault, as would happen anyway, but logs it without its message, which may quote data.
 */
function endOnCrash(log: Log): () => void {
  const crash = (fault: unknown) => {
    log.error("service.crashed", { ...faultFacts(fault) });
    process.exit(EXIT.fault);
  };
  const events = ["uncaughtException", "unhandledRejection"] as const;
  for (const event of events) process.on(event, crash);
  return () => {
    for (const event of events) process.off(event, crash);
  };
}

/** Adds an administrator to a folder without one; a generated password is printed once. */
async function addFirstAdmin({ database }: Service, admin: FirstAdmin, console: Console): Promise<void> {
  if (hasAdministrator(database)) return;
  const email = checkedEmail(admin.email ?? FIRST_ADMIN, "CUPEL_ADMIN_EMAIL");
  if (findUserByEmail(database, email) !== null) return;
  const password = admin.password ?? generatePassword();
  const complaint = passwordComplaint(password);
  if (complaint !== null) throw new InputError("PASSWORD_REFUSED", `CUPEL_ADMIN_PASSWORD cannot be used. ${complaint}`);
  const user = { key: randomUUID(), email, passwordHash: await hashPassword(password), role: "admin" } as const;
  database.write(() => {
    const now = new Date();
    insertUser(database, user, now);
    recordAudit(database, COMMAND_LINE, { action: "USER_ADDED", objectKey: user.key, detail: email }, now);
  });
  const shown = admin.password === undefined ? ` with the password ${password} (not shown again)` : "";
  console.print(`Added the administrator ${email}${shown}.`);
}

function startListening({ app }: Service, options: ServeOptions): Listening {
  try {
    return listen(app, options);
  } catch (error) {
    const { host, port } = options;
    const why =
      faultFacts(error).code === "EADDRINUSE" ? "another program, or another Cupel, has this port" : faultText(error);
    throw new InputError("CANNOT_LISTEN", `Cannot listen on ${host}:${port}: ${why}. Choose another --port.`);
  }
}

function startOwnBackups(plan: BackupPlan, dataFolder: string, log: Log): ScheduledBackups {
  return startBackups(plan, dataFolder, {
    onMade: (backup, { sizeBytes }) => log.info("backup.made", { backup, sizeBytes }),
    onFault: (fault) => log.error("backup.failed", { ...faultFacts(fault) }),
  });
}

/** Kind and code of a fault, without its message, which may quote data. */
function faultText(error: unknown): string {
  const { fault, code } = faultFacts(error);
  return code === null ? fault : `${fault} ${code}`;
}
