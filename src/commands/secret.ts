// `cupel secret rotate`: a new secret for tokens and upload addresses, whether a server runs on the state folder or not.
import { COMMAND_LINE, recordAudit } from "../../data/audit.ts";
import { rotateSecret } from "../../data/files/secret.ts";
import { InputError } from "../../engine/input-error.ts";
import { SECRET_OVERLAP_SECONDS } from "../auth/rotating-secrets.ts";
import { EXIT } from "../exit-codes.ts";
import { hasDatabase, openBesideServer } from "./beside-server.ts";
import type { Console } from "./console.ts";

export interface RotateOptions {
  dataFolder: string;
  /** Whether what was made under the old secret ends at once, as after a leak. */
  endsAtOnce: boolean;
}

/**
 * Rotates and gives the exit code. API keys and passwords do not rest on the secret, and stay as they are.
 *
 * @throws InputError where the folder is not one of a service, or its secret cannot be used
 */
export async function rotateCommand({ dataFolder, endsAtOnce }: RotateOptions, console: Console): Promise<number> {
  if (!hasDatabase(dataFolder)) {
    throw new InputError("NO_STATE", `No service has worked in ${dataFolder}. Name its state folder with --data.`);
  }
  const database = await openBesideServer(dataFolder);
  try {
    const nowMs = Date.now();
    rotateSecret(dataFolder, database, nowMs, endsAtOnce ? 0 : SECRET_OVERLAP_SECONDS * 1_000);
    recordAudit(database, COMMAND_LINE, { action: "SECRET_ROTATED", objectKey: null, detail: null }, new Date(nowMs));
    const end = new Date(nowMs + SECRET_OVERLAP_SECONDS * 1_000).toISOString().slice(0, 19);
    console.print(
      endsAtOnce
        ? "Made a new secret. Every login and every upload address has ended; API keys stay good."
        : `Made a new secret. Logins and upload addresses of before stay good until they end, at ${end}Z at the latest.`,
    );
  } finally {
    database.close();
  }
  return EXIT.done;
}
