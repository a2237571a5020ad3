import { makeThirdPartyCertificates } from "../../../lib/cloud";
import { createTimelineRecorder } from "../../../lib/rehearsal/timeline/recorder";

const at = (second: number) => new Date(Date.UTC(2026, 10, 21, 0, 0, second)).toISOString();
const hostnames = ["a.example.com", "b.example.com"];

function record() {
  const recorder = createTimelineRecorder(hostnames);
  const { observer } = recorder;
  const probed = {
    time: at(10),
    hostname: "a.example.com",
    address: "198.51.100.1",
    side: "previous",
    ok: true,
  } as const;
  observer.probe?.(probed);
  return { observer, timeline: () => recorder.result(at(100)), probed };
}

const run = { program: "terraform", folder: "terraform", output: "", isLockLeft: false } as const;

test("records applies, kills and imports with their times", () => {
  const { observer, timeline } = record();
  observer.run?.({ ...run, words: ["init"], from: at(11), until: at(12), exitCode: 0, killed: false });
  observer.run?.({ ...run, words: ["apply"], from: at(20), until: at(30), exitCode: 1, killed: true });
  observer.run?.({ ...run, words: ["import", "x.y", "id"], from: at(31), until: at(32), exitCode: 0, killed: false });
  expect(timeline().events).toEqual([
    { kind: "apply", from: at(20), until: at(30), what: "terraform apply", ok: false },
    { kind: "kill", from: at(30), what: "terraform apply was killed" },
    { kind: "import", from: at(31), until: at(32), what: "terraform import x.y", ok: true },
  ]);
});

test("names the program of the runs", () => {
  const { observer, timeline } = record();
  const tofu = { ...run, program: "tofu", from: at(20), until: at(30) } as const;
  observer.run?.({ ...tofu, words: ["apply"], exitCode: 1, killed: true });
  observer.run?.({ ...tofu, words: ["import", "x.y", "id"], exitCode: 0, killed: false });
  expect(timeline().events.map(({ what }) => what)).toEqual(["tofu apply", "tofu import x.y", "tofu apply was killed"]);
});

test("records gates from Terraform's output; a gate that has not passed at the end of its run has failed", () => {
  const { observer, timeline } = record();
  observer.output?.({
    text: "terraform_data.one: Creating...\nterraform_data.one: Provisioning with 'local-",
    time: at(20),
  });
  observer.output?.({ text: "exec'...\nterraform_data.two: Provisioning with 'local-exec'...\n", time: at(21) });
  observer.output?.({ text: "terraform_data.one: Creation complete after 9s [id=1]\n", time: at(29) });
  observer.output?.({ text: "google_dns_record_set.x: Creation complete after 9s [id=1]\n", time: at(29) });
  observer.run?.({ ...run, words: ["apply"], from: at(15), until: at(30), exitCode: 1, killed: false });
  expect(timeline().events.filter(({ kind }) => kind === "gate")).toEqual([
    { kind: "gate", from: at(21), until: at(29), what: "terraform_data.one", ok: true },
    { kind: "gate", from: at(21), until: at(30), what: "terraform_data.two", ok: false },
  ]);
});

test("records certificates, records and the front ends with the hostnames that they affect", () => {
  const { observer, timeline } = record();
  const front = (time: string, served: readonly string[]) =>
    observer.frontEnds?.({ time, certificatesFor: (name) => (served.includes(name) ? ["projects/p/c"] : []) });
  observer.issued?.({ time: at(20), domains: ["a.example.com"] });
  front(at(30), []);
  front(at(31), ["a.example.com"]);
  front(at(32), ["a.example.com"]);
  observer.records?.({ time: at(40), records: [{ name: "a.example.com.", type: "A", data: ["203.0.113.7"] }] });
  observer.records?.({ time: at(41), records: [{ name: "a.example.com.", type: "A", data: [] }] });
  const certificate = "certificate for a.example.com";
  expect(timeline().events).toEqual([
    { kind: "certificate-active", from: at(20), what: certificate, hostnames: ["a.example.com"] },
    { kind: "front-ends", from: at(31), what: "a.example.com reached the front ends", hostnames: ["a.example.com"] },
    { kind: "records", from: at(40), what: "a.example.com. A 203.0.113.7", hostnames: ["a.example.com"] },
    { kind: "records", from: at(41), what: "a.example.com. A removed", hostnames: ["a.example.com"] },
  ]);
});

test("omits events before the first handshake and after the end", () => {
  const { observer, timeline } = record();
  observer.records?.({ time: at(9), records: [{ name: "early.", type: "A", data: ["192.0.2.1"] }] });
  observer.records?.({ time: at(101), records: [{ name: "late.", type: "A", data: [] }] });
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
  const { observer, timeline, probed } = record();
  observer.chains?.({ pem: await make(), side: "previous" });
  observer.certificate?.({ time: at(20), name: "projects/p/c", pemCertificate: await make() });
  const [previous, issued] = timeline().certificates;
  expect(timeline().certificates).toHaveLength(2);
  expect(previous).toMatchObject({ side: "previous", names: ["a.example.com"], keyType: "ecdsa-p256" });
  expect(issued).toMatchObject({ side: "loadBalancer" });
  const onBalancer = { ...probed, side: "loadBalancer", address: "203.0.113.7" } as const;
  observer.probe?.({ ...onBalancer, certificate: previous?.sha256 ?? "" });
  observer.probe?.({ ...onBalancer, certificate: issued?.sha256 ?? "" });
  expect(timeline().hostnames[0]?.runs.map(({ by }) => by)).toEqual([
    "previous",
    "load-balancer-previous",
    "load-balancer",
  ]);
  expect(timeline().addresses).toEqual({ previous: ["198.51.100.1"], loadBalancer: ["203.0.113.7"] });
});

test("records what ran after the eight steps with its times, and nothing that has not ended or passes days", () => {
  const { observer, timeline } = record();
  const times = { from: at(20), until: at(30) };
  observer.part?.({ numbers: [8], name: "step 8 (traffic on the load balancer)", ok: true, ...times });
  observer.part?.({ numbers: [], name: "rotation: a domain added to a certificate" });
  observer.part?.({ numbers: [], name: "rotation: a domain added to a certificate", ok: true, ...times });
  observer.part?.({ numbers: [], name: "rollback: traffic to the previous provider and back" });
  observer.part?.({ numbers: [], name: "9 days after the cut-over", ok: true, passesDays: true, ...times });
  expect(timeline().parts).toEqual([{ name: "rotation: a domain added to a certificate", ...times }]);
});
