import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { startCloud } from "../../lib/cloud";
import { createClosing } from "../../lib/rehearsal/closing";
import { connectRealProvider, realOperationTimes, takesTrustFile } from "../../lib/rehearsal/real-provider";
import { requirementOf, withProviderVersion } from "../../lib/rehearsal/stack";
import { Terraform } from "../../lib/rehearsal/terraform";
import { installationSettings, versionsIn } from "./provider-mirror";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rehearsal-real-provider-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Connects to a new cloud and returns the connection with its messages. */
async function connected(https: boolean) {
  const closing = createClosing();
  const cloud = await startCloud({ servers: { https } });
  closing.add(() => cloud.stop());
  const said: string[] = [];
  const connection = await connectRealProvider(cloud, { folder, say: (line) => said.push(line), closing });
  return { cloud, connection, said, [Symbol.asyncDispose]: () => closing.close() };
}

test("gives the provider HTTPS endpoints in the documented form, and the CA in a file", async () => {
  await using made = await connected(true);
  const { https, httpsTrustBundle } = made.cloud.endpoints;
  expect(made.connection.providerArguments).toMatchObject({
    dns_custom_endpoint: `${https}dns/v1/`,
    logging_custom_endpoint: `${https}v2/`,
    resource_manager_custom_endpoint: `${https}v1/`,
    service_usage_custom_endpoint: `${https}v1/`,
  });
  const { environment } = made.connection;
  expect(readFileSync(environment.SSL_CERT_FILE ?? "", "utf8")).toBe(httpsTrustBundle);
  expect(environment.GOOGLE_PUBSUB_CUSTOM_ENDPOINT).toBe(`${https}not-emulated/pubsub_custom_endpoint/`);
  expect(made.said).toEqual([]);
});

test("gives it plain HTTP if the system reads no CA from a file, and names the version from which that works", async () => {
  await using made = await connected(false);
  expect(made.connection.providerArguments.dns_custom_endpoint).toBe(`${made.cloud.endpoints.http}dns/v1/`);
  expect(made.connection.environment).not.toHaveProperty("SSL_CERT_FILE");
  expect(made.said).toEqual([expect.stringContaining("provider 7.26 or later is needed")]);
});

test.each<[NodeJS.Platform, boolean]>([
  ["linux", true],
  ["freebsd", true],
  ["darwin", false],
  ["win32", false],
])("on %s, reads a file of CAs: %s", (platform, expected) => {
  expect(takesTrustFile(platform)).toBe(expected);
});

test("refuses requests of the provider to hosts outside the rehearsal, and reports each host once", async () => {
  await using made = await connected(true);
  const proxy = made.connection.environment.HTTP_PROXY ?? "";
  for (const _ of [1, 2]) expect((await fetch(`${proxy}/`)).status).toBe(403);
  expect(made.said).toEqual([expect.stringMatching(/^refused: the provider asked .* outside of the rehearsal$/)]);
});

test("sends requests of a Go program to the closed proxy for services without a configured endpoint", async () => {
  await using made = await connected(true);
  const address = "https://service-of-tomorrow.googleapis.com/v1/state";
  writeFileSync(
    join(folder, "main.tf.json"),
    JSON.stringify({ terraform: { backend: { http: { address, retry_max: 0 } } } }),
  );
  writeFileSync(join(folder, "none.tfrc"), "");
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, CHECKPOINT_DISABLE: "1", TF_CLI_CONFIG_FILE: join(folder, "none.tfrc") };
  // Terraform reads the state of this backend with Go's HTTP client, as the provider sends its requests.
  const run = promisify(execFile)("terraform", ["init", "-input=false", "-no-color"], {
    cwd: folder,
    env: { ...env, ...made.connection.environment },
  });
  await expect(run).rejects.toThrow(/does not leave this machine/);
  expect(made.said).toEqual([
    "refused: the provider asked service-of-tomorrow.googleapis.com:443, which is outside of the rehearsal",
  ]);
});

