// Values of settings as they are typed: what each must be, and the refusal that says so.

/** A setting with a wrong value: the command line is wrong. */
export class SettingError extends Error {}

/** A value, and where it comes from. */
export interface Setting {
  /** The flag or variable that gave it. */
  source: string;
  value: string | undefined;
}

export function checked(setting: Setting, otherwise: string, isFit: (text: string) => boolean, mustBe: string): string {
  const { value } = setting;
  if (value === undefined) return otherwise;
  if (isFit(value)) return value;
  throw wrong(setting, mustBe);
}

export function readWholeNumber(setting: Setting, otherwise: number, least: number, most: number): number {
  const { value } = setting;
  if (value === undefined) return otherwise;
  if (/^\d{1,9}$/.test(value) && Number(value) >= least && Number(value) <= most) return Number(value);
  throw wrong(setting, `a whole number from ${least} to ${most}`);
}

export function numberOrNull(setting: Setting, least: number, most: number): number | null {
  return setting.value === undefined ? null : readWholeNumber(setting, 0, least, most);
}

/** Null where the setting is not given. */
export function readChoice<const Choice extends string>(setting: Setting, choices: readonly Choice[]): Choice | null {
  const { value } = setting;
  if (value === undefined) return null;
  const chosen = choices.find((choice) => choice === value);
  if (chosen === undefined) throw wrong(setting, `one of ${choices.join(", ")}`);
  return chosen;
}

export function isHost(text: string): boolean {
  return (
    /^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$/.test(text) ||
    (/^[0-9A-Fa-f:.]+$/.test(text) && text.slice(0, -1).includes(":"))
  );
}

/** An origin as browsers write it. Not `null`, which every sandboxed page sends, and no pattern. */
export function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text && !text.includes("*");
}

export function isBasePath(text: string): boolean {
  return text === "" || text === "/" || /^(\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+\/?$/.test(text);
}

export function readList(setting: Setting, isFit: (text: string) => boolean, mustBe: string): string[] {
  const items = (setting.value ?? "").split(",").map((item) => item.trim());
  const given = items.filter((item) => item !== "");
  if (!given.every(isFit)) throw wrong(setting, mustBe);
  return given;
}

export function wrong({ source, value }: Setting, mustBe: string): SettingError {
  return new SettingError(`${source} is "${value}"; it must be ${mustBe}.`);
}
