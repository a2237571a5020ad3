import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCli } from "../support/io";
import { makeCertificate } from "../support/make-certificate";
import { serveTls } from "../support/tls-servers";

/** Certificates whose validity begins in the future: `verify` refuses them, and `inventory` reports an error. */
const folder = mkdtempSync(join(tmpdir(), "defects-not-yet-valid-"));
afterAll(() => rmSync(folder, { recursive: true }));

const now = new Date("2026-11-21T12:00:00Z");
const validFrom = (notBefore: string) =>
  makeCertificate(["next.example.com"], {
    notBefore: new Date(notBefore),
    notAfter: new Date("2027-10-01T00:00:00Z"),
  });

async function take(place: string) {
  const words = ["inventory", place, "--timeout", "2s", "--json"];
  const { exitCode, stdout } = await runCli(words, { now: () => now });
  const { certificates } = JSON.parse(stdout) as {
    readonly certificates: readonly {
      readonly problems: readonly { code: string; severity: string; remedy: string }[];
    }[];
  };
  const problems = certificates.flatMap((certificate) => certificate.problems);
  return { exitCode, problem: problems.find(({ code }) => code === "not-yet-valid") };
}

const found = { severity: "error", remedy: expect.stringContaining("clock of this machine") };

test.each([
  ["a month", "2026-12-21T12:00:00Z"],
  ["a second", "2026-11-21T12:00:01Z"],
])("finds a file that becomes valid in %s", async (_, notBefore) => {
  const path = join(folder, "next.pem");
  writeFileSync(path, validFrom(notBefore).certificatePem);
  expect(await take(path)).toMatchObject({ exitCode: 4, problem: found });
});

test("finds a server that presents a certificate before its validity begins", async () => {
  const { certificatePem, privateKeyPem } = validFrom("2026-12-21T12:00:00Z");
  await using server = await serveTls({ cert: certificatePem, key: privateKeyPem });
  expect(await take(`127.0.0.1:${server.port}`)).toMatchObject({ exitCode: 4, problem: found });
});

test("accepts a file that becomes valid this second", async () => {
  const path = join(folder, "this.pem");
  writeFileSync(path, validFrom("2026-11-21T12:00:00Z").certificatePem);
  expect(await take(path)).toEqual({ exitCode: 0, problem: undefined });
});
