// Passwords: rules, generation, storage (argon2id) and checks.
import { randomBytes } from "node:crypto";

export const LEAST_PASSWORD_CHARACTERS = 12;
export const MOST_PASSWORD_BYTES = 1_024;

const GENERATED_LENGTH = 20;
/** Without 0 O o 1 I l, as people read and type it. 56 letters and digits, 5.8 bits each. */
const ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789";

/** OWASP's minimum for argon2id: 19 MiB, two passes; 35-70 ms on one core. */
const ARGON2ID = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;
/** How every hash of these parameters begins; its salt and digest follow, 32 bytes each. */
const HASH_START = `$argon2id$v=19$m=${ARGON2ID.memoryCost},t=${ARGON2ID.timeCost},p=1$`;
/** A hash that no password has: its digest is drawn, not computed. To try one costs what it costs with any other. */
const NOBODYS_HASH = `${HASH_START}${drawnPart()}$${drawnPart()}`;

/** Returns what is wrong with a new password, as a sentence; null if it is acceptable. */
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
  return !passwordHash.startsWith(HASH_START);
}

/** The part of a user that a login needs. */
export interface PasswordOwner {
  passwordHash: string;
  disabledOn: string | null;
}

/**
 * Whether the password opens the account. An unknown user (null), a disabled one, a wrong password and an impossible
 * one all cost one argon2id verification, so that the time of the answer does not tell them apart.
 */
export async function verifyPassword(password: string, owner: PasswordOwner | null): Promise<boolean> {
  const isPossible = passwordComplaint(password) === null;
  const tried = isPossible ? password.normalize("NFC") : "a password that nobody has";
  const matches = await Bun.password.verify(tried, owner?.passwordHash ?? NOBODYS_HASH);
  const isRight = matches && isPossible && owner !== null && owner.disabledOn === null;
  // Gives argon2id's memory back now (D127): a busy process keeps it 0.1 s and more, under what comes next. It costs
  // some 10 ms, so failed attempts, which anybody can make, go without.
  if (isRight) Bun.gc(true);
  return isRight;
}

/** As a hash spells 32 bytes. */
function drawnPart(): string {
  return randomBytes(32).toString("base64").replaceAll("=", "");
}
