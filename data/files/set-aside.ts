// Whole files that no row of the database names. An earlier database may be in place, so they are not removed at once:
// a start moves them into `unnamed-DAY/` within the state folder, and back once a database names them again.
import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

export const KEPT_ASIDE_DAYS = 30;

const NAME = /^unnamed-(\d{4})(\d{2})(\d{2})$/;

/** Names of the folders, oldest first. */
export function listAsides(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => NAME.test(name))
    .sort();
}

/** Moves a file into the folder of the day, under the path that it had. */
export function setAside(folder: string, path: string, now: Date): void {
  move(folder, path, `unnamed-${now.toISOString().slice(0, 10).replaceAll("-", "")}/${path}`);
}

/** Puts those of the paths back that were set aside. */
export function bringBack(folder: string, paths: readonly string[]): void {
  for (const aside of listAsides(folder).reverse()) {
    for (const path of paths) {
      if (!existsSync(join(folder, path)) && existsSync(join(folder, aside, path))) {
        move(folder, `${aside}/${path}`, path);
      }
    }
  }
}

/** Removes the folders of days before this one. */
export function removeAsides(folder: string, before: Date): void {
  for (const name of listAsides(folder)) {
    const day = name.replace(NAME, "$1-$2-$3");
    if (day < before.toISOString().slice(0, 10)) rmSync(join(folder, name), { recursive: true, force: true });
  }
}

function move(folder: string, from: string, to: string): void {
  const place = join(folder, to);
  mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
  renameSync(join(folder, from), place);
  // The folder of a model goes with its last file.
  const leftFolder = dirname(join(folder, from));
  if (/(?:^|\/)models\/[^/]+\/[^/]+$/.test(from) && readdirSync(leftFolder).length === 0) rmdirSync(leftFolder);
}
