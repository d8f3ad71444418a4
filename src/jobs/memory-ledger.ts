// The memory of running jobs, and the waiting job that has a reservation: together they never exceed the budget.
import type { JobWeight, MemoryLimits } from "../common/memory-budget.ts";

interface Claimant {
  key: string;
  weight: JobWeight;
  bytes: number;
}

interface Holding extends Claimant {
  /** Whether the job started after the reservation was made. */
  isLater: boolean;
}

/**
 * A job starts if it fits beside those that run. For the first that does not, memory is reserved: jobs that
 * start later must fit beside it and each other. So small jobs go on while there is room, and the large one
 * starts, at the latest, when all jobs that ran before it have ended.
 */
export class MemoryLedger {
  private readonly jobBytes: MemoryLimits["jobBytes"];
  private readonly holdings = new Map<string, Holding>();
  private kept: Claimant | null = null;

  constructor({ jobBytes }: Pick<MemoryLimits, "jobBytes">) {
    this.jobBytes = jobBytes;
  }

  /** Takes memory for a job; false if it must wait. A job must not need more than one job alone may have. */
  take(claimant: Claimant): boolean {
    const isOwn = this.kept?.key === claimant.key;
    if (!this.hasRoom({ ...claimant, isLater: this.kept !== null && !isOwn })) {
      if (this.kept === null) this.keepFor(claimant);
      return false;
    }
    if (isOwn) this.keepFor(null);
    this.holdings.set(claimant.key, { ...claimant, isLater: this.kept !== null });
    return true;
  }

  /** Corrects a running job's memory; false, with nothing changed, if the additional memory is not free. */
  correct(key: string, bytes: number): boolean {
    const holding = this.holdings.get(key);
    if (holding === undefined) return false;
    const corrected = { ...holding, bytes };
    if (bytes > holding.bytes && !this.hasRoom(corrected)) return false;
    this.holdings.set(key, corrected);
    return true;
  }

  release(key: string): void {
    this.holdings.delete(key);
  }

  /** Drops the reservation unless it is for one of these jobs. */
  keepOnlyFor(keys: readonly string[]): void {
    if (this.kept !== null && !keys.includes(this.kept.key)) this.keepFor(null);
  }

  private keepFor(claimant: Claimant | null): void {
    this.kept = claimant;
    for (const holding of this.holdings.values()) holding.isLater = false;
  }

  private hasRoom(holding: Holding): boolean {
    const { kept } = this;
    const isOther = ({ key }: Holding) => key !== holding.key;
    if (!this.fits([holding], isOther)) return false;
    return !holding.isLater || kept === null || this.fits([holding, kept], (other) => other.isLater && isOther(other));
  }

  private fits(claimants: readonly Claimant[], beside: (holding: Holding) => boolean): boolean {
    const sum = (weight: JobWeight) =>
      this.sumOf(weight, beside) + claimants.reduce((bytes, each) => bytes + bytesIn(weight, each), 0);
    return sum("heavy") <= this.jobBytes.heavy && sum("light") <= this.jobBytes.light;
  }

  private sumOf(weight: JobWeight, isMeant: (holding: Holding) => boolean): number {
    return [...this.holdings.values()].filter(isMeant).reduce((sum, each) => sum + bytesIn(weight, each), 0);
  }
}

/** Only heavy jobs count against the heavy limit; all jobs count against the light one, which is the whole. */
function bytesIn(weight: JobWeight, claimant: Claimant): number {
  return weight === "light" || claimant.weight === "heavy" ? claimant.bytes : 0;
}
