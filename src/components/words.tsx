// Small pieces of text that screens share: points in time, shares, secrets that are shown once.
import { useState } from "preact/hooks";
import { formatPercent } from "../format.ts";
import { announce } from "./announcements.tsx";

const DATE = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** A point in time where the reader is; exactly on hover. */
export function Time({ at }: { at: string }) {
  return (
    <time dateTime={at} title={at}>
      {DATE.format(new Date(at))}
    </time>
  );
}

/** What is not there, with the reason on hover. */
export function Undefined({ reason }: { reason: string }) {
  return (
    <abbr title={reason}>
      –<span class="unseen"> {reason}</span>
    </abbr>
  );
}

/** A word with what it means on hover. */
export function Tip({ word, explanation }: { word: string; explanation: string }) {
  return <abbr title={explanation}>{word}</abbr>;
}

export function Percent({ share, reason }: { share: number | null; reason: string }) {
  return share === null ? <Undefined reason={reason} /> : formatPercent(share);
}

/** A secret that the server does not keep: to be copied now. Browsers give the clipboard to safe connections alone. */
export function Secret({ label, text }: { label: string; text: string }) {
  const [isCopied, setCopied] = useState(false);
  return (
    <div class="secret">
      <code>{text}</code>
      {isSecureContext && (
        <button
          type="button"
          class="small"
          onClick={async () => {
            await navigator.clipboard.writeText(text);
            setCopied(true);
            announce(`${label} copied.`);
          }}
        >
          {isCopied ? "Copied" : "Copy"}
        </button>
      )}
    </div>
  );
}
