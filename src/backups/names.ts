// What the backups are called that the server makes of itself: by their time, in UTC.

/** As `cupel-20310506-120000.backup`; one that lacks files, as the state folder does, says so. */
const NAME = /^cupel-(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)(-lacking)?\.backup$/;
/** What a process that was killed over one left. */
const PART = /^\.cupel-\d{8}-\d{6}\.backup\.[0-9a-f-]{36}\.part$/;

export interface KnownBackup {
  name: string;
  madeMs: number;
  isLacking: boolean;
}

export function backupNameAt(now: Date): string {
  const digits = now.toISOString().replace(/[-:]/g, "");
  return `cupel-${digits.slice(0, 8)}-${digits.slice(9, 15)}.backup`;
}

export function lackingName(name: string): string {
  return name.replace(".backup", "-lacking.backup");
}

/** Those among the names of a folder. */
export function knownBackups(names: readonly string[]): KnownBackup[] {
  return names.flatMap((name) => {
    const [, year, month, day, hour, minute, second, lacking] = NAME.exec(name) ?? [];
    if (year === undefined) return [];
    const madeMs = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
    return Number.isNaN(madeMs) ? [] : [{ name, madeMs, isLacking: lacking !== undefined }];
  });
}

export function isPartOfBackup(name: string): boolean {
  return PART.test(name);
}
