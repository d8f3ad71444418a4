// A page of the dashboard for benches: signed in, nothing cached, nothing loaded yet.
import type { Browser, Page } from "playwright-core";
import type { Server } from "./server.ts";

/** `address`: of the dashboard, with a final slash. */
export async function signedInPage(browser: Browser, server: Server): Promise<{ page: Page; address: string }> {
  const address = `${/listening on (\S+)/.exec(server.printed)![1]!}/`;
  const account = await server.call("GET", "/api/v1/account");
  const session = JSON.stringify(JSON.stringify({ token: server.token, account }));
  // A context of its own has an empty cache.
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addInitScript(`sessionStorage.setItem("cupel.session", ${session})`);
  return { page: await context.newPage(), address };
}
