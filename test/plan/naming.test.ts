import fc from "fast-check";
import { type INaming, type MigrationSpec, type NamedResourceKind, namesInPlan, planMigration } from "../../lib/plan";
import { makeCertificate } from "../support/make-certificate";

const pool = "projects/p/locations/europe-west6/caPools/internal";

/** Has a resource of every kind with a name, except for a target SSL proxy. */
const spec: MigrationSpec = {
  name: "shop",
  certificates: [
    { domains: ["example.com", "*.example.com"], primary: true },
    { domains: ["pay.example.net"] },
    { kind: "privateCa", domains: ["ci.corp.internal"], caPool: pool },
  ],
  dns: { kind: "external" },
  loadBalancer: {
    kind: "globalExternal",
    newTargetHttpsProxy: {
      urlMap: "shop",
      forwardingRules: { ipv4Address: "203.0.113.7", ipv6Address: "2001:db8::7" },
      clientAuthentication: {
        mode: "REJECT_INVALID",
        trustAnchors: [makeCertificate(["ca.example.com"]).certificatePem],
      },
    },
    newTargetSslProxy: { backendService: "shop" },
  },
};

const namesWith = (naming: INaming["name"] | undefined, change: Partial<MigrationSpec> = {}) => {
  const plan = planMigration({ ...spec, ...change }, naming && { naming: { name: naming } });
  return namesInPlan(plan).map(({ kind, name }) => ({ kind, name }));
};
const findingsWith = (name: (kind: NamedResourceKind, suggested: string) => unknown, change?: Partial<MigrationSpec>) =>
  planMigration({ ...spec, ...change }, { naming: { name } as INaming }).findings;
const codesWith = (...given: Parameters<typeof findingsWith>) => [
  ...new Set(findingsWith(...given).map(({ code }) => code)),
];
const codesWithout = planMigration(spec).findings.map(({ code }) => code);

test("names every created resource, and gives each suggestion without a convention as the name", () => {
  const asked = new Map<string, NamedResourceKind>();
  const suggested = namesWith(undefined);
  const ask: INaming["name"] = (kind, suggestion) => {
    asked.set(suggestion, kind);
    return suggestion;
  };
  expect(namesWith(ask)).toEqual(suggested);
  expect([...new Set(asked.values())].sort()).toEqual([
    "authorization",
    "certificate",
    "entry",
    "forwardingRule",
    "issuanceConfig",
    "map",
    "serverTlsPolicy",
    "targetHttpsProxy",
    "targetSslProxy",
    "trustConfig",
  ]);
});

test("contains the names of the convention in the plan, with the references between its resources", () => {
  const name: INaming["name"] = (kind, suggested) => `acme-${kind.toLowerCase()}-${suggested.slice(-12)}`;
  const plan = planMigration(spec, { naming: { name } });
  expect(plan.findings.map(({ code }) => code)).toEqual(codesWithout);
  for (const { kind, name } of namesInPlan(plan))
    expect(name).toMatch(new RegExp(`^acme-${kind.toLowerCase()}-[0-9a-f]{12}$`));
  const issued = plan.certificates.find(({ id }) => id === "ci.corp.internal");
  expect(issued).toMatchObject({ issuance: { config: plan.issuanceConfigs?.[0]?.name } });
});

test("renames a certificate whose authorization or issuance config has another name, because Terraform replaces it", () => {
  const certificatesOf = (renamed: NamedResourceKind | undefined) =>
    namesWith((kind, suggested) => (kind === renamed ? `x-${suggested.slice(-12)}` : suggested))
      .filter(({ kind }) => kind === "certificate")
      .map(({ name }) => name);
  const [before, afterAuthorization, afterConfig] = [
    undefined,
    "authorization" as const,
    "issuanceConfig" as const,
  ].map(certificatesOf);
  // In the order of ids: the private CA's, then the two of authorizations.
  expect(before?.map((name, index) => name === afterAuthorization?.[index])).toEqual([true, false, false]);
  expect(before?.map((name, index) => name === afterConfig?.[index])).toEqual([false, true, true]);
});

