/**
 * Terraform's state is lost after an apply: `--import-all` takes over what exists, and changes nothing at Google.
 *
 * With `CERT_MIGRATION_PROVIDER_MIRROR`, a filesystem mirror of Terraform, also with each google provider in it.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Cloud, startCloud } from "../../lib/cloud";
import { createHttpClient } from "../../lib/http";
import { type Closing, createClosing } from "../../lib/rehearsal/closing";
import { connectRealProvider, realOperationTimes } from "../../lib/rehearsal/real-provider";
import { inheritedEnvironment } from "../../lib/rehearsal/terraform";
import { makeWorld } from "../../lib/rehearsal/world";
import { startTerraformProvider } from "../../lib/terraform-provider";
import { compileGate, type GateProgram } from "../rehearsal/gate-command";
import { installationSettings, versionsIn } from "../rehearsal/provider-mirror";
import { runCli } from "../support/io";
import { makeCertificate } from "../support/make-certificate";
import { runLine } from "../support/terraform-page";

jest.setTimeout(600_000);

const project = "shop-project";
let gate: GateProgram;
beforeAll(() => {
  gate = compileGate();
});
afterAll(() => rmSync(gate.folder, { recursive: true, force: true }));

/** The stand-in, and each version of the real provider that can be had. */
const mirror = process.env.CERT_MIGRATION_PROVIDER_MIRROR ?? "";
const providers = ["stand-in", ...(mirror === "" ? [] : versionsIn(mirror))];

interface World {
  readonly cloud: Cloud;
  readonly folder: string;
  readonly path: (name: string) => string;
  /** Runs Terraform, and fails if it fails. */
  readonly terraform: (line: string) => Promise<string>;
  /** Writes the module with the blocks of the root module. @returns what `synth` printed to stderr */
  readonly synthesize: (spec: string, ...more: readonly string[]) => Promise<string>;
  /** Returns the methods that changed something at Google since the last call. */
  readonly changes: () => readonly string[];
}

async function openWorld(provider: string, closing: Closing): Promise<World> {
  const isReal = provider !== "stand-in";
  let hasBegun = false;
  const operationMs = realOperationTimes(() => hasBegun, 60);
  const cloud = await startCloud({ speed: 60, propagationMs: 0, https: isReal, ...(isReal ? { operationMs } : {}) });
  closing.add(() => cloud.stop());
  const folder = mkdtempSync(join(tmpdir(), "lost-state-"));
  closing.add(() => rmSync(folder, { recursive: true, force: true }));
  const path = (name: string) => join(folder, name);
  const zones = ["example.com", "example.net"].map((domain) => ({
    project,
    name: domain.replace(".", "-"),
    dnsName: `${domain}.`,
  }));
  const world = { zones, records: [], urlMaps: [{ project, name: "web" }], services: [], policies: [] };
  await makeWorld(world, { cloudUrl: cloud.endpoints.http, http: createHttpClient() });
  hasBegun = true;
  const program = path("node_modules/.bin/cert-migration");
  mkdirSync(join(program, ".."), { recursive: true });
  writeFileSync(program, `#!/bin/sh\nexec ${gate.command} "$@"\n`);
  chmodSync(program, 0o755);
  const settings = path("settings.tfrc");
  writeFileSync(settings, isReal ? installationSettings(mirror) : "");
  const connection = isReal ? await connectRealProvider(cloud, { folder, say: () => {}, closing }) : undefined;
  const standIn = isReal ? undefined : await startTerraformProvider({ cloudUrl: cloud.endpoints.http });
  closing.add(() => standIn?.close());
  const env = {
    ...inheritedEnvironment(process.env),
    CHECKPOINT_DISABLE: "1",
    TF_CLI_CONFIG_FILE: settings,
    TF_INPUT: "0",
    ...connection?.environment,
    ...(standIn === undefined ? {} : { TF_REATTACH_PROVIDERS: standIn.reattachConfig }),
    CERT_MIGRATION_ENDPOINT: cloud.endpoints.http,
    CERT_MIGRATION_REHEARSAL: cloud.endpoints.control,
    npm_config_offline: "true",
  };
  let seen = 0;
  return {
    cloud,
    folder,
    path,
    terraform: async (line) => {
      const { exitCode, output } = await runLine(`terraform ${line} -no-color`, folder, env);
      if (exitCode !== 0) throw new Error(`terraform ${line} ended with ${exitCode}\n${output}`);
      return output;
    },
    synthesize: async (spec, ...more) => {
      writeFileSync(path("migration.yaml"), spec);
      const words = ["synth", "--spec", path("migration.yaml"), "--out", path("certificates")];
      const { exitCode, stderr } = await runCli([...words, "--root-blocks", path("imports.tf.json"), ...more]);
      if (exitCode !== 0) throw new Error(stderr);
      const version = isReal ? { version: provider } : {};
      const root = {
        terraform: { required_providers: { google: { source: "hashicorp/google", ...version } } },
        provider: { google: { project, ...connection?.providerArguments } },
        variable: { project: { default: project }, key: { default: certificate.privateKeyPem } },
        module: {
          certificates: {
            source: "./certificates",
            ...(spec.includes("{var.project}") ? { project: "${var.project}" } : {}),
            ...(spec.includes("{var.key}") ? { key: "${var.key}" } : {}),
          },
        },
      };
      writeFileSync(path("main.tf.json"), JSON.stringify(root));
      return stderr;
    },
    changes: () => {
      const all = cloud.requests().map(({ method }) => method ?? "unknown");
      const made = all.slice(seen).filter((method) => !/\.(?:get|list|wait)$/.test(method));
      seen = all.length;
      return made;
    },
  };
}

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
  const world = await openWorld(provider, closing);
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
