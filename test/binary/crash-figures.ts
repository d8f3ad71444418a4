// What a crash campaign did and found, in figures that add up over pieces, and as a table to read.
import { RESTARTED_TOO_OFTEN } from "../../data/database/states.ts";
import { type Counts, count, type Ledger } from "./crash-ledger.ts";

/** What the reasons of all kinds of jobs begin with that were interrupted too often. */
const [INTERRUPTED = ""] = RESTARTED_TOO_OFTEN.split(".");

export interface CrashFigures {
  seeds: number[];
  seconds: number;
  kills: Counts;
  acknowledged: Counts;
  /** By kind of job, and how it ended. */
  ends: Record<string, Counts>;
  /** Facts of earlier answers that were held against later ones. */
  checked: Counts;
}

export function noFigures(): CrashFigures {
  return { seeds: [], seconds: 0, kills: {}, acknowledged: {}, ends: {}, checked: {} };
}

/** Of a ledger whose things have all come to an end, or never had to. */
export function figuresOf(ledger: Ledger, kills: Counts, seed: number, seconds: number): CrashFigures {
  const ends: CrashFigures["ends"] = {};
  for (const { kind, status, endReason, frozen } of ledger.things.values()) {
    const isCut = endReason?.includes(INTERRUPTED) ?? false;
    const end = frozen === null ? "never given what it needs" : `${status}${isCut ? ", killed too often" : ""}`;
    ends[kind] ??= {};
    count(ends[kind], end);
  }
  return { seeds: [seed], seconds, kills, acknowledged: ledger.acknowledged, ends, checked: ledger.checked };
}

export function addFigures(one: CrashFigures, other: CrashFigures): CrashFigures {
  const kinds = new Set([...Object.keys(one.ends), ...Object.keys(other.ends)]);
  return {
    seeds: [...one.seeds, ...other.seeds],
    seconds: one.seconds + other.seconds,
    kills: added(one.kills, other.kills),
    acknowledged: added(one.acknowledged, other.acknowledged),
    ends: Object.fromEntries([...kinds].map((kind) => [kind, added(one.ends[kind] ?? {}, other.ends[kind] ?? {})])),
    checked: added(one.checked, other.checked),
  };
}

function added(one: Counts, other: Counts): Counts {
  const sum = { ...one };
  for (const [what, times] of Object.entries(other)) count(sum, what, times);
  return sum;
}

export function totalOf(counts: Counts): number {
  return Object.values(counts).reduce((sum, times) => sum + times, 0);
}

/** Markdown. */
export function tableOf({ seeds, seconds, kills, acknowledged, ends, checked }: CrashFigures): string {
  const sections: [string, Counts][] = [
    [`kills (${totalOf(kills)})`, kills],
    ["acknowledged", acknowledged],
    ...Object.entries(ends).map(([kind, counts]): [string, Counts] => [`ends of ${kind}s`, counts]),
    ["held against later answers", checked],
  ];
  const rows = sections.flatMap(([title, counts]) =>
    Object.entries(counts)
      .toSorted(([, a], [, b]) => b - a)
      .map(([what, times], index) => `| ${index === 0 ? title : ""} | ${what} | ${times} |`),
  );
  const last = `Seeds ${seeds.join(", ")}; ${Math.round(seconds / 60)} minutes; nothing acknowledged was lost.`;
  return ["| | | |", "| --- | --- | ---: |", ...rows, "", last].join("\n");
}
