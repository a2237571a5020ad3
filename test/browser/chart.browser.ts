import { type ReportData, renderReport } from "../../lib/report";
import { fullReport } from "../support/report-data";
import { ask, chromiumForTests, countSheets, openPage } from "./chromium";

jest.setTimeout(120_000);

const browser = chromiumForTests();

const { title, generatedAt, statuses = [], watches = [], rehearsal } = fullReport(60) as Required<ReportData>;
const rehearsed = renderReport({ title, generatedAt, rehearsal });
const watched = renderReport({ title, generatedAt, watches });

describe("the timeline", () => {
  test.each([
    ["a rehearsal", rehearsed],
    ["a watch", watched],
  ])("of %s is directly below the verdict, and on the first printed sheet with it alone", async (_, report) => {
    await using opened = await openPage(browser(), report);
    const { page } = opened;
    expect(await page.locator(".verdict + .timelines svg").first().isVisible()).toBe(true);
    const sheets = await countSheets(page);
    await page.evaluate("document.querySelector('header').remove()");
    expect(await countSheets(page)).toBe(sheets - 1);
  });

  test("is left out if nothing was measured", async () => {
    const [watch] = watches;
    if (watch === undefined) throw new Error("a full report has a watch");
    const silent = { ...watch, courses: [], buckets: [], attempts: 0, failures: 0, hostnames: [] };
    const report = renderReport({ title, generatedAt, statuses: statuses.slice(0, 1), watches: [silent] });
    await using opened = await openPage(browser(), report);
    expect(await opened.page.locator("figure").count()).toBe(0);
  });

  test("labels rotation and rollback, in a narrow window too", async () => {
    for (const width of [1_440, 390]) {
      await using opened = await openPage(browser(), rehearsed, { viewport: { width, height: 900 } });
      const labels = await opened.page.locator(".timelines .step + text:visible").allTextContents();
      expect(labels.slice(-1)).toEqual(["rollback"]);
    }
  });

  test("has no seam between the bars of a hostname", async () => {
    for (const width of [1_440, 1_033, 390]) {
      await using opened = await openPage(browser(), watched, { viewport: { width, height: 900 } });
      expect(await ask(opened.page, 'seams(".row svg[role]")')).toEqual([]);
    }
  });

  test("draws times without samples as 'not measured'", async () => {
    await using opened = await openPage(browser(), watched);
    const gaps = opened.page.locator(".timelines .gap title");
    expect(await gaps.allTextContents()).toContain("08:52:00 to 08:54:00, not measured: no server answered");
  });
});

describe("the details of a mark", () => {
  test("appear below the pointer, once", async () => {
    await using opened = await openPage(browser(), rehearsed);
    const { page } = opened;
    await page.locator(".timelines rect.event-gate").first().hover();
    await page.getByRole("status").filter({ hasText: "08:25:00, 15 min: Gates: terraform_data.gate" }).waitFor();
    expect(await page.locator(".timelines rect.event-gate title").count()).toBe(0);
    await page.locator("h1").hover();
    await page.locator(".tip").waitFor({ state: "hidden" });
  });

  test("appear over the label of a step too", async () => {
    await using opened = await openPage(browser(), rehearsed);
    const { page } = opened;
    const { x, y, width, height } = (await page.locator(".timelines .step + text").first().boundingBox()) ?? {
      ...{ x: 0, y: 0, width: 0, height: 0 },
    };
    await page.mouse.move(x + width / 2, y + height / 2);
    await page
      .locator(".tip")
      .filter({ hasText: /^\d\d:\d\d:\d\d, \d+ min: / })
      .waitFor();
  });

  test("appear with the arrow keys, from mark to mark and from lane to lane, until Escape", async () => {
    await using opened = await openPage(browser(), rehearsed);
    const { page } = opened;
    const tip = page.locator(".tip");
    const press = async (key: string) => {
      await page.keyboard.press(key);
      return (await tip.textContent()) ?? "";
    };
    // The first stop after the link to the report.
    await page.keyboard.press("Tab");
    expect(await press("Tab")).toBe("Arrow keys show the details.");
    expect(await press("ArrowRight")).toBe(
      "08:25:00, 10 min: rotation: a domain added to a certificate".replace("08:25", "09:25"),
    );
    expect(await press("ArrowRight")).toMatch(/^09:36:00, 19 min: rollback: /);
    expect(await press("ArrowLeft")).toMatch(/^09:25:00, 10 min: rotation: /);
    expect(await press("ArrowDown")).toMatch(/: Applies: terraform apply$/);
    expect(await press("End")).toMatch(/^08:23:00, 27 min: Applies: /);
    expect(await press("Home")).toMatch(/^08:05:00, 15 min: Applies: .*failed/);
    await page.keyboard.press("Escape");
    expect(await tip.isVisible()).toBe(false);
  });
});

