import type { Probe } from "../../../lib/rehearsal";
import { createServedRuns } from "../../../lib/rehearsal/timeline/served-runs";

const at = (second: number) => new Date(Date.UTC(2026, 10, 21, 0, 0, second)).toISOString();
const probe = (second: number, of: Partial<Probe> = {}): Probe => ({
  time: at(second),
  hostname: "a.example.com",
  ok: true,
  side: "previous",
  certificate: "01d",
  ...of,
});
const runsOf = (probes: readonly Probe[]) => {
  const runs = createServedRuns(["a.example.com"], (certificate) => certificate === "01d");
  probes.forEach(runs.add);
  return runs.result()[0]?.runs ?? [];
};

test("joins consecutive handshakes with the same result, and names the side that served them", () => {
  const onBalancer = { side: "loadBalancer" } as const;
  const runs = runsOf([
    probe(0),
    probe(1),
    probe(2, { ok: false, error: "ECONNRESET" }),
    probe(3, onBalancer),
    probe(4, { ...onBalancer, certificate: "e1" }),
    probe(6, { ...onBalancer, certificate: "e1" }),
  ]);
  expect(runs).toEqual([
    { by: "previous", from: at(0), until: at(1), handshakes: 2, certificate: "01d" },
    { by: "failed", from: at(2), until: at(2), handshakes: 1, certificate: "01d", error: "ECONNRESET" },
    { by: "load-balancer-previous", from: at(3), until: at(3), handshakes: 1, certificate: "01d" },
    { by: "load-balancer", from: at(4), until: at(6), handshakes: 2, certificate: "e1" },
  ]);
});

test("begins another run for another error", () => {
  const failed = (second: number, error: string) => probe(second, { ok: false, error });
  expect(runsOf([failed(0, "timeout"), failed(1, "ECONNRESET")]).map(({ error }) => error)).toEqual([
    "timeout",
    "ECONNRESET",
  ]);
});

test("stays small if results change all the time, and still counts every handshake and failure", () => {
  const probes = Array.from({ length: 1_000 }, (_, second) =>
    probe(second, second % 2 === 0 ? {} : { ok: false, error: "timeout" }),
  );
  const runs = runsOf(probes);
  expect(runs).toHaveLength(200);
  expect(runs.at(-1)).toMatchObject({ by: "mixed", until: at(999), error: "timeout" });
  expect(runs.reduce((sum, { handshakes }) => sum + handshakes, 0)).toBe(1_000);
  const failed = runs.reduce((sum, run) => sum + (run.by === "failed" ? run.handshakes : (run.failed ?? 0)), 0);
  expect(failed).toBe(500);
});
