/** With `exactOptionalPropertyTypes`, users pass `undefined` for optional properties, as the declarations allow. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TerraformStack } from "cdktf";
import { readDeclarations, specText } from "../../docs/generate/migration-schema";
import {
  AdminChangeAlerts,
  Certificate,
  CertificateIssuer,
  CommandGate,
  DnsPublication,
  LoadBalancer,
  PrivateKey,
  WildcardCertWithAuth,
} from "../../lib";
import { migrate } from "../support/migrate";
import { newStack, synthesize } from "../support/synth";

const files = [
  "migration-props",
  "wildcard-cert-with-auth",
  "certificate",
  "load-balancer",
  "dns-publication",
  "gate-props",
  "admin-change-alerts/props",
].map((name) => readFileSync(join(__dirname, "../../lib/constructs", `${name}.ts`), "utf8"));
const declarations = readDeclarations([specText(), ...files].join("\n"));

/** Returns the names of the optional properties of an interface, and of the interfaces that it extends. */
function optionalIn(name: string): readonly string[] {
  const declaration = declarations.get(name);
  if (declaration === undefined) throw new Error(`${name} is not an interface of these files`);
  const own = declaration.members.filter(({ isOptional }) => isOptional).map((member) => member.name);
  return [...own, ...declaration.bases.flatMap(optionalIn)];
}

/** Adds every optional property of an interface to props that lack it, as undefined. */
type Complete = <Props extends object>(type: string, props: Props) => Props;

const complete: Complete = (type, props) => {
  const names = optionalIn(type);
  expect(names).not.toEqual([]);
  return { ...Object.fromEntries(names.map((name) => [name, undefined])), ...props };
};
const unchanged: Complete = (_, props) => props;

const domains = ["shop.example.com"];
const regional = { region: "europe-west1" };

const cases: readonly [string, (stack: TerraformStack, props: Complete) => unknown][] = [
  ["a migration", (stack, props) => migrate(stack, props("ManagedCertMigrationProps", {}))],
  [
    "a wildcard certificate",
    (stack, props) => {
      const dns = DnsPublication.external();
      new WildcardCertWithAuth(stack, "wild", props("WildcardCertWithAuthProps", { domain: "example.com", dns }));
    },
  ],
  [
    "Cloud DNS and a zone",
    (stack, props) => {
      const zones = { "example.com": props("CloudDnsZone", { name: "example-com" }) };
      migrate(stack, { dns: DnsPublication.cloudDns(props("CloudDnsOptions", { zones })) });
    },
  ],
  [
    "a managed certificate",
    (stack, props) =>
      migrate(stack, { certificates: [Certificate.managed(props("IssuedCertificateOptions", { domains }))] }),
  ],
  [
    "a certificate of a private CA",
    (stack, props) => {
      const issuer = CertificateIssuer.issuanceConfig(
        "projects/my-project/locations/global/certificateIssuanceConfigs/private",
      );
      migrate(stack, {
        certificates: [Certificate.privateCa(props("PrivateCaCertificateOptions", { domains, issuer }))],
      });
    },
  ],
  [
    "an uploaded certificate",
    (stack, props) => {
      const options = { certificatePem: "${var.pem}", domains, privateKey: PrivateKey.variable("key") };
      migrate(stack, { certificates: [Certificate.selfManaged(props("SelfManagedCertificateOptions", options))] });
    },
  ],
  [
    "an existing certificate",
    (stack, props) => {
      const id = "projects/my-project/locations/global/certificates/known";
      migrate(stack, { certificates: [Certificate.existing(id, props("ExistingCertificateOptions", { domains }))] });
    },
  ],
  [
    "a global load balancer, its proxy and forwarding rules",
    (stack, props) => {
      const forwardingRules = props("ForwardingRulesSpec", { ipv4Address: "203.0.113.7" });
      const newTargetHttpsProxy = props("NewTargetHttpsProxySpec", { urlMap: "web", forwardingRules });
      migrate(stack, {
        loadBalancer: LoadBalancer.globalExternal(props("GlobalExternalOptions", { newTargetHttpsProxy })),
      });
    },
  ],
  [
    "a regional load balancer",
    (stack, props) =>
      migrate(stack, { loadBalancer: LoadBalancer.regionalExternal(props("RegionalOptions", regional)) }),
  ],
  [
    "an internal load balancer",
    (stack, props) =>
      migrate(stack, { loadBalancer: LoadBalancer.crossRegionInternal(props("CrossRegionInternalOptions", {})) }),
  ],
  [
    "traffic",
    (stack, props) => {
      const previous = { "example.com": props("PreviousAddresses", { a: ["192.0.2.1"] }) };
      const traffic = props("TrafficSpec", { to: "previous", hostnames: ["example.com"], previous } as const);
      const newTargetHttpsProxy = { urlMap: "web", forwardingRules: { ipv4Address: "203.0.113.7" } };
      migrate(stack, { traffic, loadBalancer: LoadBalancer.globalExternal({ newTargetHttpsProxy }) });
    },
  ],
  [
    "a gate",
    (stack, props) =>
      new CommandGate(stack, "gate", props("CommandGateProps", { command: "true", triggers: [] as string[] })),
  ],
  [
    "alerts",
    (stack, props) => {
      const given = { organizationId: "123456789012", project: "my-project" };
      new AdminChangeAlerts(stack, "alerts", props("AdminChangeAlertsProps", given));
    },
  ],
];

test.each(cases)("undefined properties of %s mean absent ones", (_, create) => {
  const [absent, undefinedOnes] = [unchanged, complete].map((props) => {
    const stack = newStack();
    create(stack, props);
    return synthesize(stack);
  });
  expect(undefinedOnes).toEqual(absent);
});