test("sets its environment for plan, apply, import and destroy, and never for init", async () => {
  const program = join(folder, "program");
  writeFileSync(program, `#!/bin/sh\necho "$1 $SSL_CERT_FILE $HTTPS_PROXY" >> ${folder}/seen\n`, { mode: 0o755 });
  const terraform = new Terraform({
    program,
    folder,
    provider: { env: {}, real: { env: { SSL_CERT_FILE: "/ca.pem", HTTPS_PROXY: "http://127.0.0.1:1" } } },
    signals: { interrupt: new AbortController().signal },
  });
  await terraform.write({});
  await terraform.plan();
  await terraform.apply();
  await terraform.import("a.b", "c");
  await terraform.destroy();
  const seen = readFileSync(join(folder, "seen"), "utf8").trimEnd().split("\n");
  const outside = `${process.env.SSL_CERT_FILE ?? ""} ${process.env.HTTPS_PROXY ?? ""}`;
  expect(seen).toEqual([
    `init ${outside}`,
    ...["plan", "apply", "import", "destroy"].map((word) => `${word} /ca.pem http://127.0.0.1:1`),
  ]);
});

test("keeps the first operation pending over a poll, and the first of each method until its poll", () => {
  let hasBegun = false;
  const timeOf = realOperationTimes(() => hasBegun, 30);
  const begun = ["dns.changes.create", "compute.addresses.insert", "compute.urlMaps.insert", "compute.urlMaps.patch"];
  expect(begun.map(timeOf)).toEqual([0, 0, 0, 0]);
  hasBegun = true;
  expect(begun.map(timeOf)).toEqual([6_000, 30, 30, 30]);
  expect(begun.map(timeOf)).toEqual([0, 0, 0, 0]);
});

test("sets another provider version in the stack, and leaves the rest unchanged", () => {
  const stack = {
    terraform: { required_version: ">= 1.5", required_providers: { google: { source: "google", version: "6.50.0" } } },
  };
  expect(withProviderVersion(stack, "8.0.0").terraform).toEqual({
    required_version: ">= 1.5",
    required_providers: { google: { source: "google", version: "8.0.0" } },
  });
});

test("sets another version in a stack that requires only a version as text", () => {
  const stack = { terraform: { required_providers: { google: "~> 6.0" } } };
  expect(withProviderVersion(stack, "8.0.0").terraform).toEqual({
    required_providers: { google: { source: "hashicorp/google", version: "8.0.0" } },
  });
});

test.each([
  [{ google: "~> 9.0" }, { version: "~> 9.0" }],
  [
    { google: { source: "acme/google", version: "6.50.0" }, "google-beta": "7.0.0" },
    { source: "acme/google", version: "6.50.0" },
  ],
  [{ "google-beta": "7.0.0" }, { version: "7.0.0" }],
  [{ google: { source: "google" } }, { source: "google" }],
  [undefined, {}],
])("reads the provider version that a stack with %j requires", (required, expected) => {
  expect(requirementOf({ terraform: { required_providers: required } })).toEqual(expected);
});

test("finds packed and unpacked versions of a filesystem mirror for this platform only", () => {
  const google = join(folder, "registry.terraform.io", "hashicorp", "google");
  const { mkdirSync } = require("node:fs") as typeof import("node:fs");
  for (const version of ["10.0.0", "6.50.0"]) {
    mkdirSync(join(google, version, "linux_amd64"), { recursive: true });
    writeFileSync(join(google, version, "linux_amd64", "terraform-provider-google"), "");
  }
  mkdirSync(join(google, "9.0.0", "darwin_arm64"), { recursive: true });
  mkdirSync(join(google, "9.1.0", "linux_amd64"), { recursive: true });
  writeFileSync(join(google, "terraform-provider-google_7.45.0_linux_amd64.zip"), "");
  const system = { platform: "linux", arch: "x64" };
  expect(versionsIn(folder, system)).toEqual(["6.50.0", "7.45.0", "10.0.0"]);
  expect(versionsIn(join(folder, "none"), system)).toEqual([]);
  expect(installationSettings("/a b")).toContain('path = "/a b"');
});
