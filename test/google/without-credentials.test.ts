import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

const root = join(__dirname, "..", "..");
let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "home-"));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

// In a process of its own: what the client of Certificate Manager leaves unhandled would end it.
test.each([
  ["records", "--spec", "examples/from-spec/migration.yaml", "--project", "my-project"],
  ["wait", "--certificate", "projects/p/locations/global/certificates/c"],
  ["status", "--spec", "examples/from-spec/migration.yaml", "--project", "my-project", "--dns-server", "127.0.0.1:1"],
])(
  "cert-migration %s says that there are no credentials, and what to do",
  async (...words) => {
    const { GOOGLE_APPLICATION_CREDENTIALS: _, CERT_MIGRATION_ENDPOINT: __, ...env } = process.env;
    const child = spawn(process.execPath, ["--import", "tsx", "lib/cli/main.ts", ...words], {
      cwd: root,
      // Nor is anybody else on this machine's network asked for some.
      env: { ...env, HOME: home, CLOUDSDK_CONFIG: home, METADATA_SERVER_DETECTION: "none" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [said, [exitCode]] = await Promise.all([text(child.stderr), once(child, "close"), text(child.stdout)]);
    expect(said).toMatch(
      /there are no credentials; run 'gcloud auth application-default login'.* \[credentials-missing\]/,
    );
    expect(said).not.toMatch(/ at .*\(.*:\d+:\d+\)/);
    expect(exitCode).toBe(3);
  },
  30_000,
);
