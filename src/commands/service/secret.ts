// `cupel secret rotate`: makes a new secret for tokens and upload addresses, whether the service runs or not.
import { COMMAND_LINE, recordAudit } from "../../../data/audit.ts";
import { rotateSecret } from "../../../data/database/secret.ts";
import { SECRET_OVERLAP_SECONDS } from "../../auth/rotating-secrets.ts";
import { EXIT } from "../../common/exit-codes.ts";
import type { Console } from "../console.ts";
import { openBesideServer, requireState } from "./beside-server.ts";

export interface RotateOptions {
  dataFolder: string;
  /** Whether everything that the old secret signed ends at once, as after a leak. */
  endsAtOnce: boolean;
}

/**
 * Rotates the secret. API keys and passwords do not depend on it and stay as they are.
 *
 * @throws InputError where the folder is not the state of a service, or its secret cannot be used
 */
export async function rotateCommand({ dataFolder, endsAtOnce }: RotateOptions, console: Console): Promise<number> {
  requireState(dataFolder);
  const database = await openBesideServer(dataFolder);
  try {
    const nowMs = Date.now();
    rotateSecret(dataFolder, database, nowMs, endsAtOnce ? 0 : SECRET_OVERLAP_SECONDS * 1_000);
    recordAudit(database, COMMAND_LINE, { action: "SECRET_ROTATED", objectKey: null }, new Date(nowMs));
    const end = new Date(nowMs + SECRET_OVERLAP_SECONDS * 1_000).toISOString().slice(0, 19);
    console.print(
      endsAtOnce
        ? "Made a new secret. All logins and upload addresses have ended; API keys stay valid."
        : "Made a new secret. Earlier logins and upload addresses stay valid " +
            `until they expire, at ${end}Z at the latest.`,
    );
  } finally {
    database.close();
  }
  return EXIT.done;
}
