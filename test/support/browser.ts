// Browser tests: a real server on a state folder of its own, Debian's Chromium in front of it, a look at what it shows.
//
//     describeBrowser("datasets", (start) => {
//       test("are listed", async () => {
//         const { page, origin } = await start();          // signed in as the administrator
//         await page.getByRole("link", { name: "Datasets", exact: true }).click();
//         …
//       });
//     });
import { afterAll, afterEach, describe, expect } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import axe from "axe-core";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { endAll, FROM_SOURCE, PASSWORD, type Server, serve } from "./server.ts";

export const ADMINISTRATOR = "ada@example.org";
export { PASSWORD };

const CHROMIUM = "/usr/bin/chromium";
const ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"];
const QUIET = ["--disable-background-networking", "--disable-component-update"];
/** The tests do for the executable too: `CUPEL_PROGRAM=dist/cupel bun test test/src/dashboard`. */
const PROGRAM = process.env["CUPEL_PROGRAM"] === undefined ? FROM_SOURCE : [process.env["CUPEL_PROGRAM"]];
/** A busy machine takes its time; nothing waits this long where all is well. */
const PATIENCE_MS = 100_000;

export interface Opened {
  server: Server;
  /** The server's state folder. */
  folder: string;
  /** Of the dashboard, with its base path and a final slash. */
  address: string;
  page: Page;
  context: BrowserContext;
}

export interface OpenOptions {
  /** How the program is started; from source unless it is told otherwise, here or by CUPEL_PROGRAM. */
  program?: readonly string[];
  /** Settings of the environment, such as `CUPEL_BASE_PATH`. */
  settings?: Record<string, string>;
  isSignedIn?: boolean;
  /** The language of the browser, in whose numbers and dates pages are written. */
  locale?: string;
  /** A proxy in front of the server's port, whose origin the page uses; it may break connections. */
  through?: (port: number) => Promise<string>;
}

export type Start = (options?: OpenOptions) => Promise<Opened>;

/**
 * Tests in a browser. Where there is none they are left out, and a line says so, unless CUPEL_BROWSER_TESTS is
 * `required`. Whatever a page logs as an error, loads from elsewhere or is refused by its policy fails the test.
 */
export function describeBrowser(title: string, define: (start: Start) => void): void {
  if (!existsSync(CHROMIUM)) {
    if (process.env["CUPEL_BROWSER_TESTS"] === "required") throw new Error(`browser tests need ${CHROMIUM}`);
    process.stderr.write(`browser tests were left out: ${title} (there is no ${CHROMIUM})\n`);
    return;
  }
  describe(`in a browser: ${title}`, () => {
    const root = mkdtempSync(join(tmpdir(), "cupel-browser-"));
    let browser: Promise<Browser> | null = null;
    const contexts: BrowserContext[] = [];
    const faults: string[] = [];
    const launch = () =>
      chromium.launch({ executablePath: CHROMIUM, args: [...ARGUMENTS, ...QUIET], timeout: PATIENCE_MS });

    afterEach(async () => {
      await Promise.all(contexts.splice(0).map((context) => context.close()));
      expect(faults.splice(0)).toEqual([]);
    });
    afterAll(async () => {
      await (await browser)?.close();
      await endAll();
      rmSync(root, { recursive: true });
    });

    define(async ({ program = PROGRAM, settings = {}, isSignedIn = true, locale = "en-GB", through } = {}) => {
      browser ??= launch();
      const folder = mkdtempSync(join(root, "state-"));
      const server = await serve(program, folder, settings);
      const own = `${/listening on (\S+)/.exec(server.printed)![1]!}/`;
      const address = through === undefined ? own : `${await through(Number(new URL(own).port))}/`;
      const context = await (await browser).newContext({
        viewport: { width: 1280, height: 900 },
        colorScheme: "light",
        reducedMotion: "reduce",
        locale,
      });
      contexts.push(context);
      context.setDefaultTimeout(PATIENCE_MS);
      const page = await context.newPage();
      hearFaults(page, new URL(address).origin, faults, through === undefined ? REFUSED : BROKEN);
      await page.goto(address);
      if (isSignedIn) await signIn(page);
      return { server, folder, address, page, context };
    });
  });
}

/** As the administrator, unless another user is named. */
export async function signIn(page: Page, username = ADMINISTRATOR, password = PASSWORD): Promise<void> {
  await page.getByLabel("E-mail", { exact: true }).fill(username);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("navigation", { name: "Sections" }).waitFor();
}

/**
 * Looks at what the page shows: nobody must be kept from using it, light or dark, wide or narrow. With
 * CUPEL_SCREENSHOTS=FOLDER a picture of each is kept there, as `name-light-360.png` and so on.
 */
export async function look(page: Page, name: string, widths: readonly number[] = [360, 1280]): Promise<void> {
  const folder = process.env["CUPEL_SCREENSHOTS"];
  if (folder !== undefined) mkdirSync(folder, { recursive: true });
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme });
      expect({ name, width, colorScheme, barriers: await barriersIn(page) }).toMatchObject({ barriers: [] });
      if (folder === undefined) continue;
      await page.screenshot({ path: join(folder, `${name}-${colorScheme}-${width}.png`), fullPage: true });
    }
  }
}

/** What axe finds against WCAG 2.2 AA and its own best practices, and whether the page has to be moved sideways. */
async function barriersIn(page: Page): Promise<string[]> {
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate<Pick<axe.AxeResults, "violations">>("axe.run()");
  const found = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, any }) => `${id}: ${help}: ${html.slice(0, 160)} ${any.map(({ message }) => message).join()}`),
  );
  const isWide = await page.evaluate<boolean>(
    "document.documentElement.scrollWidth > document.documentElement.clientWidth",
  );
  return isWide ? [...found, "the page is wider than the window"] : found;
}

/** A refusal of the API is no fault: the browser says on its console that it got one, and the page says why. */
const REFUSED = /^Failed to load resource: the server responded with a status of 4\d\d/;

/** The same where connections break: the page says that too. */
const BROKEN = /^Failed to load resource: (?:the server responded with a status of 4\d\d|net::ERR_)/;

function hearFaults(page: Page, origin: string, faults: string[], expected: RegExp): void {
  page.on("pageerror", (error) => faults.push(`thrown: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error" && !expected.test(message.text())) faults.push(message.text());
  });
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !/^(data|blob):/.test(url)) faults.push(`asked for ${url}`);
  });
}