test("keeps a name that is stated for a new proxy, and does not ask for it", () => {
  const loadBalancer = { kind: "globalExternal", newTargetHttpsProxy: { urlMap: "shop", name: "front" } } as const;
  const names = namesWith((_, suggested) => `x-${suggested.slice(-12)}`, { loadBalancer });
  expect(names.filter(({ kind }) => kind === "targetHttpsProxy")).toEqual([
    { kind: "targetHttpsProxy", name: "front" },
  ]);
});

describe("a returned name is refused", () => {
  test.each<[string, unknown, string]>([
    ["that is empty", "", "''"],
    ["with upper case", "Acme", "'Acme'"],
    ["with an underscore", "acme_web", "'acme_web'"],
    ["with a dot", "acme.web", "'acme.web'"],
    ["that begins with a digit", "1acme", "'1acme'"],
    ["that begins with a hyphen", "-acme", "'-acme'"],
    ["that ends with a hyphen", "acme-", "'acme-'"],
    ["that ends with a line break", "acme\n", "'acme\\u{a}'"],
    ["of 64 characters", "a".repeat(64), `'${"a".repeat(64)}' (64 characters)`],
    ["that is undefined", undefined, "a value of the type undefined"],
    ["that is null", null, "null"],
    ["that is a number", 7, "a value of the type number"],
    ["that is a promise", Promise.resolve("acme"), "a value of the type object"],
  ])("%s", (_, returned, shown) => {
    const [suggestion] = namesWith(undefined).filter(({ kind }) => kind === "map");
    const found = findingsWith((kind, suggested) => (kind === "map" ? returned : suggested)).filter(
      ({ severity }) => severity === "error",
    );
    expect(found).toMatchObject([
      {
        code: "resource-name-invalid",
        severity: "error",
        subject: "/naming",
        message: `'naming' returned ${shown} for the map with the suggestion '${suggestion?.name}'`,
        remedy: "return 1 to 63 characters of a-z, 0-9 and '-', with a letter first and no '-' last",
      },
    ]);
  });

  test.each(["a", "a".repeat(63), "a-1", "n0"])("but not '%s'", (returned) => {
    expect(codesWith((kind, suggested) => (kind === "map" ? returned : suggested))).toEqual([...new Set(codesWithout)]);
  });
});

describe("resources of one kind and place with the same name are refused", () => {
  const messages = (name: (kind: NamedResourceKind, suggested: string) => string, change?: Partial<MigrationSpec>) =>
    findingsWith(name, change)
      .filter(({ code }) => code === "resource-name-repeated")
      .map(({ message }) => message);

  test("with the names of all", () => {
    expect(messages((kind) => `the-${kind.toLowerCase()}`)).toEqual([
      "authorization of 'example.com', authorization of 'pay.example.net' have the same name 'the-authorization'",
      "certificate 'ci.corp.internal', certificate 'example.com', certificate 'pay.example.net' have the same name 'the-certificate'",
      "forwarding rule 'https-ipv4', forwarding rule 'https-ipv6' have the same name 'the-forwardingrule'",
      "map entry of '*.example.com', map entry of 'PRIMARY', map entry of 'ci.corp.internal', map entry of 'example.com', map entry of 'pay.example.net' have the same name 'the-entry'",
    ]);
  });

  test("if issuance configs of different settings have it", () => {
    const certificates = ["21d", "30d"].map((lifetime, index) => {
      return { kind: "privateCa", domains: [`ci${index}.corp.internal`], caPool: pool, lifetime } as const;
    });
    const found = messages((kind, suggested) => (kind === "issuanceConfig" ? "corp" : suggested), { certificates });
    expect(found).toEqual([
      `issuance config of '${pool}' (1814400 s, 66 %, RSA_2048), issuance config of '${pool}' (2592000 s, 66 %, RSA_2048) have the same name 'corp'`,
    ]);
  });

  test("if an adopted proxy has it", () => {
    const adopted = {
      name: "web",
      sslCertificates: [],
      sslPolicy: "",
      quicOverride: "NONE",
      tlsEarlyData: "DISABLED",
    } as const;
    const loadBalancer = {
      kind: "globalExternal",
      newTargetHttpsProxy: { urlMap: "shop" },
      adoptTargetHttpsProxies: [
        { ...adopted, urlMap: "web", httpKeepAliveTimeoutSeconds: 0, serverTlsPolicy: "", description: "" },
      ],
    } as const;
    const found = messages((kind, suggested) => (kind === "targetHttpsProxy" ? "web" : suggested), { loadBalancer });
    expect(found).toEqual(["target HTTPS proxy 'https', target HTTPS proxy 'web' have the same name 'web'"]);
  });

  test("unless they are in different projects", () => {
    const certificates = [{ domains: ["example.com"] }, { domains: ["example.net"], project: "other-project" }];
    const name = (kind: NamedResourceKind, suggested: string) => (kind === "certificate" ? "web" : suggested);
    expect(messages(name, { certificates, project: "my-project" })).toEqual([]);
  });
});

