/**
 * Terraform's state is lost after an apply: `--import-all` takes over what exists, and changes nothing at Google.
 *
 * With `CERT_MIGRATION_PROVIDER_MIRROR`, a filesystem mirror of Terraform, also with each google provider in it.
 */
import { rmSync } from "node:fs";
import { type Closing, createClosing } from "../../lib/rehearsal/closing";
import { compileGate, type GateProgram } from "../rehearsal/gate-command";
import { makeCertificate } from "../support/make-certificate";
import { openWorld, project, providers, type World } from "../support/module-world";

jest.setTimeout(600_000);

let gate: GateProgram;
beforeAll(() => {
  gate = compileGate();
});
afterAll(() => rmSync(gate.folder, { recursive: true, force: true }));

const certificate = makeCertificate(["api.example.net"]);
const indented = (text: string) => text.trim().replace(/\n/g, "\n      ");
const dns = "dns: { kind: cloudDns, zones: { example.com: example-com, example.net: example-net } }\n";
const managed = `certificates:
  - domains: [example.com, "*.example.com"]
  - { name: pay, domains: [pay.example.net] }
`;
const uploaded = (generation: string) => `  - kind: selfManaged
    name: api
    domains: [api.example.net]${generation}
    privateKeyStorage: state
    privateKeyPem: \${var.key}
    certificatePem: |
      ${indented(certificate.certificatePem)}
`;

const specs: Readonly<Record<string, string>> = {
  "a map without a proxy": `name: shop\nlabels: { team: web }\n${managed}${dns}`,
  "a project that a variable names": `name: shop\nproject: \${var.project}\n${managed}${dns}`,
  "a proxy with forwarding rules and address records": `name: shop
${managed}${dns}loadBalancer:
  kind: globalExternal
  newTargetHttpsProxy: { urlMap: projects/${project}/global/urlMaps/web, forwardingRules: { ipv4Address: 203.0.113.7 } }
traffic:
  to: previous
  previous:
    example.com: { a: [198.51.100.1] }
    www.example.com: { a: [198.51.100.1] }
    pay.example.net: { a: [198.51.100.1] }
`,
  "records with a name of the service, which the provider overwrites": `name: shop
authorizationType: PER_PROJECT_RECORD
${managed}${dns}`,
};

/** Applies, loses the state, and returns the world without it. */
async function loseState(provider: string, spec: string, closing: Closing): Promise<World> {
  const world = await openWorld(provider, {
    closing,
    gateCommand: gate.command,
    values: () => ({ key: certificate.privateKeyPem }),
  });
  await world.synthesize(spec);
  // Nothing exists before the first apply, so it imports nothing.
  rmSync(world.path("imports.tf.json"));
  await world.terraform("init");
  await world.terraform("apply -auto-approve");
  expect(await world.terraform("plan")).toContain("No changes.");
  rmSync(world.path("terraform.tfstate"));
  return world;
}

test.each(
  providers.flatMap((provider) => Object.entries(specs).map(([what, spec]) => [provider, what, spec] as const)),
)(
  "%s: after a lost state of %s, an apply imports all, changes nothing at Google, and the next plan is empty",
  async (provider, _, spec) => {
    const closing = createClosing();
    try {
      const world = await loseState(provider, spec, closing);
      expect(await world.synthesize(spec, "--import-all")).not.toContain("import-left-out");
      await world.terraform("init");
      world.changes();
      const applied = await world.terraform("apply -auto-approve");
      expect(applied).toMatch(/Apply complete! Resources: [1-9]\d* imported, \d+ added, \d+ changed, 0 destroyed\./);
      // Terraform adds its own label again, with the values that the resources have; records are written as they are.
      const writesSame = /\.(?:setLabels|patch|changes\.create)$/;
      expect(world.changes().filter((method) => !writesSame.test(method))).toEqual([]);
      expect(await world.terraform("plan")).toContain("No changes.");
      rmSync(world.path("imports.tf.json"));
      expect(await world.terraform("plan")).toContain("No changes.");
    } finally {
      await closing.close();
    }
  },
);

test.each(providers)(
  "%s: an uploaded certificate is left out, and its next generation takes the place of the former one",
  async (provider) => {
    const closing = createClosing();
    try {
      const spec = (generation: string) => `name: shop\n${managed}${uploaded(generation)}${dns}`;
      const world = await loseState(provider, spec(""), closing);
      const noted = await world.synthesize(spec("\n    generation: 2"), "--import-all");
      expect(noted).toMatch(/migration_certificate-api_\w+ can't be imported: .* \[import-left-out\]/);
      await world.terraform("init");
      world.changes();
      const applied = await world.terraform("apply -auto-approve");
      expect(applied).toContain(", 0 destroyed.");
      const place = "certificatemanager.projects.locations";
      const made = world.changes().filter((method) => !method.endsWith(".setLabels"));
      expect([...new Set(made)].filter((method) => !method.endsWith(".patch"))).toEqual([
        `${place}.certificates.create`,
      ]);
      expect(made).toContain(`${place}.certificateMaps.certificateMapEntries.patch`);
      expect(await world.terraform("plan")).toContain("No changes.");
    } finally {
      await closing.close();
    }
  },
);
