import { readFileSync } from "node:fs";
import { join } from "node:path";
import { groupBy } from "../../lib/json/group-by";
import type { servers } from "../../lib/report/model";

/** One rehearsal. Times are seconds of the cloud's clock after the first apply began. */
export interface MeasuredTimeline {
  readonly handshakes: number;
  readonly failed: number;
  readonly applies: readonly Span[];
  readonly certificatesActive: readonly number[];
  readonly hostnames: readonly { readonly hostname: string; readonly runs: readonly ServedSpan[] }[];
}

interface Span {
  readonly from: number;
  readonly until: number;
}

/** Consecutive handshakes with the same result. */
interface ServedSpan extends Span {
  readonly by: (typeof servers)[number];
}

/** Result of `npm run timeline`: the same migration, by plain Terraform and by the constructs. */
interface MeasuredTimelines {
  readonly without: MeasuredTimeline;
  readonly with: MeasuredTimeline;
}

export const measuredTimelines = join(__dirname, "measured-timelines.json");

/** Hostname that a rehearsal adds in a rotation; it is not a part of the migration. */
const added = "added.by-rehearsal.example.com";
/** Hostname that a rehearsal adds to test the wildcard, which has no handshakes of its own. */
const ofWildcard = "covered-by-wildcard.example.com";

const width = 960;
const left = 190;
const right = 24;
const rowHeight = 26;
const blockTop = 62;

/** Returns the picture of both migrations on one scale, for light and dark pages. */
export function timelinePicture(
  measured: MeasuredTimelines = JSON.parse(readFileSync(measuredTimelines, "utf8")) as MeasuredTimelines,
): string {
  const blocks = [
    { title: "Plain Terraform", timeline: measured.without },
    { title: "With cdktf-google-cert-migration", timeline: measured.with },
  ];
  const ends = blocks.flatMap(({ timeline }) => spansOf(timeline).map(({ until }) => until));
  const starts = blocks.flatMap(({ timeline }) => spansOf(timeline).map(({ from }) => from));
  const [first, last] = [Math.min(...starts), Math.max(...ends)];
  const x = (seconds: number) => round(left + ((seconds - first) / (last - first)) * (width - left - right));
  const drawn: string[] = [];
  let top = 0;
  for (const { title, timeline } of blocks) {
    const block = blockOf(title, timeline, x, top, Math.floor(last / 60));
    drawn.push(...block.shapes);
    top += block.height;
  }
  const height = top + 40;
  const told = blocks.map(({ title, timeline }) => `${title}: ${resultOf(timeline)}.`).join(" ");
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title description" font-family="system-ui, sans-serif" font-size="13">`,
    '<title id="title">The same migration twice, with a client that connects to every hostname without pause</title>',
    `<desc id="description">${told} Without the constructs, traffic reaches the load balancer before the certificates are ACTIVE.</desc>`,
    "<style>",
    ".ground{fill:#fff}text{fill:#1f2328}.title{font-size:16px;font-weight:600}.small{font-size:12px}.line{stroke:#d1d9e0}.previous{fill:#9aa4ae}.load-balancer{fill:#1a7f37}.failed{fill:#cf222e}text.bad{fill:#cf222e}text.good{fill:#1a7f37}.apply{fill:#54aeff}.active{fill:#8250df}",
    "@media (prefers-color-scheme:dark){.ground{fill:#0d1117}text{fill:#e6edf3}.line{stroke:#3d444d}.previous{fill:#656c76}.load-balancer{fill:#3fb950}.failed{fill:#f85149}text.bad{fill:#ff7b72}text.good{fill:#56d364}.apply{fill:#1f6feb}.active{fill:#d2a8ff}}",
    "</style>",
    `<rect class="ground" width="${width}" height="${height}" rx="6"/>`,
    ...drawn,
    ...legend(top + 16),
    "</svg>",
    "",
  ].join("\n");
}

function spansOf({ hostnames, applies }: MeasuredTimeline): readonly Span[] {
  return [...applies, ...hostnames.flatMap(({ runs }) => runs)];
}

function resultOf({ failed, handshakes }: MeasuredTimeline): string {
  return `${failed} of ${handshakes.toLocaleString("en")} handshakes failed`;
}

function blockOf(
  title: string,
  timeline: MeasuredTimeline,
  x: (seconds: number) => number,
  top: number,
  lastMinute: number,
): { readonly shapes: readonly string[]; readonly height: number } {
  const rows = timeline.hostnames.filter(({ hostname }) => hostname !== added);
  const rowTop = (row: number) => top + blockTop + row * rowHeight;
  const bottom = rowTop(rows.length + 1);
  const minutes = Array.from({ length: lastMinute + 1 }, (_, minute) => minute);
  const axis = minutes.map(
    (minute) =>
      `<path class="line" d="M${x(minute * 60)} ${rowTop(0) - 4}V${bottom}"/>${textAt(x(minute * 60), bottom + 15, minute === 0 ? "0" : `${minute} min`, "small", "middle")}`,
  );
  const heading = [
    textAt(16, top + 30, title, "title"),
    textAt(width - right, top + 30, resultOf(timeline), timeline.failed > 0 ? "title bad" : "title good", "end"),
  ];
  const served = rows.flatMap(({ hostname, runs }, row) => [
    textAt(left - 12, rowTop(row) + 15, hostname === ofWildcard ? "*.example.com" : hostname, "", "end"),
    ...runs.map((run, index) => {
      // No handshake is between two runs: the bar of a run ends where the next one begins.
      const until = runs[index + 1]?.from ?? run.until;
      return `<rect class="${run.by}" x="${x(run.from)}" y="${rowTop(row) + 3}" width="${round(x(until) - x(run.from))}" height="${rowHeight - 8}"/>`;
    }),
  ]);
  const terraformTop = rowTop(rows.length);
  const terraform = [
    textAt(left - 12, terraformTop + 15, "Terraform, certificates", "small", "end"),
    ...timeline.applies.map(
      ({ from, until }) =>
        `<rect class="apply" x="${x(from)}" y="${terraformTop + 7}" width="${round(x(until) - x(from))}" height="8" rx="4"/>`,
    ),
    ...[...groupBy(timeline.certificatesActive, (seconds) => seconds).keys()].map(
      (seconds) => `<circle class="active" cx="${x(seconds)}" cy="${terraformTop + 11}" r="6"/>`,
    ),
  ];
  return { shapes: [...heading, ...axis, ...served, ...terraform], height: bottom + 28 - top };
}

const meanings = [
  ["previous", "previous provider serves"],
  ["failed", "handshakes fail"],
  ["load-balancer", "load balancer serves"],
  ["apply", "terraform apply"],
  ["active", "certificate ACTIVE"],
] as const;

function legend(top: number): readonly string[] {
  return meanings.map(([style, words], index) => {
    const at = 30 + index * 188;
    return `<circle class="${style}" cx="${at}" cy="${top}" r="6"/>${textAt(at + 12, top + 4, words, "small")}`;
  });
}

function textAt(x: number, y: number, words: string, style: string, anchor = "start"): string {
  const named = style === "" ? "" : ` class="${style}"`;
  return `<text${named} x="${x}" y="${y}" text-anchor="${anchor}">${words}</text>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
