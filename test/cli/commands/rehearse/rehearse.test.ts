import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { refuseIdleFailure } from "../../../../lib/cli/commands/rehearse/days";
import { daysFailures, disturbances } from "../../../../lib/rehearsal";
import { runCli } from "../../../support/io";

const spec = "examples/from-spec/migration.yaml";
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "rehearse-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Creates a program that reports a version of Terraform and does nothing else. */
function fakeTerraform(): string {
  const program = join(folder, "terraform");
  writeFileSync(program, `#!/bin/sh\necho '{"terraform_version": "1.11.4"}'\n`, { mode: 0o755 });
  return program;
}

test.each<[string, readonly string[], string]>([
  ["no source", [], "use one of --spec, --certificates, --stack, --app"],
  ["two sources", ["--spec", spec, "--certificates", "pem"], "use one of --spec, --certificates, --stack, --app"],
  ["a spec and an app", ["--spec", spec, "--app", "true"], "use one of --spec, --certificates, --stack, --app"],
  [
    "a stack that is not there",
    ["--stack", "no"],
    "--stack: 'no/cdk.tf.json' can't be read: the file does not exist; create it with 'cdktf synth' or 'cdktn synth'",
  ],
  ["an app that fails", ["--app", "echo broken; exit 3"], "'echo broken; exit 3' ended with 3: broken"],
  ["an invalid app", ["--app", "true"], "'true' synthesized no stack; it has to be an app of cdktf or cdktn"],
  ["a spec that is not there", ["--spec", "no.yaml"], "--spec: 'no.yaml' can't be read: the file does not exist"],
  ["a speed of 0", ["--spec", spec, "--speed", "0"], "--speed '0' is not a number above 0, up to 10000"],
  ...["x", "-1", "1.5", "1e3", "", "4294967296", "9".repeat(400)].map((seed): [string, readonly string[], string] => [
    `the seed '${seed.slice(0, 12)}'`,
    ["--spec", spec, `--seed=${seed}`],
    `error: --seed '${seed.slice(0, 60)}`,
  ]),
  [
    "an invalid seed, with the valid form",
    ["--spec", spec, "--seed", "x"],
    "is not a whole number from 0 to 4294967295",
  ],
  ["no whole days", ["--spec", spec, "--days", "1.5"], "--days '1.5' is not a whole number of days from 1 to 3650"],
  ["too many days", ["--spec", spec, "--days", "3651"], "--days '3651' is not a whole number of days"],
  ["a failure without days", ["--spec", spec, "--failure", "cname-deleted"], "--failure needs --days"],
  ["no repair without a failure", ["--spec", spec, "--days", "9", "--unrepaired"], "--unrepaired needs --failure"],
  [
    "an unknown failure, with the known ones",
    ["--spec", spec, "--days", "9", "--failure", "flood"],
    "--failure 'flood' is unknown; known: cname-deleted, caa-added, zone-moved",
  ],
  ["two folders", ["--spec", spec, "--keep", "a", "--evidence", "b"], "give either --keep or --evidence"],
  [
    "unknown faults",
    ["--spec", spec, "--faults", "no-such"],
    "--faults 'no-such' is neither a file nor a scenario; '--faults list' lists the scenarios [faults-unknown]",
  ],
  ...["killed-at-entri", "Killed-At-Entry", "killed_at_entry", "killed at entry"].map(
    (name): [string, readonly string[], string] => [
      `faults by a name as ${name}`,
      ["--spec", spec, "--faults", name],
      `--faults '${name}' is neither a file nor a scenario; did you mean 'killed-at-entry'? [faults-unknown]`,
    ],
  ),
  [
    "a file of faults that is not there",
    ["--spec", spec, "--faults", "./no.json"],
    "--faults: './no.json' can't be read",
  ],
])("fails for %s", async (_, words, message) => {
  const { exitCode, stdout, stderr } = await runCli(["rehearse", ...words], { env: process.env });
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
  expect(stderr).toContain(message);
});

/** Lists a folder recursively; undefined if it does not exist. */
const listed = (place: string) => (existsSync(place) ? readdirSync(place, { recursive: true }) : undefined);

