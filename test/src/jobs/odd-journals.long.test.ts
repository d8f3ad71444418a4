// A refinement whose journal somebody rewrote, with checksums that are right: the
// job ends, and the threads and the process go on.
import { afterAll, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { isRefinementEnd } from "../../../data/database/states.ts";
import { statePaths } from "../../../data/files/state-folder.ts";
import { recoverRefinements } from "../../../data/refinements/refinement-runs.ts";
import { crc32 } from "../../../engine/arrays/crc32.ts";
import { suspendRun } from "../../../src/jobs/job-run.ts";
import { WorkerPool } from "../../../workers/pool.ts";
import { spawnWorker } from "../../support/in-process.ts";
import { beginRefinement, refinementOf } from "../../support/job-flows.ts";
import { addRefinement, type JobState, until, withJobState } from "../../support/job-state.ts";
import { knownTable } from "../../support/refinery.ts";

const pool = new WorkerPool(spawnWorker, 2);
afterAll(() => pool.close());

const begin = (jobs: JobState) => beginRefinement(jobs, pool);

function rewritten(journal: string, answer: string): string {
  const [header = "", ...lines] = journal.trimEnd().split("\n");
  const odd = lines.map((line) => {
    const [unitId] = JSON.parse(line.slice(9)) as [string];
    const json = `[${JSON.stringify(unitId)},${answer}]`;
    return `${crc32(new TextEncoder().encode(json)).toString(16).padStart(8, "0")} ${json}`;
  });
  return [header, ...odd, ""].join("\n");
}

test.each([
  "null",
  "{}",
  "[]",
  "1e308",
  '"text"',
  '{"$":["array","Float64Array","AAAAAAAA8D8="]}',
  '{"length":4294967295,"__proto__":{"polluted":true}}',
])("with %s as the answer of every unit", (answer) =>
  withJobState(async (jobs) => {
    const key = addRefinement(jobs, knownTable(300, 1), knownTable(100, 2));
    const first = begin(jobs);
    await until(() => (refinementOf(jobs, key).progressCompleted ?? 0) > 8, "progress");
    suspendRun(first.run);
    await first.flow;
    const path = jobs.state.locate(statePaths.journal(key));
    writeFileSync(path, rewritten(readFileSync(path, "utf8"), answer));
    recoverRefinements(jobs.database, new Date());
    await begin(jobs).flow;
    expect(isRefinementEnd(refinementOf(jobs, key).state)).toBeTrue();
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  }),
);

test("and the same threads do the next one", () =>
  withJobState(async (jobs) => {
    const key = addRefinement(jobs, knownTable(300, 1), knownTable(100, 2));
    await begin(jobs).flow;
    expect(refinementOf(jobs, key).state).toBe("REFINEMENT_COMPLETED");
  }));
