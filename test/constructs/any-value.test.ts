/** Any JSON value at any place of a migration, read by every reader: as a plan, as YAML, as data and as props. */
import fc from "fast-check";
import {
  Certificate,
  CertificateIssuer,
  DnsPublication,
  InputError,
  LoadBalancer,
  ManagedCertMigration,
  type ManagedCertMigrationProps,
  PrivateKey,
} from "../../lib";
import { defined } from "../../lib/json/defined";
import { isFields } from "../../lib/json/fields";
import { stepsOf } from "../../lib/json/pointer";
import { type MigrationSpec, parseMigrationDocument, planMigration } from "../../lib/plan";
import { replaceAt, specsWithEveryField } from "../support/every-field";
import { runs } from "../support/runs";
import { newStack, resourcesOf, type SynthesizedStack, synthesize } from "../support/synth";

test("is refused by all readers with the same codes, or synthesized as the value is", () => {
  const places = specsWithEveryField().flatMap((spec) => placesIn(spec).map((place) => ({ spec, place })));
  fc.assert(
    fc.property(fc.constantFrom(...places), anyValue, ({ spec, place }, value) => {
      const changed = replaceAt(spec, stepsOf(place), { value }) as MigrationSpec;
      const ofData = read(() => ManagedCertMigration.fromSpec(newStack(), "shop", changed));
      const ofProps = read(() => new ManagedCertMigration(newStack(), "shop", propsOf(changed)));
      const codes = codesOf(() => codesOfPlan(planMigration(changed)));
      expect({ data: ofData.codes, props: ofProps.codes, yaml: codesOf(() => readYaml(changed)) }).toEqual({
        data: codes,
        props: codes,
        yaml: codes,
      });
      if (ofData.migration === undefined || ofProps.migration === undefined) return;
      expectValues(ofData.migration, changed);
      expectValues(ofProps.migration, changed);
    }),
    runs(300),
  );
});

function read(create: () => ManagedCertMigration) {
  let migration: ManagedCertMigration | undefined;
  const codes = codesOf(() => {
    migration = create();
  });
  return { migration, codes };
}

/** Returns the codes of an input that is refused; empty for one that is accepted. */
function codesOf(act: () => void): readonly string[] {
  try {
    act();
    return [];
  } catch (error) {
    if (error instanceof InputError) return [...new Set(error.problems.map(({ code }) => code))].sort();
    throw error;
  }
}

function codesOfPlan({ findings }: ReturnType<typeof planMigration>): void {
  const errors = findings.filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new InputError(errors);
}

function readYaml(spec: MigrationSpec): void {
  const parsed = parseMigrationDocument(JSON.stringify(spec), { source: "migration.json" });
  if ("problems" in parsed) throw new InputError(parsed.problems);
  codesOfPlan(planMigration(parsed.spec));
}

/** Returns the props with the values of a spec, by the factories that a user calls. */
function propsOf({ certificates, dns, loadBalancer, ...rest }: MigrationSpec): ManagedCertMigrationProps {
  return {
    ...rest,
    certificates: Array.isArray(certificates) ? certificates.map(certificateOf) : (certificates as never),
    dns: publicationOf(dns),
    ...(loadBalancer === undefined ? {} : { loadBalancer: balancerOf(loadBalancer) }),
  };
}

function certificateOf(certificate: MigrationSpec["certificates"][number]): Certificate {
  if (!isFields(certificate)) return Certificate.fromSpec(certificate);
  const { kind, ...fields } = certificate as Readonly<Record<string, never>>;
  switch (kind as unknown) {
    case "managed":
      return Certificate.managed(fields as never);
    case "existing": {
      const { id, ...options } = fields;
      return Certificate.existing(id as never, options);
    }
    case "selfManaged": {
      const { privateKeyPem, privateKeyVariable, privateKeyStorage, ...options } = fields;
      const storage = defined({ storage: privateKeyStorage });
      const privateKey =
        "privateKeyPem" in fields
          ? PrivateKey.pem(privateKeyPem as never, storage)
          : PrivateKey.variable(privateKeyVariable as never, storage);
      return Certificate.selfManaged({ ...options, privateKey } as never);
    }
    case "privateCa": {
      const { caPool, existingIssuanceConfig, lifetime, rotationWindowPercentage, keyAlgorithm, ...options } = fields;
      const settings = defined({ lifetime, rotationWindowPercentage, keyAlgorithm });
      const issuer =
        "caPool" in fields
          ? CertificateIssuer.caPool(caPool as never, settings as never)
          : CertificateIssuer.issuanceConfig(existingIssuanceConfig as never);
      return Certificate.privateCa({ ...options, issuer } as never);
    }
    default:
      return Certificate.fromSpec(certificate);
  }
}