test.each<[what: string, words: (folder: string) => readonly string[], message: string, code: string]>([
  [
    "--evidence where no folder can be made",
    () => ["--evidence", "/proc/none"],
    "--evidence: the folder '/proc/none' can't be made or used: its folder is missing, or takes no new files; name another one",
    "rehearsal-folder",
  ],
  [
    "--evidence where a file is",
    (place) => ["--evidence", join(place, "main.ts")],
    "can't be made or used: there is a file in its place; name another one",
    "rehearsal-folder",
  ],
  [
    "--evidence in a folder of another user",
    (place) => ["--evidence", place],
    "has other things in it ('main.ts'), and nothing was removed; name an empty one, or that of an earlier rehearsal",
    "rehearsal-folder",
  ],
  ["--keep in a folder of another user", (place) => ["--keep", place], "--keep: the folder", "rehearsal-folder"],
  [
    "--report in a folder that is not there",
    (place) => ["--report", join(place, "none", "r.html")],
    "create it, or use another file",
    "file-unwritable",
  ],
  [
    "--report that is a folder",
    (place) => ["--report", place],
    "can't be written: it is a folder; name a file",
    "file-unwritable",
  ],
  [
    "--report in a folder of the kernel's",
    () => ["--report", "/proc/r.html"],
    "the folder '/proc' takes no new files; name another one",
    "file-unwritable",
  ],
  [
    "--report in the folder of --evidence",
    (place) => ["--evidence", join(place, "new"), "--report", join(place, "new", "r.json")],
    "is in the folder of --evidence, which has what a rehearsal leaves and nothing else; name a file outside of it",
    "rehearsal-folder",
  ],
  [
    "--report that is the folder of --keep",
    (place) => ["--keep", join(place, "new"), "--report", join(place, "new")],
    "is in the folder of --keep",
    "rehearsal-folder",
  ],
])("fails for %s before anything starts", async (_, words, message, code) => {
  const place = mkdtempSync(join(folder, "place-"));
  writeFileSync(join(place, "main.ts"), "x");
  // The command has read neither the source nor the version of Terraform.
  const given = ["rehearse", "--app", `touch ${join(place, "started")}`, "--terraform", "no-such", ...words(place)];
  const { exitCode, stdout, stderr } = await runCli(given, { env: process.env });
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
  expect(stderr).toContain(message);
  expect(stderr).toMatch(new RegExp(`^error: .* \\[${code}\\]\n$`));
  expect(listed(place)).toEqual(["main.ts"]);
});

test("fails if no temporary folder can be created, and explains how to choose another", async () => {
  const words = ["rehearse", "--spec", spec, "--terraform", fakeTerraform()];
  const { exitCode, stderr } = await runCli(words, { env: { ...process.env, TMPDIR: "/proc" } });
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr:
      "error: nothing can be made in '/proc', the folder for temporary files: its folder is missing, or takes no new files; free disk space there, or set TMPDIR to another folder [temporary-folder-unwritable]\n",
  });
});

test("reads the files that a spec names, from the spec's folder", async () => {
  const file = join(folder, "files.yaml");
  const pem = "{ certificatePem: 'file:there.pem', privateKeyPem: 'file:missing.pem' }";
  writeFileSync(join(folder, "there.pem"), "no PEM");
  writeFileSync(
    file,
    `name: own\ncertificates:\n  - domains: [example.com]\n    selfManaged: ${pem}\ndns: { kind: external }\n`,
  );
  const { exitCode, stderr } = await runCli(["rehearse", "--spec", file], { env: process.env });
  expect(exitCode).toBe(2);
  expect(stderr).toContain("the file 'missing.pem' can't be read");
  expect(stderr).not.toContain("files are not read here");
  expect(stderr).not.toContain("there.pem");
});

test.each([
  ["is no YAML", "name: a: b\n", [":1:7: not valid YAML: "]],
  [
    "can't be planned",
    'name: own\ncertificates:\n  - domains: ["a..b", "-x.com"]\ndns: { kind: external }\n',
    [":3:15: certificate of '-x.com': ", ":3:23: certificate of '-x.com': "],
  ],
])("refuses a spec that %s, with the place of every mistake", async (_, text, places) => {
  const file = join(folder, "mistaken.yaml");
  writeFileSync(file, text);
  const { exitCode, stderr } = await runCli(["rehearse", "--spec", file], { env: process.env });
  expect(exitCode).toBe(2);
  const lines = stderr.trimEnd().split("\n");
  expect(lines.map((line, at) => line.startsWith(`error: ${file}${places[at]}`))).toEqual(places.map(() => true));
});

const ofKinds = {
  managed: "domains: [example.com]",
  privateCa:
    "{ kind: privateCa, domains: [in.example.com], caPool: projects/p/locations/europe-west1/caPools/web, lifetime: 21d }",
  existing: "{ kind: existing, id: projects/p/locations/global/certificates/old, domains: [old.example.com] }",
};
const managedFailures = "cname-deleted, caa-added, zone-moved, rate-limited, api-disabled";

