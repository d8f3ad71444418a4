// What a fault needs of its machine: small disks, control groups, and requests whose outcome is told in a word.
import { mkdirSync, readFileSync, rmdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Random } from "../../engine/random.ts";
import { formOf } from "../support/form.ts";
import { knownTable } from "../support/refinery.ts";
import { PASSWORD, poll, type Server, type Status } from "../support/server.ts";

/** This machine, or whoever runs this, lacks what the fault needs. */
export class CannotTry extends Error {}

const MIB = 2 ** 20;

/** Runs a program of the system. @throws CannotTry where it does not succeed */
function system(...command: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(command);
  if (exitCode !== 0) throw new CannotTry(`${command.join(" ")} fails here: ${stderr.toString().trim()}`);
}

/** A disk of its own in memory for as long as `use` takes. */
export async function onSmallDisk<T>(folder: string, sizeMib: number, use: (mount: string) => Promise<T>): Promise<T> {
  const mount = join(folder, "disk");
  mkdirSync(mount);
  system("mount", "-t", "tmpfs", "-o", `size=${sizeMib}m`, "tmpfs", mount);
  return use(mount).finally(() => system("umount", "--lazy", mount));
}

/** A disk of its own that can be made read only under whoever writes to it, as a failing one is. */
export async function onFailingDisk<T>(
  folder: string,
  use: (mount: string, fail: () => void) => Promise<T>,
): Promise<T> {
  const [image, mount] = [join(folder, "image"), join(folder, "disk")];
  writeFileSync(image, "");
  truncateSync(image, 64 * MIB);
  mkdirSync(mount);
  system("mkfs.ext4", "-q", image);
  system("mount", "-o", "loop", image, mount);
  const fail = () => system("mount", "-o", "remount,abort", mount);
  return use(mount, fail).finally(() => system("umount", "--lazy", mount));
}

export interface MemoryGroup {
  /** Before the program and its arguments: starts it in the group. */
  starter: string[];
  /** The most that was taken, in MiB, and how many processes the system has ended for want of it. */
  used(): { mostMib: number; killCount: number };
}

/** A control group of version 1 or 2, below that of this process; it goes with `use`, once nothing runs in it. */
export async function inMemoryGroup<T>(limitMib: number, use: (group: MemoryGroup) => Promise<T>): Promise<T> {
  const own = (pattern: RegExp) => pattern.exec(readFileSync("/proc/self/cgroup", "utf8"))?.[1];
  const [first, second] = [own(/^\d+:(?:[^:]*,)?memory(?:,[^:]*)?:(.*)$/m), own(/^0::(.*)$/m)];
  const [root, limitFile, peakFile, killFile] =
    first === undefined
      ? [`/sys/fs/cgroup${second}`, "memory.max", "memory.peak", "memory.events"]
      : [`/sys/fs/cgroup/memory${first}`, "memory.limit_in_bytes", "memory.max_usage_in_bytes", "memory.oom_control"];
  const group = join(root, `cupel-${process.pid}`);
  try {
    mkdirSync(group);
    writeFileSync(join(group, limitFile), String(limitMib * MIB));
  } catch (error) {
    throw new CannotTry(`no control group can be made here (${(error as NodeJS.ErrnoException).code})`);
  }
  const used = () => ({
    mostMib: Math.round(Number(readFileSync(join(group, peakFile), "utf8")) / MIB),
    killCount: Number(/^oom_kill (\d+)$/m.exec(readFileSync(join(group, killFile), "utf8"))?.[1]),
  });
  const starter = ["sh", "-c", `echo $$ > '${group}/cgroup.procs'; exec "$@"`, "sh"];
  return use({ starter, used }).finally(() => rmdirSync(group));
}

/** `200`, or status and code of a refusal. */
export async function outcomeOf(server: Server, method: string, path: string, body?: unknown): Promise<string> {
  try {
    await server.call(method, path, body);
    return "done";
  } catch (error) {
    const [, status, code] = /: (\d{3}) .*?"code":"([A-Z_]+)"/s.exec((error as Error).message) ?? [];
    return `${status} ${code}`;
  }
}

export function originOf({ printed }: Server): string {
  return /listening on (\S+)/.exec(printed)![1]!;
}

export async function logIn(server: Server): Promise<number> {
  const answer = await fetch(`${originOf(server)}/api/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: "ada@example.org", password: PASSWORD }),
  });
  return answer.status;
}

export function datasetForm(name: string, table: string = knownTable(1_200, 1)): FormData {
  const form = formOf({ name, numberOfBuckets: "20", file: new File([table], "table.csv") });
  return form;
}

/** A processed dataset. */
export async function addDataset({ call }: Server, name: string, table?: string): Promise<string> {
  const { datasetKey } = await call<{ datasetKey: string }>("POST", "/api/v1/datasets", datasetForm(name, table));
  const path = `/api/v1/datasets/${datasetKey}`;
  const { status } = await poll(
    () => call<Status>("GET", path),
    (dataset) => dataset.status !== "PROCESSING",
  );
  if (status !== "COMPLETED") throw new Error(`the dataset is ${status}`);
  return datasetKey;
}

export interface TrainingJob extends Status {
  trainingJobKey: string;
  modelKey: string | null;
}

export interface TrainingProgress extends Status {
  attemptsCompleted: number;
  errorReason: string | null;
  waitingReason?: string;
}

export async function startTraining({ call }: Server, datasetKey: string, scalingFactor: number): Promise<string> {
  const path = `/api/v1/training/datasets/${datasetKey}`;
  return (await call<TrainingJob>("POST", path, { scalingFactor })).trainingJobKey;
}

export function progressOf({ call }: Server, jobKey: string): Promise<TrainingProgress> {
  return call<TrainingProgress>("GET", `/api/v1/training/${jobKey}/progress`);
}

/** The job as it ended. */
export async function endOfTraining({ call }: Server, jobKey: string): Promise<TrainingJob> {
  return poll(
    () => call<TrainingJob>("GET", `/api/v1/training/${jobKey}`),
    ({ status }) => status !== "PENDING" && status !== "RUNNING",
  );
}

/**
 * Twenty thousand rows of fourteen columns and a label that follows four of them, half by chance: forests grow large.
 */
export function largeTable(rowCount: number): string {
  const random = new Random(1);
  const lines = [[...Array.from({ length: 14 }, (_, column) => `n${column}`), "label"].join(",")];
  for (let row = 0; row < rowCount; row++) {
    const values = Array.from({ length: 14 }, () => random.nextFloat());
    const signal = (values[0]! + values[1]! + values[2]! + values[3]!) / 4;
    const label = 0.5 * signal + 0.5 * random.nextFloat() > 0.5 ? "yes" : "no";
    lines.push([...values.map((value) => (100 * value - 50).toFixed(4)), label].join(","));
  }
  return `${lines.join("\n")}\n`;
}
