// Small texts that screens share: times, shares, names, and the dash for what is missing.
import type { ComponentChildren } from "preact";
import { linkTo } from "../browser/router.ts";
import { formatCount } from "../common/format.ts";

/** Made for the first time that is shown: that takes some 10 ms, which every first paint would wait for. */
let dates: Intl.DateTimeFormat | null = null;

/** A time in the reader's own zone; the exact one on hover. */
export function Time({ at }: { at: string }) {
  return (
    <time dateTime={at} title={at}>
      {timeInWords(at)}
    </time>
  );
}

/** A time in the reader's own zone, as a text. */
export function timeInWords(at: string): string {
  dates ??= new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
  return dates.format(new Date(at));
}

/** A dash for a missing figure, with the reason on hover. */
export function Undefined({ reason }: { reason: string }) {
  return (
    <abbr title={reason}>
      –<span class="unseen"> {reason}</span>
    </abbr>
  );
}

/** A link to the page of a thing, by the name that users gave it. */
export function NameLink({ to, name }: { to: string; name: string }) {
  return (
    <a href={linkTo(to)}>
      <bdi>{name}</bdi>
    </a>
  );
}

/** Names of columns; those beyond `most` are counted. */
export function Names({ names, most = names.length }: { names: readonly string[]; most?: number }) {
  return (
    <ul class="names">
      {names.slice(0, most).map((name) => (
        <li key={name}>
          <bdi>{name}</bdi>
        </li>
      ))}
      {names.length > most && <li class="note">and {formatCount(names.length - most)} more</li>}
    </ul>
  );
}

/** A value in words, or the dash where it is null. */
export function orDash<T>(reason: string, value: T | null, write: (value: T) => ComponentChildren): ComponentChildren {
  return value === null ? <Undefined reason={reason} /> : write(value);
}
