// Checks that the server can use the secret that signs tokens.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { readSecrets, SECRET_FILE } from "../../data/files/secret.ts";
import { InputError } from "../../engine/input-error.ts";
import { type Finding, ok, problem } from "./finding.ts";

export function checkSecret(folder: string): Finding[] {
  const path = join(folder, SECRET_FILE);
  if (!existsSync(path)) return [ok("secret", "There is none yet: the server's first start makes it.")];
  try {
    readSecrets(path);
    return [ok("secret", "It can be used.")];
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return [problem("secret", error.message, "Without it the server does not start.")];
  }
}