test.each<[failure: string, kind: keyof typeof ofKinds, message: string]>([
  [
    "ca-disabled",
    "managed",
    `the migration has no certificate of a CA pool ('kind: privateCa'); use one of ${managedFailures}, or add the certificate`,
  ],
  [
    "upload-forgotten",
    "managed",
    `the migration has no uploaded certificate ('kind: selfManaged'); use one of ${managedFailures}, or add the certificate`,
  ],
  [
    "cname-deleted",
    "privateCa",
    "the migration has no managed certificate with a DNS authorization ('kind: managed'); use one of ca-disabled, api-disabled, or add the certificate",
  ],
  [
    "rate-limited",
    "privateCa",
    "the migration has no managed certificate of a public CA ('kind: managed'); use one of ca-disabled, api-disabled, or add the certificate",
  ],
  [
    "api-disabled",
    "existing",
    "the migration has no certificate of its own: all certificates exist already; leave --failure out, or add the certificate",
  ],
])("refuses the failure %s of a migration with certificates of the kind %s alone", async (failure, kind, message) => {
  const file = join(folder, `${kind}.yaml`);
  writeFileSync(file, `name: own\ncertificates:\n  - ${ofKinds[kind]}\ndns: { kind: external }\n`);
  const words = ["rehearse", "--spec", file, "--days", "100", "--failure", failure, "--terraform", fakeTerraform()];
  const { exitCode, stdout, stderr } = await runCli(words, { env: process.env });
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
  expect(stderr).toContain(`error: --failure '${failure}' would change nothing: ${message} [failure-without-effect]\n`);
});

test("refuses a failure that no alert would repair, before anything is created", async () => {
  const file = join(folder, "without-alerts.yaml");
  const keep = join(folder, "kept-without-alerts");
  writeFileSync(file, `name: own\ncertificates:\n  - ${ofKinds.managed}\ndns: { kind: external }\n`);
  const words = ["rehearse", "--spec", file, "--days", "100", "--failure", "cname-deleted", "--keep", keep];
  const { exitCode, stdout, stderr } = await runCli([...words, "--terraform", fakeTerraform()], { env: process.env });
  expect({ exitCode, stdout, isKept: existsSync(keep) }).toEqual({ exitCode: 2, stdout: "", isKept: false });
  expect(stderr).toBe(
    "error: --failure 'cname-deleted' would never be repaired: the migration has no alert; add 'alerts' to the migration, or give --unrepaired [failure-without-alert]\n",
  );
});

test.each([
  ["with an alert policy", { google_monitoring_alert_policy: { days: {} } }, true],
  ["without an alert policy, if it is not repaired", {}, false],
])("accepts a failure of a stack %s", async (_, alerts, repairs) => {
  const certificates = { google_certificate_manager_certificate: { own: { self_managed: {} } } };
  const stack = { resource: { ...certificates, ...alerts } };
  const failure = daysFailures.find(({ name }) => name === "api-disabled");
  const days = { days: 100, repairs, ...(failure && { failure }) };
  await expect(refuseIdleFailure(days, { synthesize: async () => stack })).resolves.toBeUndefined();
});

test("fails for an invalid fault plan, with every mistake", async () => {
  const file = join(folder, "faults.json");
  writeFileSync(file, JSON.stringify({ dns: [{ rcode: "SERVFAIL" }], unknown: 1 }));
  const { exitCode, stderr } = await runCli(["rehearse", "--spec", spec, "--faults", file], { env: process.env });
  expect(exitCode).toBe(2);
  expect(stderr).toContain("'dns[0].name' is missing");
  expect(stderr).toContain("'unknown' is unknown");
});

test("fails if Terraform is missing, and leaves nothing behind", async () => {
  const keep = join(folder, "kept");
  const words = ["rehearse", "--spec", spec, "--terraform", "no-such-terraform", "--keep", keep];
  const { exitCode, stdout, stderr } = await runCli(words, { env: process.env });
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
  expect(stderr).toContain("'no-such-terraform' is not on PATH");
});

test("fails for a program that is not Terraform or OpenTofu before it creates anything", async () => {
  const words = ["rehearse", "--spec", spec, "--terraform", "/bin/true", "--keep", join(folder, "kept")];
  const { exitCode, stdout, stderr } = await runCli(words, { env: process.env });
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
  expect(stderr).toContain("'/bin/true' is neither Terraform nor OpenTofu");
  expect(existsSync(join(folder, "kept"))).toBe(false);
});

