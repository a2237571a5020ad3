import fs, { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SynthesizedStack } from "./support/synth";
import { mistakesOf } from "./support/terraform-check";

const examples = join(__dirname, "..", "examples");
const names = readdirSync(examples).filter((name) => existsSync(join(examples, name, "main.ts")));

const migrationSchema = JSON.parse(
  readFileSync(join(__dirname, "..", "lib", "plan", "migration.schema.json"), "utf8"),
) as { readonly properties: object };

/** Returns the YAML blocks of a page that name no file, without the blocks that `npm run docs` writes. */
function unnamedYaml(text: string): readonly string[] {
  const written = text.replace(/<!-- (\w+): written by[\s\S]*?<!-- \/\1 -->/g, "");
  return [...written.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, block = ""]) => block);
}

/** Reports whether a block is a part of `migration.yaml`, which `test/docs/migration-blocks.test.ts` checks. */
function isPartOfMigration(block: string): boolean {
  const [first = ""] = /^\w+(?=:)/m.exec(block) ?? [];
  return first in migrationSchema.properties;
}

/** Runs an example as its user would and reads the stacks that it leaves. */
function synthesizeExample(name: string, env: Readonly<Record<string, string>> = {}): readonly SynthesizedStack[] {
  return runExample(name, env, (outdir) =>
    readdirSync(join(outdir, "stacks")).map(
      (stack) => JSON.parse(readFileSync(join(outdir, "stacks", stack, "cdk.tf.json"), "utf8")) as SynthesizedStack,
    ),
  );
}

interface Manifest {
  readonly stacks: Readonly<Record<string, { readonly annotations: readonly { readonly message: string }[] }>>;
}

/**
 * Runs an example as its user would and returns the annotations of its stacks, which the command line of the kit
 * prints.
 */
function annotationsOf(name: string): readonly string[] {
  return runExample(name, { CI: "true" }, (outdir) => {
    const { stacks } = JSON.parse(readFileSync(join(outdir, "manifest.json"), "utf8")) as Manifest;
    return Object.values(stacks).flatMap(({ annotations }) => annotations.map(({ message }) => message));
  });
}

function runExample<Result>(
  name: string,
  env: Readonly<Record<string, string>>,
  read: (outdir: string) => Result,
): Result {
  const outdir = mkdtempSync(join(tmpdir(), "example-"));
  const before = { env: { ...process.env }, argv: process.argv };
  const print = jest.spyOn(process.stdout, "write").mockReturnValue(true);
  try {
    Object.assign(process.env, env, { CDKTF_OUTDIR: outdir });
    process.argv = before.argv.slice(0, 2);
    jest.isolateModules(() => {
      require(join(examples, name, "main.ts"));
    });
    return read(outdir);
  } finally {
    print.mockRestore();
    process.env = before.env;
    process.argv = before.argv;
    rmSync(outdir, { recursive: true, force: true });
  }
}

// The example of CDK Terrain runs with cdktn, in test/constructs/example.cdktn.test.ts.
test.each(names.filter((name) => name !== "cdk-terrain"))("synthesizes %s to valid Terraform", (name) => {
  // As on a runner, where an example writes nothing beside its code.
  const stacks = synthesizeExample(name, { CI: "true" });
  const withCertificates = stacks.filter(({ resource }) => resource?.google_certificate_manager_certificate);
  expect(stacks.map(mistakesOf)).toEqual(stacks.map(() => []));
  // Only this example has stacks without certificates: for network and load balancer of two environments.
  expect(stacks.length - withCertificates.length).toBe(name === "three-stacks" ? 4 : 0);
});

test.each(["one-hostname", "from-spec"])("%s, which the README shows, causes no warning", (name) => {
  expect(annotationsOf(name)).toEqual([]);
});

test("two-phases creates the same certificates in both phases, and entries only in the second", () => {
  const [issue] = synthesizeExample("two-phases", { PHASE: "issue" });
  const [serve] = synthesizeExample("two-phases", { PHASE: "serve" });
  expect(serve?.resource?.google_certificate_manager_certificate).toEqual(
    issue?.resource?.google_certificate_manager_certificate,
  );
  expect(issue?.resource?.google_certificate_manager_certificate_map_entry).toBeUndefined();
  expect(Object.keys(serve?.resource?.google_certificate_manager_certificate_map_entry ?? {})).toHaveLength(2);
});

