// When the server makes a backup, and which older ones it removes then.
import { readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../../engine/input-error.ts";
import { Cancelled } from "../../engine/stop-signal.ts";
import { formatAmount } from "../common/format.ts";
import type { BackupPlan } from "../service/config.ts";
import { backupNameAt, isPartOfBackup, type KnownBackup, knownBackups, lackingName } from "./names.ts";

const HOUR_MS = 3_600_000;
/** Longest wait after a failure. */
const LONGEST_RETRY_MS = HOUR_MS;

export interface MadeBackup {
  sizeBytes: number;
  /** Files that the database names and the state folder lacks. */
  faultyFiles: readonly string[];
}

export interface BackupServices {
  /** Writes a backup and verifies it; rejects if there is none then, with Cancelled when the server ends. */
  make(file: string): Promise<MadeBackup>;
  /** The wall clock, for names. It may jump. */
  now(): Date;
  /** Milliseconds of a monotonic clock. */
  elapsedMs(): number;
  onMade(name: string, made: MadeBackup): void;
  onFault(fault: unknown): void;
}

/**
 * The first backup is due when the newest in the folder is old enough, the next ones at equal distances on a monotonic
 * clock. So setting the wall clock causes no extra backup, and a backup dated in the future does not count as made.
 */
export class BackupSchedule {
  private readonly plan: BackupPlan;
  private readonly services: BackupServices;
  /** In terms of `elapsedMs`; null before the first look at the folder. */
  private dueMs: number | null = null;
  /** The backup that is being made; never rejects. */
  underWay: Promise<void> | null = null;

  constructor(plan: BackupPlan, services: BackupServices) {
    this.plan = plan;
    this.services = services;
  }

  /** Begins a backup if one is due and none is running. Call it every minute or so. */
  beginIfDue(): void {
    if (this.underWay !== null) return;
    this.dueMs ??= this.services.elapsedMs() + this.firstWaitMs();
    if (this.services.elapsedMs() < this.dueMs) return;
    this.underWay = this.backUp().finally(() => {
      this.underWay = null;
    });
  }

  private firstWaitMs(): number {
    const nowMs = this.services.now().getTime();
    const ages = this.known().map(({ madeMs }) => nowMs - madeMs);
    const youngest = Math.min(...ages.filter((ageMs) => ageMs >= 0));
    return Math.max(0, this.periodMs() - youngest);
  }

  private periodMs(): number {
    return this.plan.everyHours * HOUR_MS;
  }

  private async backUp(): Promise<void> {
    const { now, elapsedMs, onFault } = this.services;
    const beganMs = elapsedMs();
    try {
      this.removeParts();
      await this.makeOne(backupNameAt(now()));
      this.dueMs = beganMs + this.periodMs();
    } catch (fault) {
      this.dueMs = elapsedMs() + Math.min(this.periodMs(), LONGEST_RETRY_MS);
      if (!(fault instanceof Cancelled)) onFault(fault);
    }
  }

  private async makeOne(name: string): Promise<void> {
    const { folder } = this.plan;
    const { make, onMade, onFault } = this.services;
    const backup = await make(join(folder, name));
    const isLacking = backup.faultyFiles.length > 0;
    const finalName = isLacking ? lackingName(name) : name;
    if (isLacking) renameSync(join(folder, name), join(folder, finalName));
    onMade(finalName, backup);
    this.removeOldest(finalName, isLacking);
    if (!isLacking) return;
    const lacked = formatAmount(backup.faultyFiles.length, "file");
    const text = `The state folder lacks ${lacked} that the database names, and so does ${finalName}. Whole backups stay.`;
    onFault(new InputError("BACKUP_LACKS_FILES", text));
  }

  /** Only among backups of the same kind: a complete one is never removed for one that lacks files. */
  private removeOldest(newest: string, isLacking: boolean): void {
    const nowMs = this.services.now().getTime();
    const others = this.known().filter((backup) => backup.isLacking === isLacking && backup.name !== newest);
    // Backups dated in the future come from a wrong clock: they are removed first.
    const ageMs = ({ madeMs }: KnownBackup) => (madeMs > nowMs ? Number.POSITIVE_INFINITY : nowMs - madeMs);
    const fromNewest = others.toSorted((a, b) => (ageMs(a) < ageMs(b) ? -1 : 1));
    for (const { name } of fromNewest.slice(this.plan.keep - 1)) {
      try {
        rmSync(join(this.plan.folder, name));
      } catch (fault) {
        this.services.onFault(fault);
      }
    }
  }

  private removeParts(): void {
    for (const name of this.names().filter(isPartOfBackup)) {
      rmSync(join(this.plan.folder, name), { recursive: true, force: true });
    }
  }

  private known(): KnownBackup[] {
    return knownBackups(this.names());
  }

  /** Empty where the folder cannot be read: making the backup then fails with the reason. */
  private names(): string[] {
    try {
      return readdirSync(this.plan.folder);
    } catch {
      return [];
    }
  }
}
