// The audit trail in a browser: chosen by action, day and user, page by page,
// and closed to those who are no administrators.
import { expect, test } from "bun:test";
import { describeBrowser, look } from "../../support/browser.ts";
import { signInAsAnother } from "../../support/dashboard-data.ts";

describeBrowser("the audit trail", (start) => {
  test("lists who did what, by action, user and day, and page by page", async () => {
    const { page, server, address } = await start();
    const { userKey } = await server.call<{ userKey: string }>("POST", "/api/v1/users", {
      email: "bob@example.org",
      role: "user",
    });
    for (let turn = 0; turn < 12; turn++) {
      await server.call("PATCH", `/api/v1/users/${userKey}`, { disabled: true });
      await server.call("PATCH", `/api/v1/users/${userKey}`, { disabled: false });
    }
    await page.getByRole("link", { name: "Administration" }).click();
    await page.getByRole("link", { name: "Audit trail" }).click();
    await page.getByRole("heading", { name: "Audit trail", level: 1 }).waitFor();
    const rows = page.locator("tbody tr");
    expect(await page.getByRole("link", { name: "Administration" }).getAttribute("aria-current")).toBe("page");
    await page.getByText(/^1–20 of/).waitFor();
    await look(page, "audit", [390, 1440]);
    await page.getByLabel("Action").selectOption("USER_DISABLED");
    await page
      .getByText("User enabled", { exact: true })
      .filter({ visible: true })
      .first()
      .waitFor({ state: "detached" });
    expect(await rows.count()).toBe(12);
    expect(await rows.first().textContent()).toContain("bob@example.org");
    await page.getByLabel("Action").selectOption("LOGIN");
    await rows.getByText("Login", { exact: true }).first().waitFor();
    await rows.first().getByRole("link", { name: "ada@example.org" }).click();
    await page.getByRole("link", { name: "All users again" }).click();
    await page.getByLabel("Until").fill("2001-01-01");
    await page.getByText("No such events").waitFor();
    await page.getByRole("link", { name: "Show all" }).click();
    await page.getByRole("link", { name: "Next" }).click();
    await page.getByText(/^21–/).waitFor();
    await page.goto(`${address}#/administration/audit?action=NONSENSE`);
    await page.getByRole("alert").waitFor();
  });

  test("is closed to users", async () => {
    const { page, server, address } = await start();
    await signInAsAnother(page, server);
    await page.goto(`${address}#/administration/audit`);
    await page.getByText("This is for administrators").waitFor();
  });
});
