// The Python client over links that break, beside busy servers, interrupted by its user; and the whole flow.
import { expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startBreakingLink } from "../../support/breaking-link.ts";
import { drivePythonClient, PYTHON_CLIENT, python, pythonClient, writeTables } from "../../support/driven-client.ts";
import { testFolder } from "../../support/folders.ts";
import { PASSWORD, startService, USER } from "../../support/live-service.ts";
import { knownTable } from "../../support/refinery.ts";
import { describeWithTools, examplesIn } from "../../support/tools.ts";

const folder = testFolder(() => link.close());
const live = await startService("/cupel");
const link = await startBreakingLink(live.port);
const login = { CUPEL_URL: live.address, CUPEL_USER: USER, CUPEL_PASSWORD: PASSWORD };
writeTables(folder);
writeFileSync(join(folder, "large.csv"), knownTable(20_000, 4));

const run = <T>(program: string, environment: Record<string, string> = {}) =>
  pythonClient<T>(program, folder, { ...login, ...environment });
const throughLink = () => ({ CUPEL_URL: `${link.origin}/cupel` });

describeWithTools("the Python client", { needed: ["python3"] }, () => {
  test("drives login, refinement, training, predictions, downloads and deletes", async () => {
    await drivePythonClient(join(folder, "flow"), login);
  });

  test("the program of the README has ten lines at most and runs as it stands there", async () => {
    const [program = ""] = examplesIn("README.md", "python", "from cupel import");
    expect(program.trimEnd().split("\n").length).toBeLessThanOrEqual(10);
    const { out, err, code } = await python(["-c", program], folder, login);
    expect([err, code]).toEqual(["", 0]);
    expect(out).toMatch(/^Accuracy \d+\.\d% \[.*\] on 240 held-out rows: \d+ wrong; always answering "yes": \d/m);
    expect(out).toMatch(/^(yes|no) 0\.\d+$/m);
    expect(readFileSync(join(folder, "RESULT.csv"), "utf8").trimEnd().split("\n")).toHaveLength(51);
    expect(readFileSync(join(folder, "model.cupel")).subarray(0, 8).toString()).toBe("CUPELMDL");
  });

  test("the program of docs/clients.md runs as it stands there", async () => {
    const [program = ""] = examplesIn("docs/clients.md", "python", "from cupel import");
    const { out, err, code } = await python(["-c", program], folder, login);
    expect([err, code]).toEqual(["", 0]);
    expect(out).toContain("'always': 'CONSTANT'");
    expect(out.match(/^(yes|no) [01][\d.]* (strong|weak|left|right)$/gm)).toHaveLength(50);
  });

  test("goes on where the link breaks, and makes one dataset of an upload", async () => {
    const broken = new Set<string>();
    link.cut = (request) => {
      const [kind] = /uploads\/|datasets\?|datasets\/|login/.exec(request) ?? [];
      const turn = [`${kind} unheard`, `${kind} lost`].find((one) => kind !== undefined && !broken.has(one));
      if (turn === undefined) return null;
      broken.add(turn);
      return turn.endsWith("unheard") ? "before" : "answer";
    };
    const program = `
cupel = Cupel()
dataset = cupel.upload("large.csv", name="broken link")
seen = [dataset.info["rowCount"], len(list(cupel.datasets("broken link")))]`;
    expect(await run<unknown>(program, throughLink())).toEqual([20_000, 1]);
    expect(broken.size).toBe(8);
  });

  test("goes on with a download where it broke, and leaves the whole file or none", async () => {
    link.cut = () => null;
    const { model, prediction } = await run<{ model: string; prediction: string }>(`
cupel = Cupel()
model = cupel.train("TRAIN.csv", scaling=0)
prediction = model.predict("large.csv", to="whole.csv")
seen = {"model": model.key, "prediction": prediction.key}`);
    const cuts = [300_000, 200_000, 1_000];
    link.asked.length = 0;
    link.cut = (request) => (request.endsWith("/file") ? (cuts.shift() ?? null) : null);
    await run(`Cupel().prediction("${prediction}").save("parts.csv")`, throughLink());
    expect(readFileSync(join(folder, "parts.csv"))).toEqual(readFileSync(join(folder, "whole.csv")));
    expect(link.asked.filter((request) => request.endsWith("/file"))).toHaveLength(4);
    link.cut = (request) => (request.endsWith("/file") ? "answer" : null);
    const save = `
try:
    Cupel(retries=1).model("${model}").save("none.cupel")
except CupelError as error:
    seen = [error.code, str(error)]`;
    expect(await run<unknown>(save, throughLink())).toEqual([
      "UNREACHABLE",
      expect.stringContaining("cannot be reached"),
    ]);
    expect(readdirSync(folder).filter((name) => name.startsWith("none.cupel") || name.endsWith(".part"))).toEqual([]);
  });

  test("waits where a server or a proxy is busy, as long as it is told", async () => {
    const answers = [
      new Response("<html>bad gateway</html>", { status: 502 }),
      new Response(null, { status: 503, headers: { "retry-after": "1" } }),
      new Response(null, { status: 429, headers: { "retry-after": "3600" } }),
      new Response(null, { status: 302, headers: { location: "https://elsewhere.example.org/" } }),
    ];
    const busy = Bun.serve({
      port: 0,
      fetch: (request) => answers.shift() ?? fetch(request.url.replace(/:\d+/, `:${live.port}`), request),
    });
    const program = `
seen = []
for turn in range(3):
    try:
        seen.append(Cupel().limits()["liveRows"]["rows"]["most"])
    except CupelError as error:
        seen += [error.code, error.status, error.retry_after]`;
    const environment = { CUPEL_URL: `http://127.0.0.1:${busy.port}/cupel`, CUPEL_KEY: live.keyWith("read") };
    expect(await run<unknown>(program, environment)).toEqual(["NOT_CUPEL", 429, 3_600, "REDIRECTED", 302, null, 1_000]);
    expect(answers).toHaveLength(0);
    await busy.stop(true);
  });

  test("leaves the server's work under way when its user interrupts the waiting, and says how to fetch it", async () => {
    const program = `
import sys
from cupel import Cupel
def tell(line):
    if line.startswith("Training: running"):
        print(line, flush=True)
Cupel(progress=tell).train("large.csv", scaling=499)`;
    const child = Bun.spawn(["python3", "-B", "-c", program], {
      cwd: folder,
      env: { ...process.env, PYTHONPATH: PYTHON_CLIENT, ...login },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    await child.stdout.getReader().read();
    child.kill("SIGINT");
    const told = await child.stderr.text();
    const [, way = ""] =
      /KeyboardInterrupt: The server goes on\. Later: cupel\.(training\("[\w-]+"\))\.wait\(\)\n$/.exec(told) ?? [];
    expect(way).not.toBe("");
    const later = `
cupel = Cupel()
training = cupel.${way}
seen = [training.status, len(list(training.attempts())) < 500]
try:
    training.wait(timeout=0)
except CupelError as error:
    seen.append(error.code)
training.cancel()
try:
    training.wait()
    seen.append("a model")
except CupelError as error:
    seen.append(error.code)
seen.append(training.status)`;
    const [status, hasAttempts, code, ended, last] = await run<unknown[]>(later);
    expect([status, hasAttempts, code, last]).toEqual(["RUNNING", true, "NOT_READY", "CANCELLED"]);
    expect(["a model", "CANCELLED"]).toContain(String(ended));
  });

  test("makes one thing of one call, also where the answers are lost", async () => {
    const lost = new Set<string>();
    link.cut = (request) => {
      const isCreating = /^POST \S+\/(?:datasets|datasets\/[\w-]+|models\/[\w-]+|feature-refinery)$/.test(request);
      if (!isCreating || lost.has(request)) return null;
      lost.add(request);
      return "answer";
    };
    const program = `
cupel = Cupel()
before = len(list(cupel.refinements()))
dataset = cupel.upload("TRAIN.csv", "label", name="once")
model = dataset.train(scaling=0)
run = dataset.refine(buckets=4)
model.predict("NEW.csv", to="NEW-out.csv")
model.predict("NEW.csv", to="NEW-out.csv")
trainings = [own for own in cupel.trainings() if own.info["datasetKey"] == dataset.key]
seen = [len(list(cupel.datasets("once"))), len(trainings), len(list(cupel.refinements())) - before, len(list(model.predictions()))]`;
    expect(await run<unknown>(program, throughLink())).toEqual([1, 1, 1, 2]);
    expect(lost.size).toBe(4);
  });

  test("sends a large file in pieces, and goes on where the link broke", async () => {
    const rows = knownTable(220_000, 5);
    writeFileSync(join(folder, "pieces.csv"), rows);
    link.asked.length = 0;
    link.cut = (request) => {
      const turn = link.asked.filter((one) => one.startsWith("PATCH")).length;
      return request.startsWith("PATCH") && turn < 4 ? (turn === 1 ? "before" : "answer") : null;
    };
    const program = `
cupel = Cupel()
dataset = cupel.upload("pieces.csv", name="in pieces")
model = cupel.train("TRAIN.csv", scaling=0)
prediction = model.predict("pieces.csv", to="pieces-out.csv", reasons=1)
seen = [dataset.info["rowCount"], prediction.info["rowCount"], prediction.info["reasons"]]`;
    expect(await run<unknown>(program, throughLink())).toEqual([220_000, 220_000, 1]);
    expect(link.asked.filter((one) => one.startsWith("PATCH")).length).toBeGreaterThan(2);
  });
});
