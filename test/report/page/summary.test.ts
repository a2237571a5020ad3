import { scaleOf } from "../../../lib/report/page/axis";
import type { Chart, ChartRow, Server } from "../../../lib/report/page/chart/model";
import { summaryDrawing } from "../../../lib/report/page/chart/summary";

const axis = { from: Date.parse("2026-11-21T08:00:00Z"), to: Date.parse("2026-11-21T08:02:00Z") };
const at = (second: number) => axis.from + second * 1_000;
const serverNames = {
  previous: "previous",
  "load-balancer": "new",
  "load-balancer-previous": "b",
  other: "o",
  mixed: "m",
};
const row = (
  served: readonly (readonly [Server, number, number])[],
  failed: readonly (readonly [number, number])[] = [],
) =>
  ({
    segments: served.map(([server, from, to]) => ({ from: at(from), to: at(to), served: { [server]: 5 } })),
    failures: failed.map(([from, to]) => ({ from: at(from), to: at(to), lastAt: at(to), count: 3, error: "timeout" })),
    gaps: [],
  }) as unknown as ChartRow;
const drawingOf = (rows: readonly ChartRow[]) =>
  summaryDrawing(
    rows,
    { axis, gaps: [], noun: "handshake", serverNames } as unknown as Chart,
    scaleOf(axis),
  ).toString();
const tipsOf = (rows: readonly ChartRow[]) => [...drawingOf(rows).matchAll(/<title>([^<]*)</g)].map(([, tip]) => tip);
/** Returns server and height of the parts of each stacked bar, from the bottom. */
const barsOf = (rows: readonly ChartRow[]) =>
  (drawingOf(rows).match(/<g>.*?<\/g>/g) ?? []).map((bar) =>
    [...bar.matchAll(/class="by-([^"]*)"[^>]*height="(\d+)%"/g)].map(([, name, height]) => [name, height]),
  );

test("stacks hostnames with failures beside those without", () => {
  const whole = row([["load-balancer", 0, 120]]);
  const failing = row([["load-balancer", 0, 60]], [[60, 120]]);
  const rows = [whole, whole, whole, failing, failing, failing];
  expect(tipsOf(rows)).toEqual([
    "08:00:00 to 08:01:00, hostnames: new 6",
    "08:01:00 to 08:02:00, hostnames: failed 3, new 3",
  ]);
  expect(barsOf(rows)).toEqual([
    [
      ["load-balancer", "50"],
      ["failed", "51"],
    ],
  ]);
});

test("stacks hostnames without a sample as not measured", () => {
  const rows = [row([["previous", 0, 120]]), row([["previous", 60, 120]])];
  expect(tipsOf(rows)).toEqual([
    "08:00:00 to 08:01:00, hostnames: previous 1, not measured 1",
    "08:01:00 to 08:02:00, hostnames: previous 2",
  ]);
  expect(barsOf(rows)).toEqual([
    [
      ["gap", "50"],
      ["previous", "51"],
    ],
  ]);
  expect(tipsOf([row([])])).toEqual(["08:00:00 to 08:02:00, not measured"]);
});

test("counts a hostname once in each bar, also while servers change within a part of the axis", () => {
  const changing = Array.from({ length: 11 }, (_, index) => {
    const second = 30 + index / 10;
    return row(
      [
        ["previous", 0, second],
        ["load-balancer", second, 120],
      ],
      index === 5 ? [[30.2, 30.3]] : [],
    );
  });
  const sums = tipsOf(changing).map((tip) =>
    [...(tip?.split("hostnames:")[1] ?? "").matchAll(/ (\d+)/g)].reduce((sum, [, count]) => sum + Number(count), 0),
  );
  expect(sums).toEqual(sums.map(() => 11));
  expect(tipsOf(changing)[1]).toBe("08:00:30 to 08:00:31, hostnames: failed 1, new 5, previous 5");
});

test("keeps one failing hostname of thousands, and a failure at the end of the axis, visible", () => {
  const rows = [...Array.from({ length: 2_000 }, () => row([["load-balancer", 0, 120]])), row([], [[120, 120]])];
  expect(barsOf(rows).at(-1)?.at(-1)).toEqual(["failed", "10"]);
});
