// Small texts that screens share: times, shares, and the dash for what is missing.
import { formatPercent } from "../format.ts";

const DATE = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** A time in the reader's own zone; the exact one on hover. */
export function Time({ at }: { at: string }) {
  return (
    <time dateTime={at} title={at}>
      {DATE.format(new Date(at))}
    </time>
  );
}

/** A dash for a missing figure, with the reason on hover. */
export function Undefined({ reason }: { reason: string }) {
  return (
    <abbr title={reason}>
      –<span class="unseen"> {reason}</span>
    </abbr>
  );
}

export function Percent({ share, reason }: { share: number | null; reason: string }) {
  return share === null ? <Undefined reason={reason} /> : formatPercent(share);
}
