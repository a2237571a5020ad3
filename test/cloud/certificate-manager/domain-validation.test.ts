import { makeActiveCertificate, makeZone, parent, startTestCloud, type TestCloud } from "../../support/cloud";

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
  await makeZone(cloud, "com", "example.com.");
});
afterAll(() => cloud.stop());

const publish = (name: string, type: string, ...rrdatas: readonly string[]) =>
  cloud.make("POST", "/dns/v1/projects/p1/managedZones/com/rrsets", { name, type, ttl: 60, rrdatas });

interface Record {
  readonly name: string;
  readonly data: string;
}

/** Creates an authorization and returns its record, which the test publishes itself. */
async function authorize(domain: string): Promise<Record> {
  const id = domain.replaceAll(".", "-");
  await cloud.make("POST", `/v1/${parent}/dnsAuthorizations?dnsAuthorizationId=${id}`, { domain });
  const made = await cloud.make("GET", `/v1/${parent}/dnsAuthorizations/${id}`);
  return made.dnsResourceRecord as Record;
}

async function validate(id: string, domain: string): Promise<unknown> {
  const managed = {
    domains: [domain],
    dnsAuthorizations: [`${parent}/dnsAuthorizations/${domain.replaceAll(".", "-")}`],
  };
  await cloud.make("POST", `/v1/${parent}/certificates?certificateId=${id}`, { managed });
  await cloud.clock.advance(10_000);
  const certificate = (await cloud.make("GET", `/v1/${parent}/certificates/${id}`)) as {
    readonly managed?: { readonly authorizationAttemptInfo: readonly unknown[] };
  };
  return certificate.managed?.authorizationAttemptInfo[0];
}

describe("a record that reaches the authorization's data through an alias", () => {
  it("does not authorize the domain, and the error shows the whole chain", async () => {
    const { name, data } = await authorize("alias.example.com");
    await publish(name, "CNAME", "on.example.com.");
    await publish("on.example.com.", "CNAME", data);
    expect(await validate("alias", "alias.example.com")).toMatchObject({
      state: "FAILED",
      failureReason: "CONFIG",
      details: `the CNAME record ${name} leads to ${data} by way of on.example.com., and has to lead there itself`,
      troubleshooting: {
        cname: { name, expectedData: data, resolvedData: ["on.example.com.", data] },
        issues: ["CNAME_MISMATCH"],
      },
    });
  });

  it("that forms a loop is shown once around", async () => {
    const { name } = await authorize("loop.example.com");
    await publish(name, "CNAME", "back.example.com.");
    await publish("back.example.com.", "CNAME", name.toUpperCase());
    expect(await validate("loop", "loop.example.com")).toMatchObject({
      failureReason: "CONFIG",
      troubleshooting: { cname: { resolvedData: ["back.example.com.", expect.stringMatching(/^_acme-challenge/)] } },
    });
  });
});

it("a CAA record with quotation marks in its value forbids issuance like any other", async () => {
  await publish("caa.example.com.", "CAA", '0 issue "letsencrypt.org; x=\\"y\\""');
  const made = makeActiveCertificate(cloud, "caa", "com", ["caa.example.com"]);
  await expect(made).rejects.toThrow(/"failureReason":"CAA".*do not allow pki\.goog/);
});
