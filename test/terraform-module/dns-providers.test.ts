import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkPlan, readTerraformPlan } from "../../lib/check-plan";
import { startTerraformProvider, type TerraformProvider } from "../../lib/terraform-provider";
import { startTestCloud } from "../support/cloud";
import { type DnsProvider, startDnsProvider } from "../support/dns-provider";
import { runCli } from "../support/io";
import { openTerraform, type TerraformDirectory } from "../support/terraform";

jest.setTimeout(120_000);

const examples = join(__dirname, "..", "..", "examples");
const names = ["dns-route53", "dns-cloudflare", "dns-azure"] as const;

let google: TerraformProvider;
let dns: DnsProvider;
beforeAll(async () => {
  // The plans of these tests are never applied, so the stand-in needs no cloud.
  google = await startTerraformProvider({ cloudUrl: "http://127.0.0.1:1/", isSurvey: true });
  dns = await startDnsProvider();
});
afterAll(async () => {
  await google.close();
  await dns[Symbol.asyncDispose]();
});

function open(provider: Pick<TerraformProvider, "reattachConfig"> = google): Promise<TerraformDirectory> {
  const attached = { ...JSON.parse(provider.reattachConfig), ...JSON.parse(dns.reattachConfig) };
  return openTerraform({ reattachConfig: JSON.stringify(attached) });
}

/** Copies an example, with a change of its migration, and writes its module. */
async function copyExample(terraform: TerraformDirectory, name: string, change: (text: string) => string) {
  cpSync(join(examples, name, "main.tf"), join(terraform.path, "main.tf"));
  const spec = join(terraform.path, "migration.yaml");
  writeFileSync(spec, change(readFileSync(join(examples, name, "migration.yaml"), "utf8")));
  const words = ["synth", "--spec", spec, "--out", join(terraform.path, "certificates")];
  expect(await runCli(words)).toMatchObject({ exitCode: 0 });
}

interface PlannedChange {
  readonly address: string;
  readonly change: { readonly actions: readonly string[]; readonly importing?: { readonly id: string } };
}

async function plan(terraform: TerraformDirectory) {
  await terraform.succeed("init", "-input=false", "-no-color");
  await terraform.succeed("validate", "-no-color");
  await terraform.succeed("plan", "-out=tfplan", "-input=false", "-no-color");
  const text = await terraform.succeed("show", "-json", "tfplan");
  const { resource_changes: changes } = JSON.parse(text) as { readonly resource_changes: readonly PlannedChange[] };
  return { changes, judged: readTerraformPlan(text, "plan") };
}

const unchanged = (text: string) => text;
const moved = (text: string) => text.replace("to: previous", "to: loadBalancer");

test.each(names)("the module of %s is what 'synth' writes", async (name) => {
  const [spec, out] = ["migration.yaml", "certificates"].map((part) => join(examples, name, part)) as [string, string];
  expect(await runCli(["synth", "--spec", spec, "--out", out, "--check"])).toEqual({
    exitCode: 0,
    stdout: "",
    stderr: "",
  });
});

test.each([
  [
    "dns-route53",
    [
      "Z0123456789ABCDEFGHIJ_example.com_A",
      "Z0123456789ABCDEFGHIJ_www.example.com_CNAME",
      "Z9876543210ABCDEFGHIJ_pay.example.net_A",
    ],
    6,
  ],
  [
    "dns-cloudflare",
    [
      "0123456789abcdef0123456789abcdef/11111111111111111111111111111111",
      "0123456789abcdef0123456789abcdef/22222222222222222222222222222222",
    ],
    4,
  ],
  [
    "dns-azure",
    [
      "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/dns/providers/Microsoft.Network/dnsZones/example.com/A/@",
      "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/dns/providers/Microsoft.Network/dnsZones/example.com/CNAME/www",
    ],
    4,
  ],
])("%s plans all records in the first plan, and imports the live ones", async (name, imported, count) => {
  await using terraform = await open();
  await copyExample(terraform, name, unchanged);
  const { changes } = await plan(terraform);
  const records = changes.filter(({ address }) => !address.startsWith("module."));
  expect(records).toHaveLength(count);
  expect(records.flatMap(({ change }) => change.importing?.id ?? []).sort()).toEqual(imported);
});

