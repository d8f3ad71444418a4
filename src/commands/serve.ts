// `cupel serve`: the service on one port until it is told to end.
import { randomUUID } from "node:crypto";
import { COMMAND_LINE, recordAudit } from "../../data/audit.ts";
import { forgetRunning, noteRunning } from "../../data/files/running-server.ts";
import { countUsers, insertUser } from "../../data/users.ts";
import { InputError } from "../../engine/input-error.ts";
import { faultFacts } from "../../workers/fault-facts.ts";
import { generatePassword, hashPassword, passwordComplaint } from "../auth/passwords.ts";
import { type ScheduledBackups, startBackups } from "../backups/scheduled-backups.ts";
import { type BackupPlan, FIRST_ADMIN, hostNames, type ServeOptions } from "../config.ts";
import { EXIT } from "../exit-codes.ts";
import { type Listening, listen } from "../listen.ts";
import { createLog, type Log } from "../log/log.ts";
import { defaultBudgetMib } from "../memory-budget.ts";
import { openService, type Service } from "../service.ts";
import { CUPEL_VERSION } from "../version.ts";
import type { Console } from "./console.ts";
import { endServing, hearEnding } from "./serve-ending.ts";

/** The administrator's address and password, where the environment gives them. */
export interface FirstAdmin {
  email: string | undefined;
  password: string | undefined;
}

/** Serves until the console hears a request to end, and gives the exit code. Throws InputError where it cannot begin. */
export async function serve(
  options: ServeOptions,
  admin: FirstAdmin,
  console: Console,
  spawnWorker: () => Worker,
): Promise<number> {
  const { basePath, publicUrl, trustedProxies, corsOrigins, tls, workers, dataFolder, requestsPerMinute } = options;
  const { mayLackFiles } = options;
  const log = createLog({
    format: options.logFormat ?? (process.stderr.isTTY ? "text" : "json"),
    level: options.logLevel,
  });
  const release = endOnCrash(log);
  const memoryBudgetMib = options.memoryBudgetMib ?? defaultBudgetMib();
  const service = await openService({
    dataFolder,
    workers,
    memoryBudgetMib,
    timeCaps: options.timeCaps,
    requestsPerMinute,
    mayLackFiles,
    storage: options.storage,
    spawnWorker,
    basePath,
    publicUrl,
    hostNames: hostNames(options),
    trustedProxies,
    corsOrigins,
    isTls: tls !== null,
    checkAnswers: false,
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
  const { host, logLevel } = options;
  const { port } = listening;
  noteRunning(dataFolder, { processId: process.pid, version: CUPEL_VERSION, host, port, basePath, tls: tls !== null });
  const ending = hearEnding(console, log);
  console.print(`listening on ${publicUrl ?? `${listening.origin}${basePath}`}`);
  const backups = options.backups === null ? null : startOwnBackups(options.backups, dataFolder, log);
  const started = {
    version: CUPEL_VERSION,
    host,
    port,
    tls: tls !== null,
    workers: service.workers,
    memoryBudgetMib,
    logLevel,
  };
  log.info("service.listening", started);
  await ending.asked;
  forgetRunning(dataFolder);
  await endServing({ service, listening, backups }, log);
  ending.release();
  release();
  log.info("service.stopped");
  return EXIT.done;
}

/** A fault that nobody caught ends the process, as it would anyhow, but without its message on standard error. */
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

/** A folder without users gets one, whose password is shown once unless it was given. */
async function addFirstAdmin({ database }: Service, admin: FirstAdmin, console: Console): Promise<void> {
  if (countUsers(database) > 0) return;
  const email = (admin.email ?? FIRST_ADMIN).toLowerCase();
  const password = admin.password ?? generatePassword();
  const complaint = passwordComplaint(password);
  if (complaint !== null) throw new InputError("PASSWORD_REFUSED", `CUPEL_ADMIN_PASSWORD cannot be used. ${complaint}`);
  const user = { key: randomUUID(), email, passwordHash: await hashPassword(password), role: "admin" } as const;
  database.write(() => {
    const now = new Date();
    insertUser(database, user, now);
    recordAudit(database, COMMAND_LINE, { action: "USER_ADDED", objectKey: user.key, detail: email }, now);
  });
  const shown = admin.password === undefined ? ` with the password ${password} (shown only now)` : "";
  console.print(`Added the administrator ${email}${shown}.`);
}

function startListening({ app }: Service, options: ServeOptions): Listening {
  try {
    return listen(app, options);
  } catch (error) {
    const { host, port } = options;
    throw new InputError(
      "CANNOT_LISTEN",
      `Cannot listen on ${host}:${port}: ${faultText(error)}. Choose another --port.`,
    );
  }
}

function startOwnBackups(plan: BackupPlan, dataFolder: string, log: Log): ScheduledBackups {
  return startBackups(plan, dataFolder, {
    onMade: (backup, { sizeBytes }) => log.info("backup.made", { backup, sizeBytes }),
    onFault: (fault) => log.error("backup.failed", { ...faultFacts(fault) }),
  });
}

/** The kind of a fault and nothing of its stack or of anybody's data. */
function faultText(fault: unknown): string {
  if (!(fault instanceof Error)) return "unknown";
  const code = "code" in fault && typeof fault.code === "string" ? ` ${fault.code}` : "";
  return `${fault.name}${code}`;
}
