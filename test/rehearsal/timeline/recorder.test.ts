import { makeThirdPartyCertificates } from "../../../lib/cloud";
import type { StageOptions } from "../../../lib/rehearsal/stage-options";
import { createTimelineRecorder } from "../../../lib/rehearsal/timeline/recorder";

const at = (second: number) => new Date(Date.UTC(2026, 10, 21, 0, 0, second)).toISOString();
const hostnames = ["a.example.com", "b.example.com"];

function record(given: Partial<StageOptions> = {}) {
  const recorder = createTimelineRecorder(hostnames);
  const options = recorder.recording({ hostnames, ...given } as StageOptions);
  const probed = { time: at(10), hostname: "a.example.com", address: "198.51.100.1", side: "old", ok: true } as const;
  options.onProbe?.(probed);
  return { options, timeline: () => recorder.result(at(100)), probed };
}

const run = { folder: "terraform", output: "", isLockLeft: false };

test("records applies, kills and imports with their times", () => {
  const { options, timeline } = record();
  options.onRun?.({ ...run, words: ["init"], from: at(11), until: at(12), exitCode: 0, killed: false });
  options.onRun?.({ ...run, words: ["apply"], from: at(20), until: at(30), exitCode: 1, killed: true });
  options.onRun?.({ ...run, words: ["import", "x.y", "id"], from: at(31), until: at(32), exitCode: 0, killed: false });
  expect(timeline().events).toEqual([
    { kind: "apply", from: at(20), until: at(30), what: "terraform apply", ok: false },
    { kind: "kill", from: at(30), what: "terraform apply was killed" },
    { kind: "import", from: at(31), until: at(32), what: "terraform import x.y", ok: true },
  ]);
});

test("records gates from Terraform's output; a gate that has not passed at the end of its run has failed", () => {
  const { options, timeline } = record();
  options.onTerraformText?.("terraform_data.one: Creating...\nterraform_data.one: Provisioning with 'local-", at(20));
  options.onTerraformText?.("exec'...\nterraform_data.two: Provisioning with 'local-exec'...\n", at(21));
  options.onTerraformText?.("terraform_data.one: Creation complete after 9s [id=1]\n", at(29));
  options.onTerraformText?.("google_dns_record_set.x: Creation complete after 9s [id=1]\n", at(29));
  options.onRun?.({ ...run, words: ["apply"], from: at(15), until: at(30), exitCode: 1, killed: false });
  expect(timeline().events.filter(({ kind }) => kind === "gate")).toEqual([
    { kind: "gate", from: at(21), until: at(29), what: "terraform_data.one", ok: true },
    { kind: "gate", from: at(21), until: at(30), what: "terraform_data.two", ok: false },
  ]);
});

test("records certificates, records and the front ends with the hostnames that they affect", () => {
  const { options, timeline } = record();
  const front = (time: string, served: readonly string[]) =>
    options.onFrontEnds?.({ time, certificatesFor: (name) => (served.includes(name) ? ["projects/p/c"] : []) });
  options.onIssued?.({ time: at(20), domains: ["a.example.com"] });
  front(at(30), []);
  front(at(31), ["a.example.com"]);
  front(at(32), ["a.example.com"]);
  options.onRecords?.({ time: at(40), records: [{ name: "a.example.com.", type: "A", data: ["203.0.113.7"] }] });
  options.onRecords?.({ time: at(41), records: [{ name: "a.example.com.", type: "A", data: [] }] });
  const certificate = "certificate for a.example.com";
  expect(timeline().events).toEqual([
    { kind: "certificate-active", from: at(20), what: certificate, hostnames: ["a.example.com"] },
    { kind: "front-ends", from: at(31), what: "a.example.com reached the front ends", hostnames: ["a.example.com"] },
    { kind: "records", from: at(40), what: "a.example.com. A 203.0.113.7", hostnames: ["a.example.com"] },
    { kind: "records", from: at(41), what: "a.example.com. A removed", hostnames: ["a.example.com"] },
  ]);
});

test("omits events before the first handshake and after the end", () => {
  const { options, timeline } = record();
  options.onRecords?.({ time: at(9), records: [{ name: "early.", type: "A", data: ["192.0.2.1"] }] });
  options.onRecords?.({ time: at(101), records: [{ name: "late.", type: "A", data: [] }] });
  expect(timeline().events).toEqual([]);
  expect(timeline()).toMatchObject({ from: at(10), until: at(100) });
});

test("describes certificates by side, without CA certificates, and distinguishes them in handshakes", async () => {
  const make = async () =>
    (
      await makeThirdPartyCertificates([{ names: ["a.example.com"], publicKeyAlgorithm: "ecdsa-p256" }], {
        now: () => new Date(),
      })
    ).certificates[0]?.chainPem ?? "";
  const { options, timeline, probed } = record();
  options.onChains?.(await make(), "previous");
  options.onCertificate?.({ time: at(20), name: "projects/p/c", pemCertificate: await make() });
  const [previous, issued] = timeline().certificates;
  expect(timeline().certificates).toHaveLength(2);
  expect(previous).toMatchObject({ side: "previous", names: ["a.example.com"], keyType: "ecdsa-p256" });
  expect(issued).toMatchObject({ side: "new" });
  const onBalancer = { ...probed, side: "new", address: "203.0.113.7" } as const;
  options.onProbe?.({ ...onBalancer, certificate: previous?.sha256 ?? "" });
  options.onProbe?.({ ...onBalancer, certificate: issued?.sha256 ?? "" });
  expect(timeline().hostnames[0]?.runs.map(({ by }) => by)).toEqual([
    "previous",
    "load-balancer-previous",
    "load-balancer",
  ]);
  expect(timeline().addresses).toEqual({ previous: ["198.51.100.1"], loadBalancer: ["203.0.113.7"] });
});

test("calls the hooks of the caller as well", () => {
  const onIssued = jest.fn();
  const { options } = record({ onIssued });
  options.onIssued?.({ time: at(20), domains: [] });
  expect(onIssued).toHaveBeenCalledTimes(1);
});
