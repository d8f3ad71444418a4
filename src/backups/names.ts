// The names of the server's own backups, made of their time in UTC.

/** Such as `cupel-20310506-120000.backup`; `-lacking` marks a backup of a state folder that lacks files. */
const NAME = /^cupel-(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)(-lacking)?\.backup$/;
/** The unfinished file of a process that was killed. */
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
