import type { Page } from "playwright-core";
import { renderReport } from "../../lib/report";
import { readPracticeReport } from "../support/practice-report";
import { fullReport } from "../support/report-data";
import { ask, chromiumForTests, countSheets, openPage } from "./chromium";

jest.setTimeout(120_000);

const browser = chromiumForTests();

/** The report of a change window that was practiced with docs/tutorial.md, with a killed apply and a rollback. */
const practiced = readPracticeReport();

describe("the report of a rehearsed change window", () => {
  test("reports that Terraform was killed, what was imported, and that the rollback was rehearsed", async () => {
    await using opened = await openPage(browser(), practiced);
    const text = await opened.page.locator("main").innerText();
    expect(text).toMatch(/Terraform was killed 1 time; [1-9]\d* resources? had to be imported afterwards\./);
    expect(text).toMatch(/killed-at-entry, took effect 1 time, seed \d+/);
    expect(text).toContain("Traffic was moved back and forth (rollback): no handshake failed.");
    expect(text).toMatch(/^0 of [1-9][\d,]* handshakes failed\./m);
  });

  test("shows the kill, the imports and the records of the rollback in the chart, in every theme and on paper", async () => {
    await using opened = await openPage(browser(), practiced);
    const { page } = opened;
    for (const [colorScheme, media] of [
      ["light", "screen"],
      ["dark", "screen"],
      ["dark", "print"],
    ] as const) {
      await page.emulateMedia({ colorScheme, media });
      expect(await ask(page, 'style("rect.kill-line", "fill")')).not.toBe(
        await ask(page, 'style("body", "backgroundColor")'),
      );
      // The line of a kill must not look like a failed handshake.
      expect(await ask(page, 'style("rect.kill-line", "fill")')).not.toBe(
        await ask(page, 'style(".event-kill", "fill")'),
      );
      expect(await page.locator("rect.kill-line:visible").count()).toBeGreaterThan(0);
    }
    const plots = await ask<readonly string[]>(page, "plots()");
    // The previous provider serves, then the load balancer, the previous provider after the rollback, and the load
    // balancer.
    const servers = "previous provider from .*load balancer.* from .*previous provider from .*load balancer";
    const rolledBack = plots.filter(
      (name) => name.startsWith("checkout.example.net ") && new RegExp(servers).test(name),
    );
    expect(rolledBack).toHaveLength(1);
  });

  test("prints verdict and timeline on one sheet of A4 and its summary on two, light, without cutting text", async () => {
    await using opened = await openPage(browser(), practiced, { colorScheme: "dark" });
    const { page } = opened;
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    expect(await ask(page, "ground()")).toBe("light");
    expect(await ask(page, "clipped()")).toEqual([]);
    expect(await countSheets(page)).toBeLessThanOrEqual(4);
    await ask(page, "removeDetails()");
    expect(await countSheets(page)).toBeLessThanOrEqual(3);
  });

  test("hides no column in a narrow window", async () => {
    await using opened = await openPage(browser(), practiced, { viewport: { width: 320, height: 768 } });
    expect(await ask(opened.page, "clipped()")).toEqual([]);
  });
});

const { rehearsal } = fullReport(500);
const signOff = renderReport({
  title: "Rehearsal",
  generatedAt: new Date(),
  ...(rehearsal === undefined ? {} : { rehearsal }),
});
const visible = (page: Page, selector: string) => page.locator(`${selector}:visible`).count();

test("the chart of a rehearsal folds 500 hostnames into groups, and lists groups with failures first and open", async () => {
  await using opened = await openPage(browser(), signOff);
  const { page } = opened;
  const open = await page.locator(".group[open] > summary .label").allTextContents();
  expect(open).toEqual(["With failures: 26 hostnames, 208 failed handshakes"]);
  expect(await page.locator(".group").count()).toBe(11);
});

test("the chart of a rehearsal shows the error of a failed handshake after a click, without scripts too", async () => {
  for (const javaScriptEnabled of [true, false]) {
    await using opened = await openPage(browser(), signOff, { javaScriptEnabled, reducedMotion: "reduce" });
    const { page } = opened;
    const error = page.locator(".failures li").first();
    expect(await error.isVisible()).toBe(false);
    await page.locator(".row svg a").first().click();
    await error.waitFor({ state: "visible", timeout: 10_000 });
    expect(await error.textContent()).toBe("09:02:00 to 09:04:00: 7 handshakes failed: ECONNRESET");
  }
});

test("the chart of a rehearsal shows hostnames that contain a text in open groups, and folds the groups again without a text", async () => {
  await using opened = await openPage(browser(), signOff);
  const { page } = opened;
  const filter = page.getByRole("search", { name: "Filter the chart" });
  await filter.getByLabel("Hostname contains").fill("HOST-49");
  await filter.getByText("11 of 500 hostnames shown").waitFor({ timeout: 10_000 });
  expect(await visible(page, ".row")).toBe(11);
  await filter.getByLabel("Hostname contains").fill("");
  await filter.getByText("500 hostnames", { exact: true }).waitFor({ timeout: 10_000 });
  expect(await page.locator(".group[open]").count()).toBe(1);
  await filter.getByRole("button", { name: "Open all" }).click();
  expect(await page.locator(".group[open]").count()).toBe(11);
});

test("the chart of a rehearsal prints verdict and timeline on one sheet of A4, the summary on two, and the hostnames on further sheets", async () => {
  await using opened = await openPage(browser(), signOff);
  const { page } = opened;
  expect(await countSheets(page)).toBeGreaterThan(3);
  await ask(page, "removeDetails()");
  expect(await countSheets(page)).toBeLessThanOrEqual(3);
});

test("the chart of a rehearsal copies a command, or selects it if the browser has no clipboard", async () => {
  await using opened = await openPage(browser(), signOff);
  const { page } = opened;
  await page.getByRole("button", { name: /^Copy: npx cert-migration rehearse --check-evidence/ }).click();
  await page.locator(".copy", { hasText: /Copied|Selected/ }).waitFor({ timeout: 10_000 });
});

test("the chart of a rehearsal hides no column in a narrow window", async () => {
  await using opened = await openPage(browser(), signOff, { viewport: { width: 320, height: 768 } });
  expect(await ask(opened.page, "clipped()")).toEqual([]);
});
