import { clockTicks, elapsedTicks, scaleOf, tickRow } from "../../../lib/report/page/axis";

const axis = (from: string, to: string) => ({ from: Date.parse(`${from}Z`), to: Date.parse(`${to}Z`) });
const labels = (ticks: readonly { readonly label: string }[]) => ticks.map(({ label }) => label);

describe("ticks are at round times", () => {
  test.each([
    [
      "a minute",
      axis("2026-11-21T08:00:03", "2026-11-21T08:01:01"),
      ["08:00:10", "08:00:20", "08:00:30", "08:00:40", "08:00:50", "08:01:00"],
      ["seconds", "T+0", "T+10", "T+20", "T+30", "T+40", "T+50"],
    ],
    [
      "41 minutes",
      axis("2026-11-21T16:36:39", "2026-11-21T17:17:24"),
      ["16:40", "16:50", "17:00", "17:10"],
      ["minutes", "T+0", "T+10", "T+20", "T+30", "T+40"],
    ],
    [
      "100 minutes",
      axis("2026-11-21T08:00:00", "2026-11-21T09:40:00"),
      ["08:00", "08:20", "08:40", "09:00", "09:20", "09:40"],
      ["minutes", "T+0", "T+20", "T+40", "T+60", "T+80", "T+100"],
    ],
    [
      "two days, with their dates",
      axis("2026-11-21T20:00:00", "2026-11-23T20:00:00"),
      ["11-22 00:00", "11-22 12:00", "11-23 00:00", "11-23 12:00"],
      ["hours", "T+0", "T+12", "T+24", "T+36", "T+48"],
    ],
    [
      "three weeks",
      axis("2026-11-01T01:00:00", "2026-11-22T01:00:00"),
      ["11-05", "11-12", "11-19"],
      ["days", "T+0", "T+7", "T+14", "T+21"],
    ],
  ])("of %s", (_, span, clock, [unit, ...elapsed]) => {
    expect(labels(clockTicks(span))).toEqual(clock);
    expect(elapsedTicks(span).unit).toBe(unit);
    expect(labels(elapsedTicks(span).ticks)).toEqual(elapsed);
  });

  test("with at most seven ticks, however long the axis is", () => {
    for (let length = 1_000; length < 1e13; length = Math.ceil(length * 1.7)) {
      const span = { from: 1_234_567, to: 1_234_567 + length };
      expect(clockTicks(span).length).toBeLessThanOrEqual(7);
      expect(elapsedTicks(span).ticks.length).toBeLessThanOrEqual(7);
    }
  });
});

test("every drawn tick has its label, and ticks without room for a label are left out", () => {
  const span = axis("2026-11-21T08:00:00", "2026-11-21T09:40:00");
  const drawn = tickRow(span, clockTicks(span)).toString();
  const texts = [...drawn.matchAll(/<text[^>]*>([^<]*)</g)].map(([, label]) => label);
  expect(texts).toEqual(["08:00", "08:20", "08:40", "09:00", "09:20"]);
  expect(drawn.match(/<rect/g)).toHaveLength(texts.length);
  // In a narrow window, a label takes a greater share of the axis.
  expect(drawn.match(/<g class="wide">/g)).toBeNull();
  const seconds = axis("2026-11-21T08:00:00", "2026-11-21T08:00:46");
  expect(tickRow(seconds, clockTicks(seconds)).toString()).toMatch(/<g class="wide"><rect [^>]*><text [^>]*>08:00:40</);
});

test("spans that meet in time meet in the drawing", () => {
  const scale = scaleOf({ from: 0, to: 7_001 });
  const edges = [0, 13, 1_700, 3_333, 5_432, 7_001];
  const numbers = edges.slice(1).map((to, index) => {
    const span = { from: edges[index] ?? 0, to };
    return { from: Number.parseFloat(scale.at(span.from)), width: Number.parseFloat(scale.width(span)) };
  });
  numbers.slice(1).forEach(({ from }, index) => {
    const before = numbers[index];
    expect((before?.from ?? 0) + (before?.width ?? 0)).toBeCloseTo(from, 6);
  });
});

test("bars reach below the next bar, and not beyond the axis", () => {
  const scale = scaleOf({ from: 0, to: 1_000 });
  expect(scale.overlappingWidth({ from: 0, to: 500 })).toBe("50.1%");
  expect(scale.overlappingWidth({ from: 500, to: 1_000 })).toBe("50%");
});
