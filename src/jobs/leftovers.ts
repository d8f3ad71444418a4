// Parts of files that a killed process was about to put in place.
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { StateFolder } from "../../data/state-folder.ts";

/** As `placeWhole` names them. */
const PART = /^\..+\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.part$/;

/** Removes them from where flows write. For use before the first flow. */
export function removeLeftovers({ locate }: StateFolder): void {
  for (const folder of ["files", "results", "models"]) removeParts(locate(folder));
}

function removeParts(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) removeParts(path);
    else if (PART.test(entry.name)) rmSync(path, { force: true });
  }
}
