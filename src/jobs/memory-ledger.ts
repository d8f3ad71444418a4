// Who has how much of the memory for jobs, and for which waiting job it is kept: so that all together never have more.
import type { JobWeight, MemoryLimits } from "../memory-budget.ts";

interface Claimant {
  key: string;
  weight: JobWeight;
  bytes: number;
}

interface Holding extends Claimant {
  /** Begun since memory is kept for the job that waits. */
  isLater: boolean;
}

/**
 * A job begins where it fits beside those that run. For the first one that does not, memory is kept: whatever begins from then
 * on must fit beside it and all else that began since. So small jobs go on while there is room for them, and the large one has
 * its turn when those that ran before it have ended, at the latest.
 */
export class MemoryLedger {
  private readonly jobBytes: MemoryLimits["jobBytes"];
  private readonly holdings = new Map<string, Holding>();
  private kept: Claimant | null = null;

  constructor({ jobBytes }: Pick<MemoryLimits, "jobBytes">) {
    this.jobBytes = jobBytes;
  }

  /** Takes memory for a job that begins; false where it has to wait. It may not be more than one job alone may have. */
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

  /** Corrects what a running job has; false, and nothing changes, where there is no room for so much more. */
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

  /** Keeps nothing any more for a job that is not among those next in turn. */
  keepOnlyFor(keys: readonly string[]): void {
    if (this.kept !== null && !keys.includes(this.kept.key)) this.keepFor(null);
  }

  private keepFor(claimant: Claimant | null): void {
    this.kept = claimant;
    for (const holding of this.holdings.values()) holding.isLater = false;
  }

  private hasRoom(asked: Holding): boolean {
    const { kept } = this;
    const isOther = ({ key }: Holding) => key !== asked.key;
    if (!this.fits([asked], isOther)) return false;
    return !asked.isLater || kept === null || this.fits([asked, kept], (other) => other.isLater && isOther(other));
  }

  /** Whether claimants fit beside some of the holdings. */
  private fits(claimants: readonly Claimant[], beside: (holding: Holding) => boolean): boolean {
    const sum = (weight: JobWeight) =>
      this.sumOf(weight, beside) + claimants.reduce((bytes, each) => bytes + bytesIn(weight, each), 0);
    return sum("heavy") <= this.jobBytes.heavy && sum("light") <= this.jobBytes.light;
  }

  private sumOf(weight: JobWeight, isMeant: (holding: Holding) => boolean): number {
    return [...this.holdings.values()].filter(isMeant).reduce((sum, each) => sum + bytesIn(weight, each), 0);
  }
}

/** What counts against the part of heavy jobs is theirs alone; everything counts against the whole. */
function bytesIn(weight: JobWeight, claimant: Claimant): number {
  return weight === "light" || claimant.weight === "heavy" ? claimant.bytes : 0;
}
