import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, totalmem } from "node:os";
import { join } from "node:path";
import { isInDoubt, isMissed, type Measurement, quartilesOf, ratioOf } from "./measurement";

/** Time and memory of synthesis for a number of certificates. */
export interface GrowthPoint {
  readonly count: number;
  readonly own: { readonly seconds: number; readonly maxMebibytes: number };
  readonly byHand: { readonly seconds: number; readonly maxMebibytes: number };
}

/** Content of `results.json`. */
interface Results {
  readonly machine: string;
  readonly measurements: readonly Measurement[];
  readonly growth: readonly GrowthPoint[];
}

/** Returns one line of text per measurement. */
export function tableOf(measurements: readonly Measurement[]): string {
  return measurements
    .map((measurement) => {
      const { what, goal, detail, ratios } = measurement;
      const verdict = isMissed(measurement) ? "MISSED" : "met";
      const doubt = isInDoubt(measurement) ? ", in doubt" : "";
      const half = quartilesOf(measurement).map((ratio) => ratio.toFixed(2));
      const ratio = `${ratioOf(measurement).toFixed(2)} (goal ${goal.toFixed(2)}; half of ${ratios.length} from ${half.join(" to ")}${doubt})`;
      return `${verdict.padEnd(7)} ${ratio}  ${what}: ${detail}\n`;
    })
    .join("");
}

/** Returns a measurement as JSON, with the median ratio before the ratios of all rounds. */
export function told(measurement: Measurement): object {
  const { what, goal, ratios, detail } = measurement;
  return { what, goal, ratio: ratioOf(measurement), detail, ratios };
}

const begin = "<!-- results -->";
const end = "<!-- /results -->";
const resultsFile = join(__dirname, "results.json");

/**
 * Writes the results to `results.json`, and the table and plot for the README.
 *
 * @param growth undefined if only some measurements were repeated: the others stay
 */
export function writeResults(measurements: readonly Measurement[], growth: readonly GrowthPoint[] | undefined): void {
  const machine = `${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB of memory, Node ${process.versions.node}`;
  const former = JSON.parse(readFileSync(resultsFile, "utf8")) as Results;
  if (growth === undefined && former.machine !== machine) {
    throw new Error(`the other results are of another machine (${former.machine}): measure all of them`);
  }
  const kept = growth === undefined ? former.measurements : [];
  const repeated = new Map(measurements.map((measurement) => [measurement.what, measurement]));
  const stayed = kept.map((before) => repeated.get(before.what) ?? before);
  const added = measurements.filter(({ what }) => !stayed.some((before) => before.what === what));
  const results = {
    machine,
    measurements: [...stayed, ...added].map(told),
    growth: growth ?? former.growth,
  };
  writeFileSync(resultsFile, `${JSON.stringify(results, undefined, 2)}\n`);
  renderResults();
}

/** Writes the table of the latest results into `bench/README.md`, and the plot. */
export function renderResults(): void {
  const { machine, measurements, growth } = JSON.parse(readFileSync(resultsFile, "utf8")) as Results;
  const rows = measurements.map((measurement) => {
    const { what, goal, detail, ratios } = measurement;
    const verdict = `${isMissed(measurement) ? "**missed**" : "met"}${isInDoubt(measurement) ? ", in doubt" : ""}`;
    const half = quartilesOf(measurement).map((ratio) => ratio.toFixed(2));
    const cells = [what, ratioOf(measurement).toFixed(2), goal.toFixed(2), verdict, half.join(" to "), ratios.length];
    return `| ${[...cells, detail].join(" | ")} |\n`;
  });
  const plot = "![Time to synthesize, from 10 to 10,000 certificates](growth.svg)";
  const head =
    "| What | Ratio | Goal | Verdict | Half of the rounds | Rounds | Both sides |\n| --- | --- | --- | --- | --- | --- | --- |\n";
  replacePart(begin, end, `Measured on ${machine}.\n\n${head}${rows.join("")}\n${plot}`);
  writeFileSync(join(__dirname, "growth.svg"), growthPlot(growth));
}

/** Writes profiles into `bench/README.md`. */
export function writeProfile(text: string): void {
  replacePart("<!-- profile -->", "<!-- /profile -->", text.trim().replace(/\n{3,}/g, "\n\n"));
}