test("warns once for each kind of names that a replacement would have too", () => {
  const name = (kind: NamedResourceKind, suggested: string) => {
    return `${kind.toLowerCase()}-${suggested.slice(0, -13).slice(0, 40)}`.replace(/-+$/, "");
  };
  const found = findingsWith(name).filter(({ code }) => code === "resource-name-without-digest");
  expect(found.map(({ severity, message }) => `${severity}: ${message}`)).toEqual(
    ["certificate", "issuanceConfig", "serverTlsPolicy"].map(
      (kind) => `warning: the names of the kind '${kind}' that 'naming' returns lack the digest of the suggestion`,
    ),
  );
});

test.each([undefined, {}, { name: "acme" }, "acme", null, () => "acme"])(
  "refuses %p as a convention, unless it is absent",
  (naming) => {
    const plan = planMigration(spec, { naming: naming as unknown as INaming });
    expect(plan.findings.some(({ code }) => code === "naming-invalid")).toBe(naming !== undefined);
  },
);

test("calls the method of its object, once for each resource", () => {
  const naming = {
    prefix: "acme",
    calls: [] as string[],
    name(kind: NamedResourceKind, suggested: string) {
      this.calls.push(`${kind} ${suggested}`);
      return `${this.prefix}-${suggested.slice(-12)}`;
    },
  };
  const names = namesInPlan(planMigration(spec, { naming }));
  expect(names.every(({ name }) => name.startsWith("acme-"))).toBe(true);
  expect(naming.calls).toHaveLength(names.length);
  expect(new Set(naming.calls).size).toBe(names.length);
});

test("reports invalid names together with all other mistakes", () => {
  const codes = codesWith(() => "Acme", { labels: { Team: "web" }, enableApis: "yes" as unknown as boolean });
  expect(codes).toEqual(expect.arrayContaining(["value-wrong-type", "label-key-invalid", "resource-name-invalid"]));
});

test("accepts exactly the names of Compute, which all kinds accept", () => {
  const isAccepted = (name: string) =>
    !codesWith((kind, suggested) => (kind === "map" ? name : suggested)).includes("resource-name-invalid");
  const text = fc.string({ unit: fc.constantFrom(..."az09-A_.\n"), maxLength: 66 });
  fc.assert(
    fc.property(
      text,
      (name) =>
        isAccepted(name) === (name.length <= 63 && /^[a-z]([a-z0-9-]*[a-z0-9])?$/.test(name) && !name.includes("\n")),
    ),
    { numRuns: 50 },
  );
});
