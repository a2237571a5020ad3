import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ActivityServer, createActivityStore, startActivityServer } from "../../lib/audit";
import { assignRole, record } from "../audit/activities";
import { account, credentialFiles, privateKeyPem, startTokenService, type TokenService } from "../google/token-service";
import { runWith, testIo } from "../support/io";

const readonlyScope = "https://www.googleapis.com/auth/admin.reports.audit.readonly";
const subject = "admin@example.com";

let folder: string;
let files: ReturnType<typeof credentialFiles>;
let tokens: TokenService;
let reports: ActivityServer;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "credentials-"));
  files = credentialFiles(folder);
  tokens = await startTokenService();
  const store = createActivityStore();
  store.ingest(record([assignRole("helpdesk")], { time: new Date(Date.now() - 60_000).toISOString() }));
  // The service accepts an administrator's token with only the log's scope, or the account's own token.
  const isAccepted = (token: string | undefined) =>
    tokens.given.some(
      (one) =>
        one.token === token && one.scope === readonlyScope && (one.subject === subject || one.subject === undefined),
    );
  reports = await startActivityServer({ store, authorize: isAccepted });
});
afterEach(async () => {
  await Promise.all([reports.close(), tokens.close()]);
  rmSync(folder, { recursive: true, force: true });
});

/** Runs `audit list` with credentials from a file, and checks that the output contains no secret. */
async function list(words: readonly string[], credentials: string, env: Readonly<Record<string, string>> = {}) {
  const io = testIo({
    env: {
      CERT_MIGRATION_ENDPOINT: reports.url,
      GOOGLE_APPLICATION_CREDENTIALS: credentials,
      CLOUDSDK_AUTH_TOKEN_HOST: `${tokens.url}/token`,
      CLOUDSDK_API_ENDPOINT_OVERRIDES_IAMCREDENTIALS: tokens.url,
      ...env,
    },
    now: () => new Date(),
  });
  const exitCode = await runWith(["audit", "list", ...words], io);
  const said = io.out() + io.err();
  for (const secret of ["ya29.", "eyJ", "hidden", "s3cret", privateKeyPem.split("\n")[1] ?? ""])
    expect(said).not.toContain(secret);
  return { exitCode, out: io.out(), err: io.err() };
}

test("a service account's key impersonates the administrator", async () => {
  const { exitCode, out } = await list(["--impersonate", subject], files.key);
  expect([exitCode, out]).toEqual([0, expect.stringContaining("Role helpdesk assigned")]);
  expect(tokens.given).toEqual([{ token: "ya29.token-1", by: "assertion", subject, scope: readonlyScope }]);
});

test.each(["login", "key"] as const)(
  "a service account without a key impersonates the administrator, with a signature from a %s",
  async (file) => {
    const { exitCode, out } = await list(["--impersonate", subject, "--service-account", account], files[file]);
    expect([exitCode, out]).toEqual([0, expect.stringContaining("Role helpdesk assigned")]);
    expect(tokens.given.map(({ by }) => by)).toEqual([file === "login" ? "refresh" : "assertion", "keyless"]);
    expect(tokens.given.at(-1)).toMatchObject({ subject, scope: readonlyScope });
  },
);

test("the signing token can't read the log, and the reading token can't do anything else", async () => {
  await list(["--impersonate", subject, "--service-account", account], files.key);
  expect(tokens.given.map(({ scope }) => scope)).toEqual(["https://www.googleapis.com/auth/iam", readonlyScope]);
});

test("credentials that impersonate a service account sign for it without a key", async () => {
  const { exitCode, out } = await list(["--impersonate", subject], files.acting);
  expect([exitCode, out]).toEqual([0, expect.stringContaining("Role helpdesk assigned")]);
  expect(tokens.given.map(({ by }) => by)).toEqual(["refresh", "keyless"]);
});

test("a service account reads the log as itself", async () => {
  const { exitCode, out } = await list(["--service-account", account], files.login);
  expect([exitCode, out]).toEqual([0, expect.stringContaining("Role helpdesk assigned")]);
  expect(tokens.given.at(-1)).toMatchObject({ by: "acting", scope: readonlyScope });
});

test("user credentials are not a service account and can't be signed for", async () => {
  const { exitCode, err } = await list(["--impersonate", subject], files.login);
  expect([exitCode, err]).toEqual([2, expect.stringContaining("--service-account")]);
  expect(err).toContain("[service-account-missing]");
});

test.each([
  [
    401,
    "unauthorized_client",
    "Client is unauthorized to retrieve access tokens using this method.",
    "delegation-refused",
    "Domain-wide delegation",
  ],
  [400, "invalid_grant", "Invalid email or User ID", "delegation-refused", "an active user of the organization"],
  [400, "invalid_grant", "Invalid JWT Signature.", "credentials-refused", ""],
])("the token service answers %i %s: %s", async (status, error, sentence, code, advice) => {
  tokens.refuse(/\/token$/, status, { error, error_description: sentence, assertion: "eyJhbGciOi.eyJpc3Mi.c2ln" });
  const { exitCode, err } = await list(["--impersonate", subject], files.key);
  expect([exitCode, err]).toEqual([3, expect.stringContaining(`[${code}]`)]);
  expect(err).toContain(advice);
});

test("a missing signing permission is reported with the role to grant", async () => {
  tokens.refuse(/:signJwt$/, 403, {
    error: { code: 403, message: "Permission 'iam.serviceAccounts.signJwt' denied", status: "PERMISSION_DENIED" },
  });
  const { exitCode, err } = await list(["--impersonate", subject, "--service-account", account], files.login);
  expect([exitCode, err]).toEqual([3, expect.stringContaining("roles/iam.serviceAccountTokenCreator")]);
  expect(err).toContain("[signing-refused]");
});

test.each<[readonly string[], string]>([
  [["--impersonate", "admin"], "email-malformed"],
  [["--service-account", "a b@c"], "email-malformed"],
  [["--impersonate", subject, "--token-file", "/dev/null"], "token-malformed"],
])("%j is refused with %s", async (words, code) => {
  const { exitCode, err } = await list(words, files.key);
  expect([exitCode, err]).toEqual([2, expect.stringContaining(`[${code}]`)]);
  expect(tokens.given).toEqual([]);
});

test("two kinds of credentials together are refused", async () => {
  const file = join(folder, "token");
  writeFileSync(file, "ya29.typed");
  const { exitCode, err } = await list(["--impersonate", subject, "--token-file", file], files.key);
  expect([exitCode, err]).toEqual([2, expect.stringContaining("[credentials-ambiguous]")]);
});

test("credentials are not used for another service unless the user asks for it", async () => {
  const { exitCode } = await list([], files.key);
  expect([exitCode, tokens.given]).toEqual([3, []]);
});

test("credentials are never sent without encryption", async () => {
  const env = { CLOUDSDK_AUTH_TOKEN_HOST: "http://token.example.com/token" };
  const { exitCode, err } = await list(["--impersonate", subject], files.key, env);
  expect([exitCode, err]).toEqual([2, expect.stringContaining("[endpoint-malformed]")]);
});
