// Ctrl-C while a server works, and passwords typed on a terminal.
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Cancelled } from "../../engine/stop-signal.ts";
import { Cupel } from "../../src/clients/typescript/cupel.ts";
import type { ProgressView } from "../../src/progress/progress-view.ts";
import { onServer, remoteInspect, remoteRun } from "../../src/remote/remote.ts";
import type { RunSummary } from "../../src/summary/summary.ts";
import { testFolder } from "../support/folders.ts";
import { fixtureTable, runOptions, type TestConsole, testConsole } from "../support/in-process.ts";
import { PASSWORD, startService, USER } from "../support/live-service.ts";
import { knownTable } from "../support/refinery.ts";

const MAIN = join(import.meta.dir, "..", "..", "src", "main.ts");
const folder = testFolder(() => {
  for (const [name, value] of Object.entries({ CUPEL_KEY: key, XDG_CONFIG_HOME: config })) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
});
const trainPath = join(folder, "TRAIN.csv");
const { CUPEL_KEY: key, XDG_CONFIG_HOME: config } = process.env;
const live = await startService();
const cupel = new Cupel(live.address, { user: USER, password: PASSWORD });
process.env["CUPEL_KEY"] = live.keyWith("read", "write", "predict");
process.env["XDG_CONFIG_HOME"] = join(folder, "none");
writeFileSync(trainPath, knownTable(4_000, 1));

const runOn = (console: TestConsole, out: string, changes: Parameters<typeof runOptions>[2] = {}) => {
  const options = runOptions(trainPath, join(folder, out), { scalingFactor: 200, ...changes });
  return onServer(live.address, console, (remote) => remoteRun(options, remote, console));
};

/** A console that types Ctrl-C when a stage of this name is entered. */
function consoleThat(stage: RegExp): TestConsole {
  const console = testConsole();
  const enter: ProgressView["stage"] = (name) => {
    if (stage.test(name)) console.interrupt();
  };
  return { ...console, progress: { ...console.progress, stage: enter } };
}

describe("Ctrl-C", () => {
  test("while models are trained ends the training, and fetches the best so far", async () => {
    let isAsked = false;
    const console = testConsole((done) => {
      if (isAsked || done < 2) return;
      isAsked = true;
      console.interrupt();
    });
    expect(await runOn(console, "stopped")).toBe(130);
    expect(console.notes.join("\n")).toContain("Stopping: the server refits the best models so far");
    const { status, versions } = JSON.parse(
      readFileSync(join(folder, "stopped", "summary.json"), "utf8"),
    ) as RunSummary;
    expect([status, versions.length > 0]).toEqual(["CANCELLED", true]);
    expect(existsSync(join(folder, "stopped", "model.cupel"))).toBeTrue();
  });

  test("twice leaves at once; the server ends the training all the same", async () => {
    let heard = 0;
    const console = testConsole(() => {
      if (heard++ < 2) console.interrupt();
    });
    await expect(runOn(console, "left")).rejects.toBeInstanceOf(Cancelled);
    const [left] = await Array.fromAsync(cupel.trainings);
    expect(left!.about.status).toBe("CANCELLED");
    expect(existsSync(join(folder, "left"))).toBeFalse();
  });

  test("while columns are refined ends that", async () => {
    const console = consoleThat(/^Refining/);
    const before = await cupel.trainings.count();
    await expect(runOn(console, "refining", { refine: true })).rejects.toBeInstanceOf(Cancelled);
    expect(await cupel.trainings.count()).toBe(before);
    const [refinement] = await Array.fromAsync(cupel.refinements);
    expect(refinement!.about.state).toBe("CANCELLED");
  });

  test("while a file is sent leaves nothing on the server", async () => {
    const before = await cupel.datasets.count();
    const console = consoleThat(/^Sending/);
    const options = { path: fixtureTable("churn"), label: null, missingMarkers: null, json: false };
    const asked = onServer(live.address, console, (remote) => remoteInspect(options as never, remote, console));
    await expect(asked).rejects.toBeInstanceOf(Cancelled);
    expect(await cupel.datasets.count()).toBe(before);
  });
});

describe("on a terminal", () => {
  /** Types each answer once its question is shown. */
  async function type(answers: readonly (readonly [RegExp, string])[]) {
    const left = [...answers];
    let shown = "";
    let unanswered = "";
    const child = Bun.spawn([process.execPath, MAIN, "login", live.address], {
      env: { ...process.env, CUPEL_KEY: "", XDG_CONFIG_HOME: join(folder, "typed") },
      terminal: {
        data: (terminal, bytes) => {
          const text = new TextDecoder().decode(bytes);
          shown += text;
          unanswered += text;
          if (left[0]?.[0].test(unanswered) !== true) return;
          unanswered = "";
          terminal.write(left.shift()![1]);
        },
      },
    });
    return { code: await child.exited, shown: () => shown };
  }

  test("a user is asked, and a password is not shown", async () => {
    const { code, shown } = await type([
      [/User \(e-mail\): /, `${USER}x\u007f\r`],
      [/Password: /, `${PASSWORD}\r`],
    ]);
    expect([code, shown()]).toEqual([0, expect.stringContaining("Logged in to")]);
    expect(shown()).toContain(USER);
    expect(shown()).not.toContain(PASSWORD);
  });

  test("Ctrl-C ends the questions", async () => {
    expect((await type([[/User/, "ada\u0003"]])).code).toBe(130);
  });
});