function publicationOf(dns: MigrationSpec["dns"]): DnsPublication {
  if (!isFields(dns) || dns.kind !== "cloudDns") return DnsPublication.fromSpec(dns);
  const { kind, ...options } = dns;
  return DnsPublication[kind](options);
}

function balancerOf(balancer: NonNullable<MigrationSpec["loadBalancer"]>): LoadBalancer {
  const factories = ["globalExternal", "regionalExternal", "regionalInternal", "crossRegionInternal"];
  if (!isFields(balancer) || !factories.includes(balancer.kind)) return LoadBalancer.fromSpec(balancer);
  const { kind, ...options } = balancer;
  return LoadBalancer[kind](options as never);
}

/** Expects the gates, the map, its entries and the addresses of records that a spec asks for. */
function expectValues(migration: ManagedCertMigration, spec: MigrationSpec): void {
  const { phase = "serve", gate = "wait", traffic, existingCertificateMap, loadBalancer } = spec;
  const { plan } = migration;
  expect([plan.phase, plan.gate, plan.traffic?.to]).toEqual([phase, gate, traffic?.to]);
  const isIssued = plan.certificates.some(({ kind }) => kind !== "selfManaged");
  expect(Object.keys(migration.gates).length > 0).toBe(gate === "wait" && isIssued);
  expect(migration.verification !== undefined).toBe(gate === "wait" && traffic?.to === "loadBalancer");
  const hasMap = (loadBalancer?.kind ?? "globalExternal") === "globalExternal";
  const isServed = phase === "serve" && hasMap;
  expect(migration.map !== undefined).toBe(isServed && existingCertificateMap === undefined);
  const hostnames = spec.certificates.flatMap((certificate) => certificate.hostnames ?? certificate.domains ?? []);
  if (isServed && hostnames.length > 0) expect(Object.keys(migration.entries).length).toBeGreaterThan(0);
  if (!isServed) expect(Object.keys(migration.entries).length).toBe(0);
  if (traffic?.to === "previous") expectPreviousAddresses(migration, traffic.previous);
}

function expectPreviousAddresses(migration: ManagedCertMigration, previous: object): void {
  const stack = migration.node.scope as Parameters<typeof synthesize>[0];
  const hosts = new Map(
    Object.entries(previous).map(([host, addresses]) => [`${host.toLowerCase()}.`, JSON.stringify(addresses)]),
  );
  // Ingress names have the addresses of the load balancer in both directions: only the CNAME of their host changes.
  for (const { name, type, rrdatas } of addressRecords(synthesize(stack))) {
    const known = type === "A" ? hosts.get(name) : undefined;
    if (known !== undefined) for (const address of rrdatas) expect(known).toContain(address);
  }
}

function addressRecords(
  stack: SynthesizedStack,
): readonly { readonly name: string; readonly type: string; readonly rrdatas: readonly string[] }[] {
  return Object.values(resourcesOf(stack, "google_dns_record_set")).map(({ name, type, rrdatas }) => ({
    name: String(name),
    type: String(type),
    rrdatas: rrdatas as readonly string[],
  }));
}

const anyValue = fc.oneof(
  fc.jsonValue({ maxDepth: 1 }),
  fc.constantFrom("", "Wait", "none", "issue", "previous", "loadBalancer", "${var.x}", '${file("x")}', "%{off}"),
);

/** Every place of a spec except its name, which is optional in props. */
function placesIn(value: unknown, at = ""): readonly string[] {
  if (typeof value !== "object" || value === null) return at === "/name" ? [] : [at];
  const inner = Object.entries(value).flatMap(([key, item]) => placesIn(item, `${at}/${key}`));
  return at === "" ? inner : [at, ...inner];
}
