// Checks that a database is sound: its pages, its indexes, its references.
import type { Database as Client } from "bun:sqlite";
import { damaged, namingFault } from "./database-faults.ts";

const MOST_COMPLAINTS = 5;

/**
 * Checks an open database. Returns a few lines about what is wrong; none if it is sound. "quick" does not compare
 * indexes with their tables. Reads the whole file.
 *
 * @throws InputError where the file is no database, or cannot be read
 */
export function databaseComplaints(client: Client, path: string, depth: "quick" | "full"): string[] {
  return namingFault(path, () => {
    const check = depth === "quick" ? "quick_check" : "integrity_check";
    const lines = client.query<Record<string, string>, []>(`PRAGMA ${check}(${MOST_COMPLAINTS})`).all();
    const complaints = lines.flatMap((line) => Object.values(line)).filter((text) => text !== "ok");
    if (complaints.length > 0) return complaints;
    const orphans = client.query<{ table: string; parent: string }, []>("PRAGMA foreign_key_check").all();
    return orphans.length === 0
      ? []
      : [
          `${orphans.length} rows refer to rows that are not there, ` +
            `the first of table ${orphans[0]!.table} to ${orphans[0]!.parent}`,
        ];
  });
}

/** @throws InputError DATABASE_DAMAGED where there are any complaints */
export function requireSound(client: Client, path: string, depth: "quick" | "full"): void {
  const [complaint] = databaseComplaints(client, path, depth);
  if (complaint !== undefined) throw damaged(path, complaint);
}
