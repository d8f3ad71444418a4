// What fuzz campaigns over HTTP found, in figures that add up over pieces.

export interface FuzzFigures {
  seeds: number[];
  requestCount: number;
  /** Of the requests alone. */
  seconds: number;
  statuses: Record<string, number>;
  slowest: { ms: number; request: string };
  /**
   * Of the server: once it listened, after every operation was asked for and a
   * rest, after the last request, and after a rest.
   */
  residentMib: { atStart: number; before: number; atEnd: number; afterRest: number };
  findings: string[];
}

/** Markdown. */
export function reportOf(pieces: readonly FuzzFigures[]): string {
  const statuses: Record<string, number> = {};
  for (const piece of pieces) {
    for (const [status, times] of Object.entries(piece.statuses)) statuses[status] = (statuses[status] ?? 0) + times;
  }
  const requestCount = pieces.reduce((sum, piece) => sum + piece.requestCount, 0);
  const seconds = pieces.reduce((sum, piece) => sum + piece.seconds, 0);
  const slowest = pieces.map((piece) => piece.slowest).reduce((a, b) => (a.ms >= b.ms ? a : b));
  const findings = pieces.flatMap((piece) => piece.findings);
  const rounded = (mib: number) => String(Math.round(mib));
  return [
    `${requestCount} requests in ${pieces.length} pieces, ${Math.round(requestCount / seconds)} a second`,
    `slowest answer: ${Math.round(slowest.ms)} ms, to ${slowest.request.slice(0, 200)}`,
    "",
    "| status | answers |",
    "| --- | ---: |",
    ...Object.entries(statuses).map(([status, times]) => `| ${status} | ${times} |`),
    "",
    "| seeds | requests | MiB at the start | before | at the end | after a rest |",
    "| --- | ---: | ---: | ---: | ---: | ---: |",
    ...pieces.map(({ seeds, requestCount: count, residentMib: { atStart, before, atEnd, afterRest } }) => {
      const memory = [atStart, before, atEnd, afterRest].map(rounded).join(" | ");
      return `| ${seeds[0]}-${seeds.at(-1)} | ${count} | ${memory} |`;
    }),
    "",
    `findings: ${findings.length}`,
    ...findings.map((finding) => `- ${finding}`),
  ].join("\n");
}
