// Checks the database: that it can be read, is undamaged, and has a form that this program knows.
import type { Database as Client } from "bun:sqlite";
import { join } from "node:path";
import { DATABASE_FILE } from "../../data/database/database.ts";
import { databaseComplaints } from "../../data/database/database-check.ts";
import { openToInspect } from "../../data/database/database-inspection.ts";
import { databaseForm } from "../../data/database/migrate.ts";
import { InputError } from "../../engine/input-error.ts";
import { type Finding, ok, problem } from "./finding.ts";

export interface DatabaseCheck {
  finding: Finding;
  /** Open where the database is undamaged and not empty (the caller closes it); null otherwise. */
  client: Client | null;
}

/** `deep` also compares indexes with their tables. */
export function checkDatabase(folder: string, isInUse: boolean, deep: boolean): DatabaseCheck {
  let client: Client;
  try {
    client = openToInspect(folder, isInUse);
  } catch (error) {
    return { finding: refusal(error, folder), client: null };
  }
  try {
    const { finding, isReadable } = lookInto(client, folder, deep);
    if (!isReadable) client.close();
    return { finding, client: isReadable ? client : null };
  } catch (error) {
    client.close();
    return { finding: refusal(error, folder), client: null };
  }
}

function lookInto(client: Client, folder: string, deep: boolean): { finding: Finding; isReadable: boolean } {
  const path = join(folder, DATABASE_FILE);
  const { form, newest } = databaseForm(client, path);
  if (form === 0) return { finding: ok("database", "It is empty: no server has set it up yet."), isReadable: false };
  const complaints = databaseComplaints(client, path, deep ? "full" : "quick");
  if (complaints.length > 0) {
    const text = `The database ${path} is damaged: ${complaints[0]}`;
    return { finding: problem("database", text, remedyFor("DATABASE_DAMAGED", folder), complaints), isReadable: false };
  }
  const later = form < newest ? `; the server's next start converts it to form ${newest}` : "";
  return { finding: ok("database", `It is undamaged, in form ${form}${later}.`), isReadable: true };
}

function refusal(error: unknown, folder: string): Finding {
  if (!(error instanceof InputError)) throw error;
  const text = error.code === "DATABASE_DAMAGED" ? "The database is damaged." : error.message;
  return problem("database", text, remedyFor(error.code, folder));
}

function remedyFor(code: string, folder: string): string {
  switch (code) {
    case "DATABASE_DAMAGED":
      return (
        "Stop the server, keep a copy of the folder, and restore a backup: " +
        `cupel restore FILE --data '${folder}' --replace`
      );
    case "DATABASE_UNREACHABLE":
      return "Run this as the server's user, and check that the disk can be read.";
    case "NO_DATABASE":
      return "Name the state folder with --data.";
    default:
      return "Use the version of the program that wrote it.";
  }
}
