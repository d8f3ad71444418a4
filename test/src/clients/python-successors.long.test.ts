// Successors by the Python client: asked for, waited for, compared, promoted and taken back.
import { expect, test } from "bun:test";
import { pythonClient } from "../../support/driven-client.ts";
import { testFolder } from "../../support/folders.ts";
import { PASSWORD, startService, USER } from "../../support/live-service.ts";
import { describeWithTools } from "../../support/tools.ts";

const folder = testFolder();
const live = await startService();

const run = <T>(program: string) =>
  pythonClient<T>(program, folder, { CUPEL_URL: live.address, CUPEL_USER: USER, CUPEL_PASSWORD: PASSWORD });

describeWithTools("successors by the Python client", { needed: ["python3"] }, () => {
  test("learn what turned, are compared, and answer at the first model's address until taken back", async () => {
    const program = `
def table(count, turned):
    rows = [{"x": at * 37 % 101 - 50, "noise": at * 13 % 17} for at in range(count)]
    return [{**row, "label": "yes" if (row["x"] > 0) != turned else "no"} for row in rows]

cupel = Cupel()
model = cupel.train(table(200, False), "label", scaling=0)
codes = []
def refused(ask):
    try:
        ask()
    except CupelError as error:
        codes.append(error.code)
refused(model.train_successor)
later = table(300, True)
prediction = cupel.prediction(model.predict([{**row, "label": ""} for row in later], to=io.BytesIO()).key)
prediction.outcomes.add([row["label"] for row in later])
made = model.train_successor(old_rows=0, predictions=[prediction], wait=False)
refused(lambda: made.model)
refused(lambda: made.comparison)
assert made.wait() == made
seen = [codes, made.outcome, made.comparison["rowCount"], made.info["learnedRows"], made.champion == model, made in model.successors()]
answer = lambda: model.predict({"x": 40, "noise": 3}).label
seen += [answer(), made.promote().info["isAnswering"], answer(), made.take_back().info["isAnswering"], answer()]
seen += [made.model.predict({"x": 40, "noise": 3}).label, str(made).split(" newest")[0], cupel.successor(made.key).info["promote"]]
made.delete()
seen += [list(model.successors())]
refused(made.wait)`;
    const told = expect.stringMatching(/^Successor [\w-]+\nBoth decided the same 90$/);
    expect(await run<unknown[]>(program)).toEqual([
      ["LABELS_UNFIT", "NOT_READY", "NOT_READY", "NOT_FOUND"],
      ...["CHALLENGER_BETTER", 90, 210, true, true],
      ...["yes", true, "no", false, "yes"],
      ...["no", told, "BY_HAND", []],
    ]);
  });
});
