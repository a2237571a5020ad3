import { signedTokens } from "../../lib/google/signed-tokens";
import { account, startTokenService, type TokenService } from "./token-service";

let tokens: TokenService;
beforeEach(async () => {
  tokens = await startTokenService();
});
afterEach(() => tokens.close());

/** Tokens for a caller that the signing service knows. */
async function tokensFor(change: { readonly subject?: string; readonly now?: () => Date } = {}) {
  const body = new URLSearchParams({ grant_type: "refresh_token" });
  const login = await fetch(`${tokens.url}/token`, { method: "POST", body });
  const { access_token: caller } = (await login.json()) as { readonly access_token: string };
  return signedTokens({
    signer: account,
    subject: "admin@example.com",
    headers: async () => ({ authorization: `Bearer ${caller}` }),
    tokenUrl: `${tokens.url}/token`,
    signingUrl: tokens.url,
    ...change,
  });
}

test.each([
  [401, "unauthorized_client", "Client is unauthorized.", "delegation-refused", "Domain-wide delegation"],
  [400, "invalid_grant", "Invalid email or User ID", "delegation-refused", "an active user of the organization"],
  [400, "invalid_grant", "Invalid JWT Signature.", "credentials-refused", "Invalid JWT Signature"],
])("reports HTTP %i from the token service as %s: %s", async (status, error, sentence, code, advice) => {
  const token = await tokensFor();
  tokens.refuse(/\/token$/, status, { error, error_description: sentence });
  const failure = await token().catch((thrown: unknown) => thrown);
  expect(failure).toMatchObject({ code, retryable: false, message: expect.stringContaining(advice) });
  expect(String((failure as Error).message)).not.toMatch(/eyJ|ya29/);
});

test("caches a token until five minutes before it expires", async () => {
  let nowMs = Date.now();
  const token = await tokensFor({ now: () => new Date(nowMs) });
  expect([await token(), await token()]).toEqual(["ya29.token-2", "ya29.token-2"]);
  nowMs += 54 * 60_000;
  expect(await token()).toBe("ya29.token-2");
  nowMs += 2 * 60_000;
  // The client requests a new token. The service accepts assertions within ten minutes of its own time, and refuses
  // this assertion.
  await expect(token()).rejects.toMatchObject({ code: "credentials-refused" });
});

test.each([
  ["no JSON", "ya29.in-a-page"],
  ["no token", "{}"],
])("does not print a token service's answer with %s", async (_, text) => {
  const http = { send: async () => ({ status: 200, headers: new Map(), body: new Uint8Array(), text }) };
  const token = signedTokens({
    signer: account,
    headers: async () => ({}),
    tokenUrl: `${tokens.url}/token`,
    signingUrl: tokens.url,
    http,
  });
  const failure = await token().catch((thrown: unknown) => thrown);
  expect(failure).toMatchObject({ code: "token-unavailable", retryable: true });
  expect(String((failure as Error).message)).not.toContain("ya29");
});
