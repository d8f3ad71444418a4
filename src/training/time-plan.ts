// When the phases of a training end.
//
// All rows searched:
//
//   opened            65%                                   end
//     |--- attempts ----|------- confirm -------|-- refit ---|
//                                               end − refits
//
// A large table, searched on a sample:
//
//   opened       40%       50%                                 end
//     |- attempts -|- confirm -|--- grow ----|-- refit --|-pack-|
//                                            end − refits − a tenth of what was left
//
// A phase that ends early leaves its time to the next one. Refits are not cut short.

/** Share of the time left after reading that attempts may use; the rest is for confirming and refitting. */
const ATTEMPTS_SHARE = 0.65;
/** The same for a large table, whose champion then learns from more rows. */
export const SAMPLED_ATTEMPTS_SHARE = 0.4;
/** Share of a large table's time after which its champion grows. */
const SAMPLED_CONFIRMED_SHARE = 0.5;
/** Share of a large table's time that is kept for packing and reporting models. */
const PACKING_SHARE = 0.1;

/** All times are of the monotonic clock; `isSampled`: whether the search has only a sample of the rows. */
export class TimePlan {
  readonly endMs: number;
  private readonly openedMs: number;

  /** `openedMs`: when the table was read. */
  constructor(openedMs: number, endMs: number) {
    this.openedMs = openedMs;
    this.endMs = endMs;
  }

  attemptsEndMs(isSampled: boolean): number {
    return this.at(isSampled ? SAMPLED_ATTEMPTS_SHARE : ATTEMPTS_SHARE);
  }

  /** Leaves the refits `refitMs` milliseconds. */
  confirmEndMs(isSampled: boolean, refitMs: number): number {
    return Math.min(this.endMs - refitMs, isSampled ? this.at(SAMPLED_CONFIRMED_SHARE) : this.endMs);
  }

  /** For growing that begins at `nowMs`. */
  growthEndMs(nowMs: number, refitMs: number): number {
    return this.endMs - refitMs - PACKING_SHARE * (this.endMs - nowMs);
  }

  private at(share: number): number {
    return this.openedMs + (this.endMs - this.openedMs) * share;
  }
}
