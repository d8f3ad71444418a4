// Passwords: what is acceptable, how they are made, stored (argon2id) and checked.
import { randomBytes } from "node:crypto";

export const LEAST_PASSWORD_CHARACTERS = 12;
export const MOST_PASSWORD_BYTES = 1_024;

const GENERATED_LENGTH = 20;
/** No 0 O o 1 I l: a password is read from a screen and typed on another. 56 letters and digits, 5.8 bits each. */
const ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789";

/** OWASP's least for argon2id: 19 MiB, two passes; 35-70 ms on one core. */
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
  // A byte above the last whole multiple of the alphabet is drawn again, so that every letter is as likely as another.
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

/** Whether a stored text is not as `hashPassword` makes it now: from a version with other parameters. */
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
 * Whether the password opens the account. An unknown user (null), a disabled one, a wrong password and one that no account
 * could have all cost one argon2id verification, so that the time of an answer does not tell which it was.
 */
export async function verifyPassword(password: string, owner: PasswordOwner | null): Promise<boolean> {
  const isPossible = passwordComplaint(password) === null;
  const tried = isPossible ? password.normalize("NFC") : "a password that nobody has";
  const hash = owner?.passwordHash ?? (await nobodysHash());
  const matches = await Bun.password.verify(tried, hash);
  return matches && isPossible && owner !== null && owner.disabledOn === null;
}

let nobody: Promise<string> | null = null;

/** The hash of a password that nobody has. Make it ahead of the first login, or the first unknown user takes longer than the next. */
export function nobodysHash(): Promise<string> {
  nobody ??= hashPassword(randomBytes(32).toString("base64url"));
  return nobody;
}
