import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";

/** Names under which operating systems install Chromium. */
const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/**
 * Starts the installed Chromium, headless and without network access.
 *
 * @throws if Chromium is not installed, so that the tests fail instead of being skipped
 */
async function startChromium(): Promise<Browser> {
  // Chromium refuses to start its sandbox as root, and CI jobs often run as root.
  const args = ["--host-resolver-rules=MAP * ~NOTFOUND", ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])];
  return chromium.launch({ executablePath: findChromium(), args });
}

/** Starts Chromium before the tests of a file, and stops it after them. @returns the browser, within tests */
export function chromiumForTests(): () => Browser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(async () => {
    await browser?.close();
  });
  return () => {
    if (browser === undefined) throw new Error("Chromium is started before the first test");
    return browser;
  };
}

function findChromium(): string {
  const { CHROMIUM, PATH = "" } = process.env;
  const places = PATH.split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  const found = (CHROMIUM === undefined ? places : [CHROMIUM]).find(isProgram);
  if (found !== undefined) return found;
  const looked =
    CHROMIUM === undefined ? `no ${names.join(", ")} on PATH` : `CHROMIUM names '${CHROMIUM}', which is not a program`;
  throw new Error(
    `the browser tests need Chromium: ${looked}; install Debian's package chromium, or name one in CHROMIUM`,
  );
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export interface Opened extends AsyncDisposable {
  readonly page: Page;
  /** What the page wrote to the console, errors it threw, dialogs it opened, and requests for anything but itself. */
  readonly complaints: readonly string[];
}

/** Opens a page from a file, as the recipient of a report does. */
export async function openPage(browser: Browser, html: string, options: BrowserContextOptions = {}): Promise<Opened> {
  const folder = mkdtempSync(join(tmpdir(), "cert-migration-browser-"));
  const file = join(folder, "report.html");
  writeFileSync(file, html);
  const url = pathToFileURL(file).href;
  const context = await browser.newContext({ viewport: { width: 1_366, height: 768 }, ...options });
  await context.addInitScript({ path: join(__dirname, "in-page.js") });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => complaints.push(`thrown: ${error.message}`));
  page.on("dialog", (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    dialog.dismiss().catch((error: Error) => complaints.push(error.message));
  });
  page.on("request", (request) => {
    if (request.url() !== url && request.url() !== "data:,") complaints.push(`request: ${request.url()}`);
  });
  await page.goto(url);
  return {
    page,
    complaints,
    [Symbol.asyncDispose]: async () => {
      await context.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Evaluates an expression in the page, with the functions of `in-page.js`. */
export async function ask<Answer>(page: Page, question: string): Promise<Answer> {
  return page.evaluate<Answer>(`inPage.${question}`);
}

/** Returns the number of A4 sheets of the printed page. */
export async function countSheets(page: Page): Promise<number> {
  const pdf = (await page.pdf({ format: "A4" })).toString("latin1");
  return pdf.match(/\/Type\s*\/Page\b/g)?.length ?? 0;
}
