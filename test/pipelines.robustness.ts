import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { ExternalAccountClient } from "google-auth-library";
import { parse } from "yaml";

/** Checks the shell scripts of the pipelines with shellcheck and runs them. Requires shellcheck and jq. */
const root = join(__dirname, "..");
const folder = join(root, "examples", "pipelines");
const moves = join(folder, "moves.sh");

interface Step {
  readonly run?: string;
  readonly entrypoint?: string;
  readonly args?: readonly string[];
  readonly id?: string;
  readonly name?: string;
}

const parsed = (name: string) => parse(readFileSync(join(folder, name), "utf8"));
const actions = parsed("github-actions.yml") as {
  readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>;
};
const builds = ["cloudbuild.yaml", "cloudbuild-check.yaml"].map(
  (name) => [name, (parsed(name) as { readonly steps: readonly Step[] }).steps] as const,
);

const gitlab = parsed("gitlab-ci.yml") as Readonly<
  Record<string, { readonly script?: readonly string[]; readonly after_script?: readonly string[] }>
>;
const credentials = join(folder, "google-credentials.sh");

const texts: readonly (readonly [where: string, shell: string])[] = [
  ["moves.sh", readFileSync(moves, "utf8")],
  ["google-credentials.sh", readFileSync(credentials, "utf8")],
  ...["check", "deploy", "watch"].map((job): readonly [string, string] => {
    const { script = [], after_script: after = [] } = gitlab[job] ?? {};
    return [`GitLab, ${job}`, `#!/bin/bash\nset -euo pipefail\n${[...script, ...after].join("\n")}`];
  }),
  ...Object.entries(actions.jobs).flatMap(([job, { steps }]) =>
    steps.flatMap(({ run, name = run ?? "" }) =>
      run === undefined ? [] : [[`${job}: ${name}`, `#!/bin/bash\n${run}`] as const],
    ),
  ),
  // Cloud Build replaces its substitutions with values before the shell runs.
  ...builds.flatMap(([file, steps]) =>
    steps.flatMap(({ id, entrypoint, args = [] }) =>
      entrypoint !== "bash"
        ? []
        : [
            [
              `${file}: ${id}`,
              `#!/bin/bash\n${args
                .at(-1)
                ?.replace(/\$_STACK/g, "stack")
                .replace(/\$\$/g, "$")}`,
            ] as const,
          ],
    ),
  ),
];

function shellcheck(text: string): string {
  const { status, stdout, error } = spawnSync("shellcheck", ["--format=gcc", "-"], { input: text, encoding: "utf8" });
  if (error !== undefined || status === null) throw new Error("shellcheck is needed for this", { cause: error });
  return stdout;
}

test.each(texts)("passes shellcheck: %s", (_, text) => {
  expect(shellcheck(text)).toBe("");
});

test("finds unquoted variables with shellcheck", () => {
  expect(shellcheck("#!/bin/bash\nls $1\n")).toContain("SC2086");
});

const xargsOf = texts.flatMap(([where, text]) =>
  [...text.matchAll(/\bxargs ([^\n)]*)/g)].map(([, words = ""]) => [where, words.split(/npx|[|]/)[0] ?? ""] as const),
);

describe.each(xargsOf)("%s: 'xargs %s'", (_, words) => {
  const given = (count: number) => {
    const input = Array.from({ length: count }, (_, index) => `--hostname=shop-${index}.example.com\n`).join("");
    return spawnSync("bash", ["-c", `xargs ${words} sh -c 'echo $#' sh`], { input, encoding: "utf8" });
  };

  test("passes all hostnames to one command", () => {
    expect(given(2_000)).toMatchObject({ stdout: "2000\n", status: 0 });
  });

  test("fails instead of splitting hostnames that do not fit into one command", () => {
    expect(given(10_000)).toMatchObject({ stdout: "", status: 1 });
  });
});

test("has an 'xargs' before the apply and in the watch in every pipeline", () => {
  expect(xargsOf).toHaveLength(6);
});

