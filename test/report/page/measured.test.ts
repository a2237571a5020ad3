import { closePauses, mergeSpans } from "../../../lib/report/page/measured";

const axis = { from: 0, to: 100 };

describe("closePauses", () => {
  test.each([
    [
      "lets a sample last until the next sample, and the last sample until the end",
      [
        { from: 0, to: 1 },
        { from: 50, to: 51 },
        { from: 99, to: 99 },
      ],
      {
        spans: [
          { from: 0, to: 50 },
          { from: 50, to: 99 },
          { from: 99, to: 100 },
        ],
        gaps: [],
      },
    ],
    [
      "returns a pause that is much longer than usual as a gap",
      [
        { from: 0, to: 20 },
        { from: 60, to: 90 },
      ],
      {
        spans: [
          { from: 0, to: 20 },
          { from: 60, to: 100 },
        ],
        gaps: [{ from: 20, to: 60 }],
      },
    ],
    [
      "returns the time before the first sample and after the last sample as gaps",
      [{ from: 40, to: 50 }],
      {
        spans: [{ from: 40, to: 50 }],
        gaps: [
          { from: 0, to: 40 },
          { from: 50, to: 100 },
        ],
      },
    ],
    ["returns the whole axis without samples", [], { spans: [], gaps: [axis] }],
  ])("%s", (title, spans, expected) => {
    const samples = title.startsWith("lets") ? 3 : 20;
    expect(closePauses(spans, axis, samples)).toEqual(expected);
  });
});

test("mergeSpans returns overlapping times once, in their order", () => {
  const spans = [
    { from: 50, to: 60 },
    { from: 10, to: 30 },
    { from: 20, to: 25 },
    { from: 30, to: 40 },
  ];
  expect(mergeSpans(spans)).toEqual([
    { from: 10, to: 40 },
    { from: 50, to: 60 },
  ]);
});
