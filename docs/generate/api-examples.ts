import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(__dirname, "..", "..");

interface ApiExample {
  /** As in `LoadBalancer.globalExternal`. */
  readonly name: string;
  readonly code: string;
}

/** Returns the `@example` blocks in the doc comments of a source file, with the declarations that they belong to. */
export function examplesIn(source: string): readonly ApiExample[] {
  let owner = "";
  const declarations =
    /^export class (\w+)|^\/\*\*((?:(?!\*\/)[\s\S])*?)\*\/\nexport (?:class|function) (\w+)|^ {2}\/\*\*((?:(?!\*\/)[\s\S])*?)\*\/\n {2}static (\w+)\(/gm;
  return [...source.matchAll(declarations)].flatMap(([, bare, comment, name, ofFactory, factory]) => {
    owner = bare ?? name ?? owner;
    const text = (comment ?? ofFactory ?? "").replace(/^\s*\* ?/gm, "");
    const code = /@example\s+```ts\n([\s\S]*?)\n```/.exec(text)?.[1];
    if (code === undefined) return [];
    return [{ name: factory === undefined ? owner : `${owner}.${factory}`, code }];
  });
}

/** Returns the examples of the constructs, their factories and the functions of the plan. */
function readExamples(): readonly ApiExample[] {
  return ["lib/constructs", "lib/plan"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .sort()
      .flatMap((name) => examplesIn(readFileSync(join(root, folder, name), "utf8"))),
  );
}

/** Modules of the names that examples use. */
const modules: Readonly<Record<string, readonly string[]>> = {
  "@cdktf/provider-google/lib/compute-region-target-https-proxy": ["ComputeRegionTargetHttpsProxy"],
  "@cdktf/provider-google/lib/dns-record-set": ["DnsRecordSet"],
  "cdktf-google-cert-migration": [
    "AdminChangeAlerts",
    "CertificateAlerts",
    "Certificate",
    "CertificateIssuer",
    "CommandGate",
    "CertificateMap",
    "DnsAuthorization",
    "DnsPublication",
    "LoadBalancer",
    "ManagedCertMigration",
    "type MigrationSpec",
    "PrivateKey",
    "WildcardCertWithAuth",
  ],
  "cdktf-google-cert-migration/plan": ["formatProblems", "parseMigrationDocument", "planMigration", "splitMigration"],
};

/** Returns a TypeScript module with a function for each `@example`, so that the compiler checks all of them. */
export function apiExamplesFile(): string {
  const examples = readExamples();
  const code = examples.map(({ code }) => code).join("\n");
  const imports = Object.entries(modules).flatMap(([path, names]) => {
    const used = names.filter((name) => new RegExp(`\\b${name.replace("type ", "")}\\b`).test(code));
    return used.length === 0 ? [] : [`import { ${used.join(", ")} } from "${path}";`];
  });
  return [
    "// Written by `npm run docs` from the @example blocks in lib/constructs and lib/plan: change them there.",
    ...imports,
    'import type { TerraformStack } from "cdktf";',
    "",
    "export const examples: Readonly<Record<string, (stack: TerraformStack) => void>> = {",
    ...examples.flatMap(({ name, code: body }) => [
      `  ${JSON.stringify(name)}: (${/\bstack\b/.test(body) ? "stack" : ""}) => {`,
      ...body.split("\n").map((line) => (line === "" ? "" : `    ${line}`)),
      "  },",
    ]),
    "};",
    "",
  ].join("\n");
}