test("writes with google-credentials.sh credentials that Google's library reads, for the owner only", () => {
  const provider = "projects/1/locations/global/workloadIdentityPools/pipelines/providers/gitlab";
  const account = "reader@my-project.iam.gserviceaccount.com";
  const temporary = mkdtempSync(join(tmpdir(), "credentials-"));
  try {
    const env = { ...process.env, TMPDIR: temporary, GOOGLE_TOKEN: "a.b.c", WORKLOAD_IDENTITY_PROVIDER: provider };
    const path = execFileSync("bash", [credentials, account], { env, encoding: "utf8" }).trim();
    expect(statSync(path).mode & 0o077).toBe(0);
    const json = JSON.parse(readFileSync(path, "utf8"));
    expect(readFileSync(json.credential_source.file, "utf8")).toBe("a.b.c");
    expect(json.audience).toBe(`//iam.googleapis.com/${provider}`);
    const client = ExternalAccountClient.fromJSON(json);
    expect(client?.getServiceAccountEmail()).toBe(account);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
});

const bin = mkdtempSync(join(tmpdir(), "moves-"));
afterAll(() => rmSync(bin, { recursive: true, force: true }));

const install = (name: string, script: string) => {
  writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(bin, name), 0o755);
};
/** @param state outputs in Terraform's state @param stack folder of the stack that the real command reads */
const ask = (state: object, stack = bin) => {
  const tsx = join(dirname(require.resolve("tsx/package.json")), "dist", "cli.mjs");
  install("terraform", `cat <<'JSON'\n${JSON.stringify(state)}\nJSON`);
  install("npx", `shift; exec "${process.execPath}" "${tsx}" "${join(root, "lib", "cli", "main.ts")}" "$@"`);
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
  return spawnSync("bash", [moves, stack], { cwd: root, env, encoding: "utf8", timeout: 60_000 });
};
/** Returns the output `cert_migration` of one migration, as Terraform stores it. */
const outputs = (to: string, hostnames: readonly string[]) => ({
  cert_migration: { value: { version: 1, migrations: { shop: { traffic: { to, hostnames } } } } },
});
const both = ["pay.example.net", "shop.example.com"];

beforeAll(() => {
  const program = `
      const { GoogleProvider } = require("@cdktf/provider-google/lib/provider");
      const { App, TerraformStack } = require("cdktf");
      const { ManagedCertMigration } = require("${join(root, "lib")}");
      const app = new App({ outdir: ${JSON.stringify(bin)} });
      const stack = new TerraformStack(app, "shop");
      new GoogleProvider(stack, "google", { project: "my-project" });
      ManagedCertMigration.fromSpec(stack, "shop", {
        certificates: [{ domains: ${JSON.stringify(both)} }],
        dns: { kind: "cloudDns", zones: { "example.com": "com", "example.net": "net" } },
        loadBalancer: { kind: "globalExternal", newTargetHttpsProxy: { urlMap: "shop", forwardingRules: { ipv4Address: "203.0.113.7" } } },
        traffic: {
          hostnames: ${JSON.stringify(both)},
          to: "loadBalancer",
          previous: { "pay.example.net": { a: ["198.51.100.1"] }, "shop.example.com": { a: ["198.51.100.1"] } },
        },
      });
      app.synth();`;
  const tsx = join(dirname(require.resolve("tsx/package.json")), "dist", "cli.mjs");
  execFileSync(process.execPath, [tsx, "--eval", program], { cwd: root, stdio: "pipe", timeout: 60_000 });
});

test.each([
  ["all hostnames before the first state exists", both, {}],
  ["all hostnames if the state lacks the output", both, { other: { value: 1 } }],
  ["all hostnames if their traffic has not moved", both, outputs("previous", both)],
  ["only the new hostname if the other has moved", ["pay.example.net"], outputs("loadBalancer", ["shop.example.com"])],
  ["no hostname if all have moved", [], outputs("loadBalancer", both)],
])("moves.sh prints the hostnames that a deployment moves to the load balancer: %s", (_, hostnames, state) => {
  const { stdout, stderr, status } = ask(state, join(bin, "stacks", "shop"));
  const words = hostnames.map((hostname) => `--hostname=${hostname}\n`).join("");
  expect({ stdout, stderr, status }).toEqual({ stdout: words, stderr: "", status: 0 });
});

test("moves.sh fails if the stack can't be read, and prints no hostname", () => {
  const { stdout, status } = ask({}, join(bin, "nowhere"));
  expect(stdout).toBe("");
  expect(status).not.toBe(0);
});