describe("the lanes of the days after the cut-over", () => {
  test("show what happened on which day with the arrow keys, and under the pointer", async () => {
    // While the page scrolls smoothly, a mark moves away from the pointer.
    await using opened = await openPage(browser(), rehearsed, { reducedMotion: "reduce" });
    const { page } = opened;
    const tip = page.locator(".tip");
    await page.locator("#days-lanes").focus();
    const press = async (key: string) => {
      await page.keyboard.press(key);
      return tip.textContent();
    };
    expect(await press("ArrowRight")).toBe("day 61: pay: renewed");
    expect(await press("ArrowDown")).toBe("day 80: up: replaced by its owner");
    expect(await press("ArrowDown")).toBe("day 91: shop: EXPIRED");
    await page.locator("#days-lanes .plot-tip").first().hover({ force: true });
    // The page gets the movement with its next frame.
    await tip.filter({ hasText: /^day 61: pay: renewed$/ }).waitFor();
  });
});

describe("each hostname", () => {
  test("has a permalink that opens its group", async () => {
    await using opened = await openPage(browser(), rehearsed, { reducedMotion: "reduce" });
    const { page } = opened;
    const row = page.locator('[id="rehearsal-host-7.example.com"]');
    expect(await row.isVisible()).toBe(false);
    await page.evaluate("location.hash = 'rehearsal-host-7.example.com'");
    await row.waitFor({ state: "visible" });
    expect(await row.getByRole("link", { name: "host-7.example.com" }).getAttribute("href")).toBe(
      "#rehearsal-host-7.example.com",
    );
  });

  test("is hidden if only hostnames with failures are wanted and it has none", async () => {
    await using opened = await openPage(browser(), rehearsed);
    const { page } = opened;
    const filter = page.getByRole("search", { name: "Filter the chart of rehearsal" });
    await filter.getByLabel("Only with failures").check();
    await filter.getByText("4 of 60 hostnames shown").waitFor();
    await filter.getByLabel("Hostname contains").fill("host-41.");
    await filter.getByText("1 of 60 hostnames shown").waitFor();
    await filter.getByLabel("Only with failures").uncheck();
    await filter.getByLabel("Hostname contains").fill("host-7.");
    await filter.getByText("1 of 60 hostnames shown").waitFor();
  });
});

test("at 390 pixels, the parts of a rehearsal are cards of two or three lines", async () => {
  await using opened = await openPage(browser(), rehearsed, { viewport: { width: 390, height: 900 } });
  const cards = opened.page
    .getByRole("table", { name: /^Parts of the rehearsal and their handshakes/ })
    .locator("tbody tr");
  const heights = await cards.evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
  // Eight steps, watch, rotation, rollback, the rest, and the total.
  expect(heights).toHaveLength(13);
  // The text of the rest is longer.
  expect(Math.max(...heights.filter((_, row) => row !== heights.length - 2))).toBeLessThan(90);
  expect(Math.max(...heights)).toBeLessThan(130);
});
