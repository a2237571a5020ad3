import { createPublicKey, createSign, createVerify, generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";

/** The service account of the tests, with keys generated for the tests. */
export const account = "auditor@my-project.iam.gserviceaccount.com";
const ownKeys = generateKeyPairSync("rsa", { modulusLength: 2048 });
/** The keys with which IAM Credentials signs for the account. */
const managedKeys = generateKeyPairSync("rsa", { modulusLength: 2048 });

/** The private key of the service account, in PEM. */
export const privateKeyPem = ownKeys.privateKey.export({ type: "pkcs8", format: "pem" }).toString();

/** A token that the service issued, and the reason. */
interface GivenToken {
  readonly token: string;
  /**
   * `assertion` by the account's own key, `keyless` by IAM Credentials, `refresh` by a login, `acting` by IAM
   * Credentials in its own name.
   */
  readonly by: "assertion" | "keyless" | "refresh" | "acting";
  readonly subject?: string;
  readonly scope?: string;
}

export interface TokenService {
  readonly url: string;
  readonly given: readonly GivenToken[];
  /** Answers later requests for a path with this error. */
  refuse(path: RegExp, status: number, body: object): void;
  close(): Promise<void>;
}

/**
 * Starts Google's token service and IAM Credentials on this machine. Assertions need a valid signature and a current
 * time.
 */
export async function startTokenService({ seconds = 3_600 } = {}): Promise<TokenService> {
  const given: GivenToken[] = [];
  const refusals: { readonly path: RegExp; readonly status: number; readonly body: object }[] = [];
  const give = (entry: Omit<GivenToken, "token">) => {
    const token = `ya29.token-${given.length + 1}`;
    given.push({ token, ...entry });
    return token;
  };
  const answer = async (request: IncomingMessage): Promise<readonly [number, object]> => {
    const { url = "" } = request;
    const refusal = refusals.find(({ path }) => path.test(url));
    if (refusal !== undefined) return [refusal.status, refusal.body];
    const body = await text(request);
    if (url === "/token") return takeToken(new URLSearchParams(body));
    const caller = request.headers.authorization;
    const known = given.find(({ token }) => caller === `Bearer ${token}`);
    if (known === undefined)
      return [401, { error: { code: 401, message: "no credentials", status: "UNAUTHENTICATED" } }];
    if (url.endsWith(`/${encodeURIComponent(account)}:signJwt`)) {
      return [200, { keyId: "managed", signedJwt: signed(JSON.parse(body).payload) }];
    }
    if (url.endsWith(`/${encodeURIComponent(account)}:generateAccessToken`)) {
      const { scope } = JSON.parse(body) as { readonly scope: readonly string[] };
      const expireTime = new Date(Date.now() + seconds * 1_000).toISOString();
      return [200, { accessToken: give({ by: "acting", scope: scope.join(" ") }), expireTime }];
    }
    return [404, { error: { code: 404, message: "none", status: "NOT_FOUND" } }];
  };
  const takeToken = (form: URLSearchParams): readonly [number, object] => {
    const token = (entry: Omit<GivenToken, "token">): readonly [number, object] => [
      200,
      { access_token: give(entry), expires_in: seconds, token_type: "Bearer" },
    ];
    if (form.get("grant_type") === "refresh_token") return token({ by: "refresh" });
    const assertion = form.get("assertion") ?? "";
    const by = signerOf(assertion);
    const claims: Claims = JSON.parse(Buffer.from(assertion.split(".")[1] ?? "", "base64url").toString() || "{}");
    if (by === undefined || !areValid(claims))
      return [400, { error: "invalid_grant", error_description: "Invalid JWT Signature." }];
    return token({ by, scope: claims.scope, ...(claims.sub === undefined ? {} : { subject: claims.sub }) });
  };
  const server = createServer((request, response) => {
    void answer(request).then(([status, body]) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    given,
    refuse: (path, status, body) => void refusals.push({ path, status, body }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Claims {
  readonly iss: string;
  readonly aud: string;
  readonly iat: number;
  readonly exp: number;
  readonly scope: string;
  readonly sub?: string;
}

/** Returns whether the token service accepts the claims of an assertion: at most one hour, issued within 10 minutes. */
function areValid({ iss, aud, iat, exp }: Claims): boolean {
  return (
    iss === account &&
    aud === "https://oauth2.googleapis.com/token" &&
    exp <= iat + 3_600 &&
    Math.abs(Date.now() / 1_000 - iat) < 600
  );
}

function signed(payload: string): string {
  const head = Buffer.from(JSON.stringify({ alg: "RS256", typ: "JWT" })).toString("base64url");
  const content = `${head}.${Buffer.from(payload).toString("base64url")}`;
  return `${content}.${createSign("RSA-SHA256").update(content).sign(managedKeys.privateKey, "base64url")}`;
}

function signerOf(assertion: string): "assertion" | "keyless" | undefined {
  const [head = "", payload = "", signature = ""] = assertion.split(".");
  const isBy = (keys: typeof ownKeys) =>
    createVerify("RSA-SHA256")
      .update(`${head}.${payload}`)
      .verify(createPublicKey(keys.publicKey.export({ type: "spki", format: "pem" })), signature, "base64url");
  return isBy(ownKeys) ? "assertion" : isBy(managedKeys) ? "keyless" : undefined;
}

/** Writes credential files into a folder. */
export function credentialFiles(folder: string) {
  const file = (name: string, content: object): string => {
    const path = join(folder, name);
    writeFileSync(path, JSON.stringify(content));
    return path;
  };
  const login = { type: "authorized_user", client_id: "c", client_secret: "s3cret", refresh_token: "1//hidden" };
  return {
    key: file("key.json", {
      type: "service_account",
      project_id: "my-project",
      private_key_id: "k",
      private_key: privateKeyPem,
      client_email: account,
      client_id: "1",
    }),
    login: file("login.json", { ...login, quota_project_id: "my-quota" }),
    acting: file("acting.json", {
      type: "impersonated_service_account",
      service_account_impersonation_url: `https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/${account}:generateAccessToken`,
      source_credentials: login,
    }),
  };
}
