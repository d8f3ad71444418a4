// `cupel serve`: the service on one port until it is told to end.
import { randomUUID } from "node:crypto";
import { countUsers, insertUser } from "../../data/users.ts";
import { InputError } from "../../engine/input-error.ts";
import { generatePassword, hashPassword, passwordComplaint } from "../auth/passwords.ts";
import { hostNames, type ServeOptions } from "../config.ts";
import { EXIT } from "../exit-codes.ts";
import { type Listening, listen } from "../listen.ts";
import { openService, type Service } from "../service.ts";
import type { Console } from "./console.ts";

/** Who administers a state folder that had no user, unless CUPEL_ADMIN_EMAIL names somebody. */
const FIRST_ADMIN = "admin@localhost";

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
  const { basePath, publicUrl, tls, workers, dataFolder, requestsPerMinute } = options;
  const service = await openService({
    dataFolder,
    workers,
    requestsPerMinute,
    spawnWorker,
    basePath,
    publicUrl,
    hostNames: hostNames(options),
    isTls: tls !== null,
    checkAnswers: false,
    onFault: (fault, where) => console.progress.note(`fault: ${where}: ${faultText(fault)}`),
  });
  let listening: Listening;
  try {
    await addFirstAdmin(service, admin, console);
    listening = startListening(service, options);
  } catch (error) {
    await service.close();
    throw error;
  }
  const ended = untilInterrupted(console);
  console.print(`listening on ${publicUrl ?? `${listening.origin}${basePath}`}`);
  await ended;
  console.progress.note("Stopping: jobs under way go on at the next start.");
  await Promise.race([listening.stop(), Bun.sleep(1_000)]);
  await listening.stop(true);
  await service.close();
  return EXIT.done;
}

/** A folder without users gets one, whose password is shown once unless it was given. */
async function addFirstAdmin({ database }: Service, admin: FirstAdmin, console: Console): Promise<void> {
  if (countUsers(database) > 0) return;
  const email = (admin.email ?? FIRST_ADMIN).toLowerCase();
  const password = admin.password ?? generatePassword();
  const complaint = passwordComplaint(password);
  if (complaint !== null) throw new InputError("PASSWORD_REFUSED", `CUPEL_ADMIN_PASSWORD cannot be used. ${complaint}`);
  const user = { key: randomUUID(), email, passwordHash: await hashPassword(password), role: "admin" } as const;
  insertUser(database, user, new Date());
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

function untilInterrupted(console: Console): Promise<void> {
  return new Promise((resolve) => {
    const release = console.onInterrupt(() => {
      release();
      resolve();
    });
  });
}

/** The kind of a fault and nothing of its stack or of anybody's data. */
function faultText(fault: unknown): string {
  if (!(fault instanceof Error)) return "unknown";
  const code = "code" in fault && typeof fault.code === "string" ? ` ${fault.code}` : "";
  return `${fault.name}${code}`;
}