/** Replaces the text between two marks of `bench/README.md`. */
function replacePart(from: string, to: string, text: string): void {
  const readme = join(__dirname, "README.md");
  const before = readFileSync(readme, "utf8");
  const [start, stop] = [before.indexOf(from), before.indexOf(to)];
  if (start < 0 || stop < start) throw new Error(`${readme} lacks ${from} before ${to}`);
  writeFileSync(readme, `${before.slice(0, start)}${from}\n\n${text}\n\n${before.slice(stop)}`);
}

const [left, right, top, bottom] = [70, 520, 30, 300];

/** Draws seconds by number of certificates, with logarithmic axes. */
function growthPlot(growth: readonly GrowthPoint[]): string {
  const counts = growth.map(({ count }) => count);
  const seconds = growth.flatMap(({ own, byHand }) => [own.seconds, byHand.seconds]);
  const decades = (values: readonly number[]) =>
    [Math.floor(Math.log10(Math.min(...values))), Math.ceil(Math.log10(Math.max(...values)))] as const;
  const [x0, x1] = decades(counts);
  const [y0, y1] = decades(seconds);
  const x = (value: number) => left + ((Math.log10(value) - x0) / (x1 - x0)) * (right - left);
  const y = (value: number) => bottom - ((Math.log10(value) - y0) / (y1 - y0)) * (bottom - top);
  const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => 10 ** (from + index));
  const line = (style: string, side: "own" | "byHand") => {
    const points = growth.map((point) => `${x(point.count).toFixed(1)},${y(point[side].seconds).toFixed(1)}`);
    const dots = points.map((point) => {
      const [cx, cy] = point.split(",");
      return `<circle class="${style} dot" cx="${cx}" cy="${cy}" r="3.5"/>`;
    });
    return `<polyline class="${style}" points="${points.join(" ")}"/>${dots.join("")}`;
  };
  const told = growth.map(
    ({ count, own, byHand }) =>
      `${count} certificates: ${own.seconds.toFixed(2)} s, plain cdktf ${byHand.seconds.toFixed(2)} s`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 660 350" width="660" height="350" role="img" aria-labelledby="title description" font-family="system-ui, sans-serif" font-size="12">`,
    '<title id="title">Time to synthesize, from 10 to 10,000 certificates</title>',
    `<desc id="description">${told.join("; ")}.</desc>`,
    "<style>.grid{stroke:#d0d7de}text{fill:#1f2328}.own{fill:none;stroke:#0969da;stroke-width:2}.hand{fill:none;stroke:#bc4c00;stroke-width:2;stroke-dasharray:6 4}.own.dot{fill:#0969da}.hand.dot{fill:#bc4c00;stroke-dasharray:none}@media (prefers-color-scheme:dark){.grid{stroke:#30363d}text{fill:#e6edf3}.own{stroke:#58a6ff}.own.dot{fill:#58a6ff}.hand{stroke:#f0883e}.hand.dot{fill:#f0883e}}</style>",
    ...range(x0, x1).map(
      (value) =>
        `<line class="grid" x1="${x(value)}" y1="${top}" x2="${x(value)}" y2="${bottom}"/><text x="${x(value)}" y="${bottom + 18}" text-anchor="middle">${value.toLocaleString("en")}</text>`,
    ),
    ...range(y0, y1).map(
      (value) =>
        `<line class="grid" x1="${left}" y1="${y(value)}" x2="${right}" y2="${y(value)}"/><text x="${left - 8}" y="${y(value) + 4}" text-anchor="end">${value} s</text>`,
    ),
    line("own", "own"),
    line("hand", "byHand"),
    `<text x="${(left + right) / 2}" y="${bottom + 40}" text-anchor="middle">certificates</text>`,
    `<line class="own" x1="${right + 20}" y1="60" x2="${right + 50}" y2="60"/><text x="${right + 56}" y="64">constructs</text>`,
    `<line class="hand" x1="${right + 20}" y1="82" x2="${right + 50}" y2="82"/><text x="${right + 56}" y="86">plain cdktf</text>`,
    "</svg>",
    "",
  ].join("\n");
}
