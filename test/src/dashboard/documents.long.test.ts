// The pages of documents that the server hands out: nobody is kept from reading them, on a phone and by keyboard.
import { expect, test } from "bun:test";
import { describeBrowser, look } from "../../support/browser.ts";

describeBrowser("documents", (start) => {
  test("fit a phone, and the keyboard reaches what scrolls", async () => {
    const { page, address } = await start({ isSignedIn: false });
    for (const name of ["problems", "clients", "model-format", "decisions"]) {
      await page.goto(`${address}docs/${name}`);
      await look(page, name);
    }
    await page.goto(`${address}docs/clients`);
    await page.keyboard.press("Tab");
    expect(await page.evaluate<string>("document.activeElement.tagName")).toBe("PRE");
  });
});