test.each(["two-phases", "fleet"])("%s refuses an invalid PHASE", (name) => {
  expect(() => synthesizeExample(name, { PHASE: "isue" })).toThrow(
    'invalid value "isue" for PHASE; expected "issue" or "serve"',
  );
});

test("fleet has several stacks, and keeps every hostname in its stack", () => {
  const record = join(examples, "fleet", "assigned.json");
  const before = readFileSync(record, "utf8");
  expect(synthesizeExample("fleet")).toHaveLength(new Set(Object.values(JSON.parse(before))).size);
  expect(readFileSync(record, "utf8")).toBe(before);
});

describe("fleet", () => {
  const record = join(examples, "fleet", "assigned.json");
  afterEach(() => jest.restoreAllMocks());

  test("gives each stack its own address, which 'verify' and 'watch' find", () => {
    const found = synthesizeExample("fleet").map((stack) =>
      Object.values(stack.resource?.google_compute_global_forwarding_rule ?? {}).map(({ ip_address }) => ip_address),
    );
    expect(found.map((addresses) => addresses.length)).toEqual(found.map(() => 1));
    expect(new Set(found.flat()).size).toBe(found.length);
  });

  test("has only certificates in phase issue", () => {
    for (const { resource } of synthesizeExample("fleet", { PHASE: "issue" })) {
      expect(Object.keys(resource ?? {})).toContain("google_certificate_manager_certificate");
      expect(Object.keys(resource ?? {}).filter((type) => /map|terraform_data|proxy/.test(type))).toEqual([]);
    }
  });

  test("fails on a runner with a stale record, before synthesis", () => {
    const read = fs.readFileSync;
    const { "hamburg.example.com": _new, ...known } = JSON.parse(read(record, "utf8"));
    jest
      .spyOn(fs, "readFileSync")
      .mockImplementation((file, options) => (file === record ? JSON.stringify(known) : read(file, options)));
    const written = jest.spyOn(fs, "writeFileSync").mockReturnValue();
    expect(() => synthesizeExample("fleet", { CI: "true" })).toThrow("assigned.json is stale");
    expect(written).not.toHaveBeenCalled();
  });
});

describe("README and docs", () => {
  const root = join(__dirname, "..");
  const pages = ["README.md", ...readdirSync(join(root, "docs")).map((name) => `docs/${name}`)]
    .filter((page) => page.endsWith(".md"))
    .map((page) => [page, readFileSync(join(root, page), "utf8")] as const)
    .filter(([, text]) => !text.includes("<!-- Written by `npm run docs`"));
  // 'npm run docs' applies the blocks of migration.yaml.
  const blocks = pages.flatMap(([page, text]) =>
    [...text.matchAll(/```(?:ts|yaml|json) (?!migration\.yaml\n)(\S+)\n([\s\S]*?)```/g)].map(
      ([, path = "", block = ""]) => [page, path, block] as const,
    ),
  );

  test("list every example", () => {
    const shown = new Set(blocks.map(([, path]) => path.split("/")[1]));
    expect([...names].filter((name) => !shown.has(name))).toEqual([]);
  });

  test.each(blocks)("%s quotes %s verbatim", (_, path, block) => {
    const source = readFileSync(join(root, path), "utf8");
    for (const part of block.split(/^\s*\/\/ …\n/m)) expect(source).toContain(part.trim());
  });

  /** Pages whose blocks have no file: the test named after the page runs them. */
  const runByOwnTest = ["docs/api-descriptions.md", "docs/audit-module.md"];

  test.each(runByOwnTest)("runs the blocks of %s in a test of their own", (page) => {
    expect(existsSync(join(root, page.replace(/^docs/, "test/docs").replace(/\.md$/, ".test.ts")))).toBe(true);
  });

  test.each(pages.filter(([page]) => !runByOwnTest.includes(page)))(
    "names the file of every code block on %s",
    (_, text) => {
      expect(text.match(/^```(?:ts|js|typescript)$/gm)).toBeNull();
      expect(unnamedYaml(text).filter((block) => !isPartOfMigration(block))).toEqual([]);
    },
  );
});
