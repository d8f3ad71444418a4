// A client that obeys the polling hint: of a cancelled training it finds the model as soon as the hint is gone.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { testFolder } from "../support/folders.ts";
import { formOf } from "../support/form.ts";
import { knownTable } from "../support/refinery.ts";
import { endAll, FROM_SOURCE, poll, type Server, serve } from "../support/server.ts";

const ROOT = testFolder(endAll);

interface Progress {
  status: string;
  attemptsCompleted: number;
  nextPollAfterSeconds?: number;
}

const isDone = ({ nextPollAfterSeconds }: Progress) => nextPollAfterSeconds === undefined;

async function startTraining({ call }: Server): Promise<string> {
  const form = formOf({ name: "known", numberOfBuckets: "10", file: new File([knownTable(1_000, 1)], "known.csv") });
  const { datasetKey } = await call<{ datasetKey: string }>("POST", "/api/v1/datasets", form);
  const path = `/api/v1/datasets/${datasetKey}`;
  await poll(
    () => call<{ status: string }>("GET", path),
    ({ status }) => status === "COMPLETED",
  );
  const asked = { scalingFactor: 499 };
  const job = await call<{ trainingJobKey: string }>("POST", `/api/v1/training/datasets/${datasetKey}`, asked);
  return `/api/v1/training/${job.trainingJobKey}`;
}

test("polled until the hint is gone, a cancelled training has its model, through a restart too", async () => {
  const folder = join(ROOT, "state");
  let server = await serve(FROM_SOURCE, folder);
  const path = await startTraining(server);
  const progress = () => server.call<Progress>("GET", `${path}/progress`);
  await poll(progress, ({ attemptsCompleted }) => attemptsCompleted >= 3);
  expect(await server.call<object>("PATCH", `${path}/cancel`)).toEqual({ status: "CANCELLED" });
  server.child.kill("SIGKILL");
  await server.child.exited;
  server = await serve(FROM_SOURCE, folder);
  expect((await poll(progress, isDone)).status).toBe("CANCELLED");
  const { status, modelKey } = await server.call<{ status: string; modelKey: string }>("GET", path);
  expect(status).toBe("CANCELLED");
  const { versions } = await server.call<{ versions: object[] }>("GET", `/api/v1/models/${modelKey}`);
  expect(versions).not.toBeEmpty();
});
