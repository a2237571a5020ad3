import { startCloud } from "../../lib/cloud";
import { type GeneratedProjectOptions, generateProject } from "../support/generated-project";
import { runCli } from "../support/io";

const now = new Date("2026-11-21T00:00:00Z");

/** Starts a cloud with a generated project, and returns the project and what the command reports. */
async function roundTrip(size: Omit<GeneratedProjectOptions, "now">) {
  const world = generateProject({ ...size, now });
  const cloud = await startCloud({ speed: 0, startAt: now, world });
  try {
    const [project = "", dnsProject = ""] = world.dnsProjects;
    const startedMs = performance.now();
    const words = [
      "--project",
      project,
      "--dns-project",
      dnsProject,
      "--endpoint",
      cloud.endpoints.http,
      "--json",
      "--no-dns",
    ];
    const { stdout } = await runCli(["inventory", ...words]);
    return { world, reported: JSON.parse(stdout) as unknown, tookMs: performance.now() - startedMs };
  } finally {
    await cloud.stop();
  }
}

test.each([11, 12, 13, 14, 15])(
  "reports the project of seed %d with which the cloud started",
  async (seed) => {
    const { world, reported } = await roundTrip({ seed, forwardingRules: 60, certificates: 90, zones: 12 });
    expect(reported).toEqual(world);
  },
  300_000,
);

test("reports a project with 5,000 forwarding rules, 2,000 certificates and 200 zones in less than a minute", async () => {
  const { world, reported, tookMs } = await roundTrip({
    seed: 16,
    forwardingRules: 5_000,
    certificates: 2_000,
    zones: 200,
  });
  expect(reported).toEqual(world);
  expect(tookMs).toBeLessThan(60_000);
}, 300_000);
