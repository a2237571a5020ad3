import { programNameOf } from "../../lib/rehearsal/program-name";
import { actionsOf, type Parts } from "../../lib/rehearsal/stage-actions";
import type { StageOptions } from "../../lib/rehearsal/stage-options";

const type = "google_certificate_manager_dns_authorization";
const stack = { resource: { [type]: { a: { domain: "a.example" } } } };
const authorization = {
  name: "projects/p/locations/global/dnsAuthorizations/a",
  domain: "a.example",
  dnsResourceRecord: { name: "_acme-challenge.a.example.", type: "CNAME", data: "x.authorize.example." },
};

/** Returns a stage of which only the given parts are used. */
function stageOf(
  parts: object,
  { publishes = false, said = [] }: { readonly publishes?: boolean; readonly said?: string[] } = {},
) {
  const options: StageOptions = {
    migration: { synthesize: () => stack, hostnames: { all: ["a.example"], added: undefined }, publishes },
    terraform: { folder: "nowhere" },
    output: { say: (line) => said.push(line) },
    signal: new AbortController().signal,
  };
  return actionsOf(
    { terraforms: {}, probing: { trusted: [] }, kills: { left: [] }, ...parts } as unknown as Parts,
    options,
  );
}

/**
 * Returns the verdict of a stage on a successful deploy, if the operator publishes these records when the stage asks
 * for missing records.
 */
async function hasMade(publishes: boolean, published: readonly string[]) {
  const said: string[] = [];
  let records: readonly string[] = [];
  const run = async () => ({ exitCode: 0, output: "", killed: false });
  const stage = stageOf(
    {
      terraforms: {
        migration: { name: programNameOf("terraform"), write: async () => {}, apply: run, plan: run },
      },
      today: { reader: { authorizations: async () => [authorization], records: async () => records } },
      operator: {
        catchUp: async () => {
          records = published;
        },
      },
    },
    { publishes, said },
  );
  expect(await stage.pipeline.deployStack(stack)).toBe(true);
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
  const stage = stageOf(
    {
      today: {
        cloud: {
          faults: {
            set: (plan: object) => {
              faults = plan;
            },
          },
        },
        retire: async () => Promise.reject(new Error("refused")),
        reader: {
          everything: async () =>
            Object.keys(faults).length > 0 ? Promise.reject(new Error("refused by a fault")) : ["before", "left"],
        },
        before: ["before"],
      },
      terraforms: {
        migration: {
          name: programNameOf("terraform"),
          destroy: async () => ({ exitCode: 0, output: "", killed: false }),
        },
      },
      operator: { withdraw: async () => {} },
    },
    { said },
  );
  expect(await stage.destroy()).toEqual({ ended: true, left: ["left"] });
  expect(said).toEqual(["not taken away: refused"]);
});

test("prints an uploaded certificate once, without the private key in the same text", async () => {
  const block = (label: string) => `-----BEGIN ${label}-----\nAQID\n-----END ${label}-----\n`;
  const name = "projects/p/locations/global/certificates/c";
  const shown: object[] = [];
  const certificates = [{ name, pemCertificate: block("CERTIFICATE") + block("PRIVATE KEY") }];
  const stage = stageOf({
    today: {
      cloud: { clock: { now: () => new Date("2026-11-21T00:00:00Z") } },
      reader: { certificates: async () => certificates },
    },
    emit: (_: string, certificate: object) => shown.push(certificate),
  });
  await stage.noteCertificates();
  await stage.noteCertificates();
  expect(shown).toEqual([{ time: "2026-11-21T00:00:00.000Z", name, pemCertificate: block("CERTIFICATE") }]);
});
