import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readClientRequirement } from "../../lib/cloud/tls";
import { makeClientPki } from "../support/client-certificates";
import { runWith, testIo } from "../support/io";
import { hostname, makeCertificates, startListener } from "../support/tls-front-end";

const { root, intermediate, client } = makeClientPki();
const [valid, other] = [client(), makeClientPki().client()];
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "verify-"));
  writeFileSync(join(folder, "valid.pem"), valid.pem + intermediate.pem);
  writeFileSync(join(folder, "valid.key"), valid.keyPem);
  writeFileSync(join(folder, "other.pem"), other.pem);
  writeFileSync(join(folder, "other.key"), other.keyPem);
});
afterAll(() => rmSync(folder, { recursive: true }));

const present = (name: string) => [
  "--client-certificate",
  join(folder, `${name}.pem`),
  "--client-key",
  join(folder, `${name}.key`),
];

const named = (name: string) => ({
  CERT_MIGRATION_CLIENT_CERTIFICATE: join(folder, `${name}.pem`),
  CERT_MIGRATION_CLIENT_KEY: join(folder, `${name}.key`),
});

test("verify presents a client certificate to a load balancer that requires one", async () => {
  const certificates = await makeCertificates();
  writeFileSync(join(folder, "roots.pem"), certificates.authority.trustBundlePem);
  const clients = readClientRequirement({ rejectsInvalid: true, trustAnchors: [root.pem] });
  await using listener = await startListener(certificates, [certificates.rsa], { clients: () => clients });
  const verify = async (more: readonly string[] = [], env: Readonly<Record<string, string>> = {}) => {
    const io = testIo({ now: () => new Date(), env });
    const target = ["--hostname", hostname, "--address", listener.address, "--port", String(listener.port)];
    const words = ["verify", ...target, "--ca", join(folder, "roots.pem"), "--repeat", "1", "--within", "1s", ...more];
    return runWith(words, io);
  };
  expect(await verify(present("valid"))).toBe(0);
  expect(await verify(present("other"))).toBe(4);
  expect(await verify()).toBe(4);
  // A gate has no options, and inherits the environment of Terraform.
  expect(await verify([], named("valid"))).toBe(0);
  expect(await verify(present("other"), named("valid"))).toBe(4);
});

test.each([
  ["without its key", ["--client-certificate", "valid.pem"], "--client-certificate needs --client-key as well"],
  ["without its certificate", ["--client-key", "valid.key"], "--client-key needs --client-certificate as well"],
  [
    "with the key of another",
    ["--client-certificate", "valid.pem", "--client-key", "other.key"],
    "is the key of another certificate",
  ],
])("verify refuses a client certificate %s", async (_, words, message) => {
  const io = testIo();
  const paths = words.map((word) => (word.startsWith("--") ? word : join(folder, word)));
  const code = await runWith(["verify", "--hostname", hostname, "--address", "127.0.0.1", ...paths], io);
  expect([code, io.err()]).toEqual([2, expect.stringContaining(message)]);
});

test("verify refuses an environment that names a client certificate without its key", async () => {
  const { CERT_MIGRATION_CLIENT_KEY: _, ...env } = named("valid");
  const io = testIo({ env });
  expect(await runWith(["verify", "--hostname", hostname, "--address", "127.0.0.1"], io)).toBe(2);
  expect(io.err()).toContain("CERT_MIGRATION_CLIENT_CERTIFICATE needs CERT_MIGRATION_CLIENT_KEY as well");
});
