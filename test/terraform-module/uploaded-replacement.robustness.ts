/**
 * The routine of docs/operations.md to replace an uploaded certificate, in a module: Terraform creates the new
 * certificate first, points the entry to it, and deletes the former one last.
 *
 * With `CERT_MIGRATION_PROVIDER_MIRROR`, also with each google provider in it, and with write-only keys from 7.45 on.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClosing } from "../../lib/rehearsal/closing";
import { compareVersions } from "../../lib/text/version";
import { compileGate, type GateProgram } from "../rehearsal/gate-command";
import { makeCertificate } from "../support/make-certificate";
import { openWorld, providers } from "../support/module-world";

jest.setTimeout(600_000);

let gate: GateProgram;
beforeAll(() => {
  gate = compileGate();
});
afterAll(() => rmSync(gate.folder, { recursive: true, force: true }));

const certificates = [
  makeCertificate(["api.example.net"], { notAfter: new Date("2040-01-01T00:00:00Z"), key: 0 }),
  makeCertificate(["api.example.net"], { notAfter: new Date("2041-01-01T00:00:00Z"), key: 1 }),
] as const;

type Storage = "state" | "writeOnly";

/** Specs of one uploaded certificate: how the certificate is given, and what changes with its successor. */
const forms: Readonly<Record<string, (index: 0 | 1, storage: Storage) => string>> = {
  "a file, and a variable for the key": (index, storage) => `    privateKeyStorage: ${storage}
    privateKeyVariable: key
    certificatePem: |
      ${certificates[index].certificatePem.trim().replace(/\n/g, "\n      ")}
`,
  // The name of the certificate depends on the text of the migration, in which only the generation changes.
  "references, with the next generation": (index, storage) => `    generation: ${index + 1}
    privateKeyStorage: ${storage}
    privateKeyPem: \${var.key}
    certificatePem: \${var.certificate}
`,
};

const specOf = (form: string, index: 0 | 1, storage: Storage) => `name: shop
certificates:
  - kind: selfManaged
    name: api
    domains: [api.example.net]
${forms[form]?.(index, storage) ?? ""}dns: { kind: cloudDns, zones: { example.net: example-net } }
`;

const cases = providers.flatMap((provider) =>
  Object.keys(forms).flatMap((form) => {
    const hasWriteOnly = provider !== "stand-in" && compareVersions(provider, "7.45.0") >= 0;
    const storages: readonly Storage[] = hasWriteOnly ? ["state", "writeOnly"] : ["state"];
    return storages.map((storage) => [provider, form, storage] as const);
  }),
);

test.each(cases)(
  "%s: a successor in %s with the storage %s is created first, and the former one is deleted last",
  async (provider, form, storage) => {
    const closing = createClosing();
    let current: 0 | 1 = 0;
    try {
      const world = await openWorld(provider, {
        closing,
        gateCommand: gate.command,
        values: () => ({
          key: certificates[current].privateKeyPem,
          certificate: certificates[current].certificatePem,
        }),
      });
      const noted = await world.synthesize(specOf(form, current, storage));
      if (form.startsWith("a file"))
        expect(noted).toMatch(/certificate 'api' is uploaded and ends on 2040-01-01; .* \[uploaded-replacement\]/);
      rmSync(world.path("imports.tf.json"));
      await world.terraform("init");
      await world.terraform("apply -auto-approve");
      world.changes();
      current = 1;
      await world.synthesize(specOf(form, current, storage));
      rmSync(world.path("imports.tf.json"));
      expect(await world.terraform("apply -auto-approve")).toContain("2 added, 1 changed, 2 destroyed.");
      const of = "certificatemanager.projects.locations";
      const steps = world.changes().filter((method) => /\.(?:create|delete)$|Entries\.patch$/.test(method));
      expect(steps).toEqual([
        `${of}.certificates.create`,
        `${of}.certificateMaps.certificateMapEntries.patch`,
        `${of}.certificates.delete`,
      ]);
      expect(await world.terraform("plan")).toContain("No changes.");
      expect(await world.certificatePems()).toEqual([certificates[1].certificatePem.replace(/\r/g, "").trim()]);
    } finally {
      await closing.close();
    }
  },
);

test.each(cases.filter(([, form]) => form.startsWith("references")))(
  "%s: %s left out, with the storage %s: the certificate changes in place from 7.41 on, and stays before",
  async (provider, form, storage) => {
    const closing = createClosing();
    let current: 0 | 1 = 0;
    try {
      const world = await openWorld(provider, {
        closing,
        gateCommand: gate.command,
        values: () => ({
          key: certificates[current].privateKeyPem,
          certificate: certificates[current].certificatePem,
        }),
      });
      await world.synthesize(specOf(form, 0, storage));
      rmSync(world.path("imports.tf.json"));
      await world.terraform("init");
      await world.terraform("apply -auto-approve");
      current = 1;
      await world.synthesize(specOf(form, 0, storage));
      rmSync(world.path("imports.tf.json"));
      if (provider !== "stand-in" && compareVersions(provider, "7.41.0") >= 0) {
        expect(await world.terraform("apply -auto-approve")).toContain("0 added, 1 changed, 0 destroyed.");
        expect(await world.terraform("plan")).toContain("No changes.");
      } else {
        await expect(world.terraform("apply -auto-approve")).rejects.toThrow(
          /already exists|ALREADY_EXISTS|alreadyExists/,
        );
        current = 0;
      }
      expect(await world.certificatePems()).toEqual([certificates[current].certificatePem.replace(/\r/g, "").trim()]);
    } finally {
      await closing.close();
    }
  },
);

test("the hook for certbot of the examples deploys a renewed certificate, and leaves no plan with its key", async () => {
  const closing = createClosing();
  try {
    const world = await openWorld("stand-in", {
      closing,
      gateCommand: gate.command,
      values: () => ({ api_key: certificates[0].privateKeyPem }),
    });
    const spec = `name: shop
certificates:
  - kind: selfManaged
    name: api
    domains: [api.example.net]
    privateKeyStorage: state
    privateKeyVariable: api_key
    certificatePem: "file:api.pem"
dns: { kind: cloudDns, zones: { example.net: example-net } }
`;
    writeFileSync(world.path("api.pem"), certificates[0].certificatePem);
    await world.synthesize(spec);
    rmSync(world.path("imports.tf.json"));
    await world.terraform("init");
    await world.terraform("apply -auto-approve");
    const lineage = world.path("live/api.example.net");
    mkdirSync(lineage, { recursive: true });
    writeFileSync(join(lineage, "fullchain.pem"), certificates[1].certificatePem);
    writeFileSync(join(lineage, "privkey.pem"), certificates[1].privateKeyPem);
    const hook = join(__dirname, "..", "..", "examples", "pipelines", "certbot-deploy-hook.sh");
    const said = await world.shell(`sh ${hook}`, { CONFIGURATION: world.folder, RENEWED_LINEAGE: lineage });
    expect(said).toContain("Resources: 2 added, 1 changed, 2 destroyed.");
    expect(await world.certificatePems()).toEqual([certificates[1].certificatePem.replace(/\r/g, "").trim()]);
    expect(await world.shell("ls")).not.toMatch(/tfplan/);
  } finally {
    await closing.close();
  }
});
