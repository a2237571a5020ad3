/**
 * The examples of other DNS providers with the real bindings of npm, for cdktf: types and synthesis. Run by
 * `npm run test:dns-providers`. Of each package of bindings, only the folders that an example imports are unpacked: the
 * packages have up to 400 MB.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Fields, fieldsOf } from "../../lib/json/fields";
import { timed } from "./run";

const root = join(__dirname, "..", "..");

interface Provider {
  /** Folder of the example. */
  readonly name: string;
  /** Package of the bindings, without version, and the version. */
  readonly bindings: readonly [packageName: string, version: string];
  /** Resource types of the records, with their number. */
  readonly records: Readonly<Record<string, number>>;
  /** Ids with which the live records are imported. */
  readonly imports: readonly string[];
}

const azureZone =
  "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/dns/providers/Microsoft.Network/dnsZones/example.com";

const providers: readonly Provider[] = [
  {
    name: "dns-route53",
    bindings: ["@cdktf/provider-aws", "21.22.1"],
    records: { aws_route53_record: 6 },
    imports: [
      "Z0123456789ABCDEFGHIJ_example.com_A",
      "Z0123456789ABCDEFGHIJ_www.example.com_CNAME",
      "Z9876543210ABCDEFGHIJ_pay.example.net_A",
    ],
  },
  {
    name: "dns-cloudflare",
    bindings: ["@cdktf/provider-cloudflare", "13.9.1"],
    records: { cloudflare_dns_record: 4 },
    imports: [
      "0123456789abcdef0123456789abcdef/11111111111111111111111111111111",
      "0123456789abcdef0123456789abcdef/22222222222222222222222222222222",
    ],
  },
  {
    name: "dns-azure",
    bindings: ["@cdktf/provider-azurerm", "14.23.1"],
    records: { azurerm_dns_a_record: 2, azurerm_dns_cname_record: 2 },
    imports: [`${azureZone}/A/@`, `${azureZone}/CNAME/www`],
  },
];

/** Returns the imports of bindings in a program, as `provider-aws/lib/route53-record`. */
function importedFolders(text: string, packageName: string): readonly string[] {
  return [...text.matchAll(new RegExp(`"${packageName}/(lib/[^"]+)"`, "g"))].map(([, path = ""]) => path);
}

async function checkProvider(work: string, provider: Provider): Promise<void> {
  const { name } = provider;
  const folder = join(work, name);
  mkdirSync(folder, { recursive: true });
  const text = readFileSync(join(root, "examples", name, "stack.ts"), "utf8");
  writeFileSync(join(folder, "stack.ts"), text);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
  await unpack(folder, provider, text);
  const compiler = [process.execPath, "node_modules/typescript/bin/tsc", "-p", "tsconfig.json"];
  await timed(`${name}: types`, compiler, { folder });
  const env = { ...process.env, CDKTF_OUTDIR: join(folder, "out") };
  const tsx = join(root, "node_modules", ".bin", "tsx");
  await timed(`${name}: synthesis`, [tsx, "--tsconfig", "tsconfig.json", "stack.ts"], { folder, env });
  const file = join(folder, "out", "stacks", name, "cdk.tf.json");
  checkStack(JSON.parse(readFileSync(file, "utf8")), provider);
}

/** Writes the packages that the example imports, and the settings of the compiler. */
async function unpack(folder: string, { bindings }: Provider, text: string): Promise<void> {
  const [packageName, version] = bindings;
  const installed = join(folder, "node_modules");
  const target = join(installed, packageName);
  mkdirSync(target, { recursive: true });
  const pack = ["npm", "pack", "--silent", "--pack-destination", folder, `${packageName}@${version}`];
  const tarball = (await timed(`${packageName} from npm`, pack, { folder })).trim();
  const paths = ["package.json", ...importedFolders(text, packageName)].map((path) => `package/${path}`);
  const words = ["tar", "-xzf", tarball, "-C", target, "--strip-components=1", ...paths];
  await timed(`unpack ${packageName}`, words, { folder });
  for (const name of ["@cdktf/provider-google", "@types/node", "cdktf", "constructs", "typescript"]) {
    link(join(root, "node_modules", name), join(installed, name));
  }
  // The sources of this package belong to the program.
  const compilerOptions = {
    noEmit: true,
    declaration: false,

    rootDir: "/",
    types: ["node"],
  };
  const project = { extends: join(root, "tsconfig.json"), compilerOptions, include: ["stack.ts", join(root, "lib")] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ ...project, exclude: [] }));
}

function link(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path);
}

/** Checks the records of a stack: their number, their order before certificates, and their imports. */
function checkStack(stack: Fields, { name, records, imports }: Provider): void {
  const resources = fieldsOf(stack.resource);
  const count = (type: string) => Object.keys(fieldsOf(resources[type])).length;
  const found = Object.fromEntries(Object.keys(records).map((type) => [type, count(type)]));
  expectEqual(`${name}: records`, found, records);
  const ids = ((stack.import ?? []) as readonly { readonly id: string }[]).map(({ id }) => id).sort();
  expectEqual(`${name}: imports`, ids, [...imports].sort());
  for (const [id, certificate] of Object.entries(fieldsOf(resources.google_certificate_manager_certificate))) {
    const before = JSON.stringify(fieldsOf(certificate).depends_on ?? []);
    if (!Object.keys(records).some((type) => before.includes(`"${type}.`))) {
      throw new Error(`${name}: the certificate '${id}' depends on no record: ${before}`);
    }
  }
}

function expectEqual(what: string, found: unknown, expected: unknown): void {
  const [a, b] = [found, expected].map((value) => JSON.stringify(value));
  if (a !== b) throw new Error(`${what}: found ${a}, expected ${b}`);
}

async function main(): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), "dns-providers-"));
  let failed = 0;
  try {
    for (const provider of providers) {
      await checkProvider(work, provider).catch((error: Error) => {
        failed += 1;
        process.stdout.write(`${error.message}\n`);
      });
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  process.stdout.write(`${providers.length - failed} passed, ${failed} failed\n`);
  process.exitCode = failed === 0 ? 0 : 1;
}

main().catch((error: unknown) => {
  process.stderr.write(`${(error as Error).stack}\n`);
  process.exitCode = 1;
});