describe("a stack with resources that can't be rehearsed", () => {
  const stack = {
    provider: { google: [{ project: "p1" }], aws: [{ region: "r" }] },
    data: { terraform_remote_state: { net: {} } },
    resource: { random_id: { suffix: {} }, aws_route53_record: { www: {} } },
    output: {
      cert_migration: {
        value: {
          version: 1,
          migrations: {
            "prod/shop": {
              name: "shop",
              phase: "issue",
              gate: "wait",
              loadBalancer: "globalExternal",
              certificates: [
                {
                  name: "c",
                  kind: "managed",
                  id: "projects/p1/locations/global/certificates/c",
                  domains: ["example.com"],
                  location: "global",
                  scope: "DEFAULT",
                },
              ],
            },
          },
        },
      },
    },
  };

  test("is refused with the names of all of them", async () => {
    const own = join(folder, "stack");
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, "cdk.tf.json"), JSON.stringify(stack));
    const { exitCode, stdout, stderr } = await runCli(["rehearse", "--stack", own], { env: process.env });
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    for (const address of [
      "random_id.suffix",
      "aws_route53_record.www",
      "data.terraform_remote_state.net",
      "provider.aws",
    ]) {
      expect(stderr).toContain(`error: '${address}' is `);
    }
    expect(stderr).toContain("4 parts of the stack can't be rehearsed; give --skip-unknown to go on without them");
  });
});

test("--faults list prints every scenario with its description and rehearses nothing", async () => {
  const { exitCode, stdout } = await runCli(["rehearse", "--faults", "list"]);
  expect(exitCode).toBe(0);
  const [head, ...rows] = stdout.trimEnd().split("\n");
  expect(head).toMatch(/^SCENARIO +WHAT HAPPENS$/);
  expect(rows.map((row) => row.split(/ {2,}/))).toEqual(disturbances.map(({ name, summary }) => [name, summary]));
  const { stdout: json } = await runCli(["rehearse", "--faults", "list", "--json"]);
  expect(JSON.parse(json).scenarios).toHaveLength(rows.length);
});

test("every scenario of --faults has a one-line description", () => {
  expect(disturbances.filter(({ summary }) => !/^\S.{10,170}\S$/.test(summary))).toEqual([]);
});

test("checks nothing without evidence", async () => {
  const { exitCode, stderr } = await runCli(["rehearse", "--check-evidence", folder]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain("name a folder that 'rehearse --evidence' has filled");
});

test.each([
  [["--spec", spec], "leave out --spec, or"],
  [["--certificates", "pem", "--report", "r.html"], "leave out --certificates and --report, or"],
  [["--pause-after", "3", "--pause-before-destroy"], "leave out --pause-after and --pause-before-destroy, or"],
  [["--app", "true", "--stack", "shop", "--keep"], "leave out --stack, --app and --keep, or"],
])("refuses to check evidence with options that it would ignore: %j", async (words, message) => {
  const { exitCode, stdout, stderr } = await runCli(["rehearse", "--check-evidence", folder, ...words]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
  expect(stderr).toBe(
    `error: --check-evidence checks what a rehearsal has kept, and rehearses nothing: ${message} leave out --check-evidence to rehearse [rehearsal-source]\n`,
  );
});

const nothing = { steps: [], probes: 0, failedHandshakes: 0, rotation: null, rollback: null, seed: null };

test.each<[string, readonly string[], string, string]>([
  ["a spec that is not there", ["--spec", "no.yaml"], "file-unreadable", "'no.yaml' can't be read"],
  ["no source", [], "rehearsal-source", "use one of --spec"],
  ["an invalid seed", ["--spec", spec, "--seed", "x"], "seed-malformed", "--seed 'x' is not a whole number"],
  ["unknown faults", ["--spec", spec, "--faults", "no-such"], "faults-unknown", "--faults 'no-such'"],
  [
    "Terraform that is missing",
    ["--spec", spec, "--terraform", "no-such"],
    "terraform-missing",
    "'no-such' is not on PATH",
  ],
])("--json prints %s in one line, beside the exit code", async (_, words, code, message) => {
  const { exitCode, stdout, stderr } = await runCli(["rehearse", "--json", ...words], { env: process.env });
  expect(exitCode).toBe(2);
  expect(stdout.endsWith("\n")).toBe(true);
  expect(stdout.trimEnd().split("\n")).toHaveLength(1);
  expect(JSON.parse(stdout)).toEqual({
    schemaVersion: 1,
    ok: false,
    ...nothing,
    findings: [{ code, severity: "error", subject: "", message: expect.stringContaining(message), remedy: "" }],
  });
  expect(stderr).toContain(`[${code}]`);
});

test("--json prints invalid evidence in one line too", async () => {
  const { exitCode, stdout } = await runCli(["rehearse", "--json", "--check-evidence", folder]);
  expect(exitCode).toBe(2);
  expect(JSON.parse(stdout)).toEqual({
    schemaVersion: 1,
    ok: false,
    checks: [],
    findings: [
      {
        code: "evidence-unreadable",
        severity: "error",
        subject: "",
        message: expect.stringContaining("name a folder that"),
        remedy: "",
      },
    ],
  });
});
