// The dashboard's frame in a browser: signing in and out, a session that ends under a form, below a base path.
import { expect, test } from "bun:test";
import { ADMINISTRATOR, describeBrowser, look, PASSWORD, signIn } from "../../support/browser.ts";

describeBrowser("the frame", (start) => {
  test("signs in, remembers it over a reload, and signs out", async () => {
    const { page } = await start({ isSignedIn: false });
    await look(page, "sign-in");
    await page.getByLabel("E-mail").fill(ADMINISTRATOR);
    await page.getByLabel("Password").fill("not the password");
    await page.getByRole("button", { name: "Sign in" }).click();
    expect(await page.getByRole("alert").textContent()).toContain("The user name or the password is wrong");
    await signIn(page);
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("From a CSV file to predictions");
    await look(page, "home");
    await page.reload();
    await page.getByText(ADMINISTRATOR).click();
    await look(page, "menu");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
  });

  test("signs all tabs in and out, and begins a new tab signed in", async () => {
    const { page, context, address } = await start({ isSignedIn: false });
    const other = await context.newPage();
    await other.goto(`${address}#/datasets`);
    await other.getByRole("heading", { name: "Sign in" }).waitFor();
    await signIn(page);
    await other.getByRole("heading", { name: "Datasets", level: 1 }).waitFor();
    const third = await context.newPage();
    await third.goto(`${address}#/models`);
    await third.getByText("No models yet").waitFor();
    await third.getByText(ADMINISTRATOR).click();
    await third.getByRole("button", { name: "Sign out" }).click();
    for (const tab of [page, other, third]) await tab.getByRole("heading", { name: "Sign in" }).waitFor();
    const stored = await other.evaluate<string>("JSON.stringify([{ ...sessionStorage }, { ...localStorage }])");
    expect(stored).not.toContain("token");
  });

  test("goes on in all tabs once one of them has a new session", async () => {
    const { page, context, address } = await start();
    const other = await context.newPage();
    await other.goto(`${address}#/datasets`);
    await other.getByText("No datasets yet").waitFor();
    let isRefused = true;
    for (const tab of [page, other]) {
      await tab.route("**/api/v1/{models,datasets}*", async (route) => {
        if (!isRefused) return route.continue();
        const body = JSON.stringify({ code: "INVALID_TOKEN", detail: "The token has expired.", requestId: "" });
        await route.fulfill({ status: 401, contentType: "application/problem+json", body });
      });
    }
    await page.goto(`${address}#/datasets`);
    await other.goto(`${address}#/models`);
    const again = page.getByRole("dialog", { name: "Your session has ended" });
    await again.waitFor();
    await other.getByRole("dialog", { name: "Your session has ended" }).waitFor();
    isRefused = false;
    await again.getByLabel("Password").fill(PASSWORD);
    await again.getByRole("button", { name: "Sign in" }).click();
    await other.getByText("No models yet").waitFor();
    expect(await other.getByRole("dialog").count()).toBe(0);
  });

  test("asks for the password over the page when the session has ended, and loses nothing", async () => {
    const { page } = await start();
    await page.getByRole("link", { name: "Administration" }).click();
    await page.getByRole("button", { name: "Add a user" }).click();
    await page.getByLabel("E-mail", { exact: true }).fill("bob@example.org");
    // As after an hour: the server no longer takes the token.
    await page.route("**/api/v1/users", (route) =>
      route.fulfill({
        status: 401,
        contentType: "application/problem+json",
        body: JSON.stringify({ code: "INVALID_TOKEN", detail: "The token has expired.", requestId: "" }),
      }),
    );
    await page.getByRole("button", { name: "Add", exact: true }).click();
    const again = page.getByRole("dialog", { name: "Your session has ended" });
    await again.waitFor();
    await look(page, "session-ended");
    await page.unroute("**/api/v1/users");
    await again.getByLabel("Password").fill(PASSWORD);
    await again.getByRole("button", { name: "Sign in" }).click();
    const shown = page.getByRole("dialog", { name: "The new password" });
    await shown.waitFor();
    expect(await shown.textContent()).toContain("bob@example.org");
    await shown.getByRole("button", { name: "Done" }).click();
    await page.getByRole("rowheader", { name: "bob@example.org" }).waitFor();
    await look(page, "users");
  });

  test("changes one's own password, and stays signed in", async () => {
    const { page } = await start();
    await page.getByText(ADMINISTRATOR).click();
    await page.getByRole("link", { name: "Change password" }).click();
    await page.getByLabel("Current password").fill("not the password");
    await page.getByLabel("New password", { exact: true }).fill("an entirely other one");
    await page.getByLabel("New password again").fill("an entirely other two");
    const change = page.getByRole("button", { name: "Change the password" });
    await change.click();
    await page.getByRole("alert").getByText("The two new passwords differ.").waitFor();
    await look(page, "own-password");
    await page.getByLabel("New password again").fill("an entirely other one");
    await change.click();
    await page.getByText("The current password is wrong.").waitFor();
    await page.getByLabel("Current password").fill(PASSWORD);
    await change.click();
    await page.getByText("Your password was changed.").waitFor();
    await page.reload();
    await page.getByText("You have").waitFor({ state: "detached" });
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("From a CSV file to predictions");
    expect(await page.getByRole("dialog").count()).toBe(0);
  });

  test("makes an API key that is shown once, and revokes it", async () => {
    const { page } = await start();
    await page.getByText(ADMINISTRATOR).click();
    await page.getByRole("link", { name: "API keys" }).click();
    await page.getByText("No API keys").waitFor();
    const make = page.getByRole("button", { name: "Make an API key" });
    await make.click();
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await make.and(page.locator(":focus")).waitFor();
    await make.click();
    await page.getByLabel("Name").fill("nightly");
    await page.getByRole("checkbox", { name: "predict" }).check();
    await look(page, "new-api-key");
    await page.getByRole("button", { name: "Make", exact: true }).click();
    const shown = page.getByRole("dialog", { name: "The key nightly" });
    expect(await shown.getByRole("code").textContent()).toMatch(/^cupel_/);
    await look(page, "api-key");
    await shown.getByRole("button", { name: "Done" }).click();
    await page.getByRole("row", { name: "nightly" }).getByRole("button", { name: "Revoke" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await page.getByText("Revoked", { exact: true }).waitFor();
    await look(page, "api-keys");
  });

  test("works below a base path, where a user sees no administration", async () => {
    const { page, server, address } = await start({ settings: { CUPEL_BASE_PATH: "/ml/cupel" }, isSignedIn: false });
    expect(new URL(address).pathname).toBe("/ml/cupel/");
    const { password } = await server.call<{ password: string }>("POST", "/api/v1/users", {
      email: "bob@example.org",
      role: "user",
    });
    await page.goto(address.replace(/\/$/, ""));
    await signIn(page, "bob@example.org", password);
    expect(page.url()).toBe(address);
    expect(await page.getByRole("link", { name: "Administration" }).count()).toBe(0);
    await page.goto(`${address}#/administration`);
    await page.getByText("This is for administrators").waitFor();
  });
});
