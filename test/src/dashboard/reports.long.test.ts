// Reports in a browser: usable, light or dark, and as wide as the window.
import { expect, test } from "bun:test";
import { renderReport } from "../../../src/report/report.ts";
import { describeBrowser, look } from "../../support/browser.ts";
import { hostileRefinement, normalRefinement } from "../../support/refinements.ts";
import { binarySummary, hostileSummary } from "../../support/summaries.ts";
import { FEW_DOUBT, GROUP_DOUBT, LEAK_DOUBT, verdictWith } from "../../support/verdicts.ts";

const DOUBTS = verdictWith({ doubts: [GROUP_DOUBT, LEAK_DOUBT, FEW_DOUBT] });
const REPORTS = {
  "report-doubts": () => ({ ...binarySummary(), verdict: DOUBTS, refinement: normalRefinement(13).summary }),
  "report-hostile": () => ({ ...hostileSummary(), refinement: hostileRefinement().summary }),
};

describeBrowser("reports", (start) => {
  test.each(Object.entries(REPORTS))("%s", async (name, summaryOf) => {
    const { page, address } = await start({ isSignedIn: false });
    const report = { contentType: "text/html", body: renderReport(summaryOf()) };
    await page.route("**/report.html", (route) => route.fulfill(report));
    await page.goto(`${address}report.html`);
    await look(page, name);
    await page.setViewportSize({ width: 600, height: 900 });
    expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBe(600);
  });
});
