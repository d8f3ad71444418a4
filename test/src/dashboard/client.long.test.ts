// The client for TypeScript in a browser: loaded from the server as a module, by a page that may load nothing else.
import { expect, test } from "bun:test";
import { ADMINISTRATOR, describeBrowser, PASSWORD } from "../../support/browser.ts";
import { knownTable } from "../../support/refinery.ts";

describeBrowser("the client for programs", (start) => {
  test("trains on a file that was chosen, and predicts", async () => {
    const { page, address } = await start({ settings: { CUPEL_BASE_PATH: "/ml" } });
    const program = `async ({ address, user, password, table }) => {
      const { Cupel, CupelProblem } = await import(address + "clients/cupel.js");
      const cupel = new Cupel(address, { user, password });
      const model = await cupel.train(new File([table], "C:\\\\fakepath\\\\customers.csv"), { scalingFactor: 0 });
      const dataset = await cupel.datasets.get(model.about.datasetKey);
      const prediction = await model.predict(new Blob([table]));
      let rows = 0;
      for await (const { label } of prediction.rows()) if (label !== "") rows++;
      const refused = [await cupel.train("customers.csv").catch((error) => error), await prediction.file().save("x").catch((error) => error)];
      return { name: dataset.about.name, rows, codes: refused.map((error) => error instanceof CupelProblem && error.code) };
    }`;
    const about = { address, user: ADMINISTRATOR, password: PASSWORD, table: knownTable(300, 1) };
    const told = await page.evaluate<Record<string, unknown>>(`(${program})(${JSON.stringify(about)})`);
    expect(told).toEqual({
      name: expect.stringMatching(/^customers [0-9a-f]{8}$/),
      rows: 300,
      codes: ["UNUSABLE_TABLE", "NOT_HERE"],
    });
  });
});
