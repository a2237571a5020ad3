import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

const root = join(__dirname, "..", "..");
let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "home-"));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

// Runs in a separate process: an unhandled rejection of the Certificate Manager client would end it.
test.each([
  ["records", "--spec", "examples/from-spec/migration.yaml", "--project", "my-project"],
  ["wait", "--certificate", "projects/p/locations/global/certificates/c"],
  ["status", "--spec", "examples/from-spec/migration.yaml", "--project", "my-project", "--dns-server", "127.0.0.1:1"],
])(
  "cert-migration %s reports missing credentials with a remedy",
  async (...words) => {
    const { GOOGLE_APPLICATION_CREDENTIALS: _, CERT_MIGRATION_ENDPOINT: __, ...env } = process.env;
    const child = spawn(process.execPath, ["--import", "tsx", "lib/cli/main.ts", ...words], {
      cwd: root,
      // Also disables the request to the metadata server.
      env: { ...env, HOME: home, CLOUDSDK_CONFIG: home, METADATA_SERVER_DETECTION: "none" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [said, [exitCode]] = await Promise.all([text(child.stderr), once(child, "close"), text(child.stdout)]);
    expect(said).toMatch(/no credentials found; run 'gcloud auth application-default login'.* \[credentials-missing\]/);
    expect(said).not.toMatch(/ at .*\(.*:\d+:\d+\)/);
    expect(exitCode).toBe(3);
  },
  30_000,
);

test.each([
  ["{ broken: secret", "it is not JSON"],
  ["{}", "The incoming JSON object does not contain a client_email field"],
])(
  "credentials that are %j end a wait at once, and are not printed",
  async (content, why) => {
    const path = join(home, "credentials.json");
    writeFileSync(path, content);
    const { CERT_MIGRATION_ENDPOINT: _, ...env } = process.env;
    const words = ["wait", "--certificate", "projects/p/locations/global/certificates/c"];
    const child = spawn(process.execPath, ["--import", "tsx", "lib/cli/main.ts", ...words], {
      cwd: root,
      env: { ...env, GOOGLE_APPLICATION_CREDENTIALS: path, HOME: home, METADATA_SERVER_DETECTION: "none" },
      stdio: ["ignore", "ignore", "pipe"],
    });
    const [said, [exitCode]] = await Promise.all([text(child.stderr), once(child, "close")]);
    expect(said).toBe(
      `error: reading certificates of projects/p/locations/global: GOOGLE_APPLICATION_CREDENTIALS='${path}' can't be used: ${why}; name the key file of a service account, or unset the variable and run 'gcloud auth application-default login' [credentials-unreadable]\n`,
    );
    expect(exitCode).toBe(3);
  },
  30_000,
);

test("hides the library's warning about a missing metadata server, and prints other warnings", async () => {
  const program =
    'process.argv.push("--version");require("./lib/cli/main");process.emitWarning("received unexpected error", "MetadataLookupWarning");process.emitWarning("something else", "OtherWarning");';
  const child = spawn(process.execPath, ["--import", "tsx", "-e", program], {
    cwd: root,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const [said] = await Promise.all([text(child.stderr), once(child, "close")]);
  expect(said).toContain("OtherWarning: something else");
  expect(said).not.toContain("MetadataLookupWarning");
}, 30_000);
