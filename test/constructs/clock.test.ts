import { AnnotationMetadataEntryType, type TerraformStack } from "cdktf";
import { Certificate, type ManagedCertMigrationProps, PrivateKey } from "../../lib";
import { makeCertificate } from "../support/make-certificate";
import { migrate, refusal } from "../support/migrate";
import { newApp, newStack, resourcesOf, synthesize } from "../support/synth";

const notAfter = new Date("2026-11-21T00:00:00Z");
const { certificatePem } = makeCertificate(["example.com", "*.example.com"], { notAfter });

const stackAt = (now?: unknown) => newStack(newApp(now === undefined ? undefined : { "cert-migration:now": now }));

const upload = (pem: string) => [
  Certificate.selfManaged({ certificatePem: pem, privateKey: PrivateKey.variable("key") }),
];
const certificates = upload(certificatePem);

function traffic(
  to: "previous" | "loadBalancer",
  hostnames?: readonly string[],
): Pick<ManagedCertMigrationProps, "traffic"> {
  const previous = { "example.com": { a: ["192.0.2.1"] }, "www.example.com": { a: ["192.0.2.1"] } };
  return { traffic: { to, previous, ...(hostnames !== undefined && { hostnames }) } };
}

const warningsOf = (stack: TerraformStack) =>
  stack.node
    .findAll()
    .flatMap(({ node }) => node.metadata)
    .filter(({ type }) => type === AnnotationMetadataEntryType.WARN)
    .map(({ data }) => /\[(.*)\]$/.exec(String(data))?.[1]);

describe("an uploaded certificate that has expired", () => {
  test.each<[string, Partial<ManagedCertMigrationProps>]>([
    ["without managed traffic", {}],
    ["while traffic goes to the load balancer", traffic("loadBalancer")],
    ["while only another hostname is rolled back", traffic("previous", ["www.example.com"])],
  ])("is refused %s", (_, change) => {
    const stack = stackAt("2026-11-21T00:00:00Z");
    expect(refusal(() => migrate(stack, { certificates, ...change }))).toContain("certificate-expired");
  });

  test.each<[string, Partial<ManagedCertMigrationProps>]>([
    ["all hostnames", traffic("previous")],
    ["its hostname", traffic("previous", ["Example.com"])],
  ])("is a warning while the traffic of %s is rolled back, with the same resources", (_, change) => {
    const [expired, valid] = ["2026-11-21T00:00:00Z", "2026-11-01T00:00:00Z"].map((now) => {
      const stack = stackAt(now);
      migrate(stack, { certificates, ...change });
      return { resources: synthesize(stack), warnings: warningsOf(stack) };
    });
    expect(expired?.warnings).toContain("certificate-expired-without-traffic");
    expect(expired?.resources).toEqual(valid?.resources);
    expect(Object.keys(resourcesOf(expired?.resources ?? {}, "google_dns_record_set"))).not.toEqual([]);
  });
});

describe("the time of a synthesis", () => {
  test.each<[string, readonly string[]]>([
    ["2026-10-01T00:00:00Z", ["clock-set"]],
    ["2026-10-21T23:59:59.999-00:00", ["clock-set"]],
    ["2026-11-20T00:00:00+01:00", ["clock-set", "certificate-expires-soon"]],
  ])("is the time %s in the context of the app, which is a warning", (now, expected) => {
    const stack = stackAt(now);
    migrate(stack, { certificates });
    expect(warningsOf(stack).sort()).toEqual([...expected].sort());
  });

  test("is the clock of the machine without this context", () => {
    const valid = (at: number) =>
      makeCertificate(["example.com"], { notAfter: new Date(Date.now() + at) }).certificatePem;
    expect(refusal(() => migrate(stackAt(), { certificates: upload(valid(-60_000)) }))).toEqual([
      "certificate-expired",
    ]);
    expect(refusal(() => migrate(stackAt(), { certificates: upload(valid(60_000)) }))).toEqual([]);
  });

  test.each(["", "now", "2026-11-21", "2026-11-21T00:00:00", "2026-13-01T00:00:00Z", 1_800_000_000_000, null, {}])(
    "is refused as %j",
    (now) => {
      expect(refusal(() => migrate(stackAt(now)))).toEqual(["clock-invalid"]);
    },
  );
});

test("a note names the day when an uploaded certificate has to be replaced, whatever the time is", () => {
  const stack = stackAt("2026-11-01T00:00:00Z");
  migrate(stack, { certificates });
  const notes = stack.node
    .findAll()
    .flatMap(({ node }) => node.metadata)
    .filter(({ type }) => type === AnnotationMetadataEntryType.INFO);
  // Two thirds of the time from 2020-01-01 on.
  expect(notes.map(({ data }) => data)).toEqual([
    "certificate 'example.com' is uploaded and ends on 2026-11-21; replace it from 2024-08-04 on [uploaded-replacement]",
  ]);
});