test.each(names)(
  "%s makes certificates, and so their gates, wait for the records of their authorizations",
  async (name) => {
    await using terraform = await open();
    await copyExample(terraform, name, unchanged);
    const { judged } = await plan(terraform);
    const certificate = judged.changes.find(({ address }) => address.includes("_certificate_manager_certificate."));
    const { targets } = judged.configuration.dependencies(certificate?.address ?? "");
    expect(targets.map(({ bare }) => bare)).toContainEqual(
      expect.stringMatching(/^(?:aws|cloudflare|azurerm)_\w+\.authorization$/),
    );
  },
);

test.each(names)("%s moves traffic without a cycle, and only after the verification", async (name) => {
  await using terraform = await open();
  await copyExample(terraform, name, moved);
  const { judged, changes } = await plan(terraform);
  expect(changes.map(({ address }) => address)).toContainEqual(
    expect.stringMatching(/^module\.certificates\.terraform_data\.migration_verification_/),
  );
  const records = judged.changes.filter(({ address }) => /\.(?:address|alias)\[/.test(address));
  expect(records.length).toBeGreaterThan(1);
  const { dangers } = checkPlan(judged);
  expect(dangers.filter(({ code }) => code === "traffic-before-verification")).toEqual([]);
});

test("one apply issues certificates; changed records run no gate again, and traffic moves and returns in place", async () => {
  await using cloud = await startTestCloud({ speed: 20, behavior: { propagationMs: 0 } });
  const provider = await startTerraformProvider({ cloudUrl: cloud.endpoints.http });
  try {
    await using terraform = await open(provider);
    const log = join(terraform.path, "gates.log");
    const gateRuns = () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : []);
    const balancer = /loadBalancer:\n {2}kind: globalExternal\n.*\n/;
    const inCloud = (text: string) =>
      text
        .replace(balancer, "loadBalancer: { kind: globalExternal, addresses: { ipv4: [203.0.113.7] } }\n")
        .concat(`gateCommand: sh -c 'echo "$1" >> ${log}' --\n`);
    const apply = async (change: (text: string) => string) => {
      await copyExample(terraform, "dns-azure", (text) => inCloud(change(text)));
      const main = join(terraform.path, "main.tf");
      // Records that exist are created here, because this provider has none to import.
      writeFileSync(main, readFileSync(main, "utf8").replace(/^import \{\n[\s\S]*?^\}\n/gm, ""));
      return async (edit: (text: string) => string = (text) => text) => {
        writeFileSync(main, edit(readFileSync(main, "utf8")));
        dns.changes.length = 0;
        await terraform.succeed("init", "-input=false", "-no-color");
        await terraform.succeed("apply", "-auto-approve", "-input=false", "-no-color");
        return [...dns.changes].sort();
      };
    };
    const first = await apply(unchanged);
    expect((await first()).map((change) => change.replace(/ [\w-]+\.\w+\.authorize\..*$/, ""))).toEqual([
      "create @ 198.51.100.1",
      "create _acme-challenge",
      "create cert-migration-ingress 203.0.113.7",
      "create www old-cdn.example.org",
    ]);
    expect(gateRuns()).toEqual(["wait", "wait"]);

    const changed = await first((text) => text.replace(/(authorization[\s\S]*?)= each\.value\.ttl/, "$1= 120"));
    expect(changed).toEqual([expect.stringMatching(/^update _acme-challenge /)]);
    expect(gateRuns()).toEqual(["wait", "wait"]);

    const there = ["update @ 203.0.113.7", "update www cert-migration-ingress.example.com"];
    expect((await (await apply(moved))()).filter((change) => !change.includes("_acme"))).toEqual(there);
    expect(gateRuns()).toEqual(["wait", "wait", "verify"]);

    const back = ["update @ 198.51.100.1", "update www old-cdn.example.org"];
    expect(await (await apply(unchanged))()).toEqual(back);
    expect(gateRuns()).toEqual(["wait", "wait", "verify"]);
  } finally {
    await provider.close();
  }
});
