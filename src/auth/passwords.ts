// Passwords: rules, generation, storage (argon2id) and checks.
import { randomBytes } from "node:crypto";

export const LEAST_PASSWORD_CHARACTERS = 12;
export const MOST_PASSWORD_BYTES = 1_024;

const GENERATED_LENGTH = 20;
/** Without 0 O o 1 I l, as people read and type it. 56 letters and digits, 5.8 bits each. */
const ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789";

/** OWASP's minimum for argon2id: 19 MiB, two passes; 35-70 ms on one core. */
const ARGON2ID = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;

/** What is wrong with a new password, as a sentence, or null where it is acceptable. */
export function passwordComplaint(password: string): string | null {
  const normal = password.normalize("NFC");
  const characterCount = [...normal].length;
  if (characterCount < LEAST_PASSWORD_CHARACTERS) {
    return `The password has ${characterCount} characters; it must have at least ${LEAST_PASSWORD_CHARACTERS}.`;
  }
  const byteCount = Buffer.byteLength(normal);
  if (byteCount > MOST_PASSWORD_BYTES) {
    return `The password has ${byteCount} bytes; it may have at most ${MOST_PASSWORD_BYTES}.`;
  }
  return null;
}

/** A new password of 20 characters: 116 bits from the system's random source. */
export function generatePassword(): string {
  let password = "";
  // Bytes above the last whole multiple of the alphabet are drawn again, so that all letters are equally likely.
  const limit = 256 - (256 % ALPHABET.length);
  while (password.length < GENERATED_LENGTH) {
    for (const byte of randomBytes(GENERATED_LENGTH)) {
      if (byte < limit && password.length < GENERATED_LENGTH) password += ALPHABET[byte % ALPHABET.length]!;
    }
  }
  return password;
}

/** The text to store for a password (PHC string with its own salt). */
export function hashPassword(password: string): Promise<string> {
  return Bun.password.hash(password.normalize("NFC"), ARGON2ID);
}

/** Whether a stored hash has other parameters than `hashPassword` uses now. */
export function isOutdated(passwordHash: string): boolean {
  const { memoryCost, timeCost } = ARGON2ID;
  return !passwordHash.startsWith(`$argon2id$v=19$m=${memoryCost},t=${timeCost},p=1$`);
}

/** The part of a user that a login needs. */
export interface PasswordOwner {
  passwordHash: string;
  disabledOn: string | null;
}

/**
 * Whether the password opens the account. An unknown user (null), a disabled one, a wrong password and an impossible one all cost
 * one argon2id verification, so that the time of the answer does not tell them apart.
 */
export async function verifyPassword(password: string, owner: PasswordOwner | null): Promise<boolean> {
  const isPossible = passwordComplaint(password) === null;
  const tried = isPossible ? password.normalize("NFC") : "a password that nobody has";
  const hash = owner?.passwordHash ?? (await nobodysHash());
  const matches = await Bun.password.verify(tried, hash);
  return matches && isPossible && owner !== null && owner.disabledOn === null;
}

let nobody: Promise<string> | null = null;

/** The hash of a password that nobody has. Call it before the first login, or the first unknown user takes longer. */
export function nobodysHash(): Promise<string> {
  nobody ??= hashPassword(randomBytes(32).toString("base64url"));
  return nobody;
}
