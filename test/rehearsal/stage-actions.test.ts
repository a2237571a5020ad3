import { actionsOf, type Parts } from "../../lib/rehearsal/stage-actions";

const type = "google_certificate_manager_dns_authorization";
const stack = { resource: { [type]: { a: { domain: "a.example" } } } };
const authorization = {
  name: "projects/p/locations/global/dnsAuthorizations/a",
  domain: "a.example",
  dnsResourceRecord: { name: "_acme-challenge.a.example.", type: "CNAME", data: "x.authorize.example." },
};

/**
 * Returns the verdict of a stage on a successful deploy, if the operator publishes these records when the stage asks
 * for missing records.
 */
async function hasMade(publishes: boolean, published: readonly string[]) {
  const said: string[] = [];
  let records: readonly string[] = [];
  const run = async () => ({ exitCode: 0, output: "", killed: false });
  const parts = {
    terraform: { write: async () => {}, apply: run, plan: run },
    reader: { authorizations: async () => [authorization], records: async () => records },
    operator: {
      catchUp: async () => {
        records = published;
      },
    },
    kills: [],
    trusted: [],
    counted: { kills: 0, imports: 0 },
  };
  const options = {
    synthesize: () => stack,
    hostnames: ["a.example"],
    addedHostname: undefined,
    folder: "nowhere",
    publishes,
    say: (line: string) => said.push(line),
    signal: new AbortController().signal,
  };
  const stage = actionsOf(parts as unknown as Parts, options, async () => {});
  expect(await stage.deployStack(stack)).toBe(true);
  return { made: await stage.hasMade(), said };
}

describe("steps 1 and 2 of a stack that leaves its CNAMEs to the operator", () => {
  test("succeed when the operator has published the CNAMEs", async () => {
    const made = await hasMade(true, ["_acme-challenge.a.example. CNAME"]);
    expect(made).toEqual({ made: true, said: [] });
  });

  test("fail if the operator could not publish them, and list the missing CNAMEs", async () => {
    const said = ["not in the cloud, though Terraform ended well: the CNAME '_acme-challenge.a.example.'"];
    expect(await hasMade(true, [])).toEqual({ made: false, said });
  });

  test("end with the authorizations if the rehearsal publishes no CNAMEs", async () => {
    expect(await hasMade(false, [])).toEqual({ made: true, said: [] });
  });
});

test("checks without faults which resources are left after a destroy", async () => {
  const said: string[] = [];
  let faults: object = { requests: [{ method: "*" }] };
  const parts = {
    cloud: {
      faults: {
        set: (plan: object) => {
          faults = plan;
        },
      },
    },
    terraform: { destroy: async () => ({ exitCode: 0, output: "", killed: false }) },
    operator: { withdraw: async () => {} },
    retire: async () => Promise.reject(new Error("refused")),
    reader: {
      everything: async () =>
        Object.keys(faults).length > 0 ? Promise.reject(new Error("struck")) : ["there", "left"],
    },
    before: ["there"],
    kills: [],
    trusted: [],
    counted: { kills: 0, imports: 0 },
  };
  const options = { say: (line: string) => said.push(line), signal: new AbortController().signal };
  type Given = Parameters<typeof actionsOf>;
  const stage = actionsOf(parts as unknown as Parts, options as unknown as Given[1], async () => {});
  expect(await stage.destroy()).toEqual({ ended: true, left: ["left"] });
  expect(said).toEqual(["not taken away: refused"]);
});

test("prints an uploaded certificate once, without the private key in the same text", async () => {
  const block = (label: string) => `-----BEGIN ${label}-----\nAQID\n-----END ${label}-----\n`;
  const name = "projects/p/locations/global/certificates/c";
  const shown: object[] = [];
  const parts = {
    cloud: { clock: { now: () => new Date("2026-11-21T00:00:00Z") } },
    kills: [],
    trusted: [],
    counted: {},
    reader: { certificates: async () => [{ name, pemCertificate: block("CERTIFICATE") + block("PRIVATE KEY") }] },
  };
  const options = { onCertificate: (certificate: object) => shown.push(certificate) };
  type Given = Parameters<typeof actionsOf>;
  const stage = actionsOf(parts as unknown as Parts, options as unknown as Given[1], async () => {});
  await stage.noteCertificates();
  await stage.noteCertificates();
  expect(shown).toEqual([{ time: "2026-11-21T00:00:00.000Z", name, pemCertificate: block("CERTIFICATE") }]);
});
