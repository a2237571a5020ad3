import { readFileSync } from "node:fs";
import { type MeasuredTimeline, measuredTimelines, timelinePicture } from "../../docs/generate/timeline";

const measured = JSON.parse(readFileSync(measuredTimelines, "utf8")) as Record<"without" | "with", MeasuredTimeline>;
const picture = timelinePicture();

function resultOf({ failed, handshakes }: MeasuredTimeline): string {
  return `${failed} of ${handshakes.toLocaleString("en")}`;
}

test("the measured migration fails without the constructs, and does not with them", () => {
  expect([measured.without.failed > 0, measured.with.failed]).toEqual([true, 0]);
});

test("the picture draws failed handshakes only in the migration without the constructs", () => {
  const [plain = "", own = ""] = picture.split(">With cdktf-google-cert-migration<");
  const failedBars = (part: string) => part.match(/<rect class="failed"/g) ?? [];
  expect(failedBars(plain)).toHaveLength(
    measured.without.hostnames.flatMap(({ runs }) => runs).filter(({ by }) => by === "failed").length,
  );
  expect(failedBars(own)).toEqual([]);
});

test("no handshake fails after the certificates are ACTIVE and the front ends have had half a minute", () => {
  const last = Math.max(...measured.without.certificatesActive);
  const failed = measured.without.hostnames.flatMap(({ runs }) => runs).filter(({ by }) => by === "failed");
  expect(failed.filter(({ until }) => until > last + 30)).toEqual([]);
});

test("the picture and the README state the measured numbers", () => {
  const readme = readFileSync("README.md", "utf8").replace(/\s+/g, " ");
  for (const timeline of Object.values(measured)) {
    expect(picture).toContain(`${resultOf(timeline)} handshakes failed`);
    expect(readme).toContain(resultOf(timeline));
  }
});

test("the picture has its own background in both color schemes, before anything else", () => {
  expect(/<\/style>\s*<rect class="ground"/.test(picture)).toBe(true);
  expect(picture.match(/\.ground\{fill:#[0-9a-f]+\}/g)).toHaveLength(2);
});
