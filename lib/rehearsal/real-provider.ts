import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Cloud } from "../cloud";
import { realProviderArguments, realProviderEnvironment } from "../terraform-provider";
import { startClosedProxy, throughProxy } from "./closed-proxy";
import type { Closing } from "./closing";
import { writeOwn } from "./folder";
import type { Block } from "./stack";

/** Settings that connect the real google provider to the cloud. */
export interface RealConnection {
  /** Arguments for each of its provider blocks. */
  readonly providerArguments: Block;
  /**
   * Environment variables for plan, apply, import and destroy. `init` installs the provider, and keeps the user's
   * variables.
   */
  readonly environment: Readonly<Record<string, string>>;
}

/** File of the CA that signed the certificate of the cloud's HTTPS services. */
const trustName = "cloud-https.pem";

/**
 * Platforms on which Go trusts only the system's CAs, and ignores `SSL_CERT_FILE` (documentation of its package
 * crypto/x509).
 */
const withoutTrustFile: readonly NodeJS.Platform[] = ["darwin", "win32"];

/**
 * Returns whether Go programs can read the CA of the cloud's HTTPS services from a file. If not, they use plain HTTP.
 */
export function takesTrustFile(platform: NodeJS.Platform): boolean {
  return !withoutTrustFile.includes(platform);
}

/**
 * Connects the real provider to the cloud. All other requests of the provider go to a closed proxy.
 *
 * Uses HTTPS if possible. The provider before 7.26 removes the version from the endpoints of Cloud DNS and other
 * services only for HTTPS, and fails with plain HTTP.
 *
 * @param cloud answers over HTTPS, if the platform supports it
 */
export async function connectRealProvider(
  { endpoints }: Cloud,
  { folder, say, closing }: { folder: string; say: (line: string) => void; closing: Closing },
): Promise<RealConnection> {
  const refused = new Set<string>();
  const proxy = await startClosedProxy((host) => {
    if (refused.has(host)) return;
    refused.add(host);
    say(`refused: the provider asked ${host}, which is outside of the rehearsal`);
  });
  closing.add(() => proxy.close());
  const { http, https, httpsTrustBundle } = endpoints;
  if (https === undefined || httpsTrustBundle === undefined) {
    say(
      "the provider gets plain HTTP, since Go takes no CA from a file on this system: provider 7.26 or later is needed; earlier versions stop at the first record set",
    );
    return connection(http, throughProxy(proxy.url));
  }
  const trustFile = resolve(join(folder, trustName));
  writeOwn(trustFile, httpsTrustBundle);
  return connection(https, { ...throughProxy(proxy.url), SSL_CERT_FILE: trustFile });
}

function connection(cloudUrl: string, variables: Readonly<Record<string, string>>): RealConnection {
  return {
    providerArguments: realProviderArguments({ cloudUrl }),
    environment: { ...realProviderEnvironment({ cloudUrl }), ...variables },
  };
}

/** Duration of the first operation, in milliseconds of the machine: it is pending at its first poll. */
const pendingAtPollMs = 200;
/** Duration of the first operation of each method, in milliseconds of the machine: it is done at its first poll. */
const pendingAtStartMs = 1;

/**
 * Returns the durations of operations for the real provider, in milliseconds of the cloud's time. The provider polls a
 * pending operation at once, and again only after 10 seconds. So only the first operation is pending at its first poll.
 * The first operation of each method is pending in the answer that begins it. All others are done in that answer.
 *
 * @param hasBegun returns whether Terraform may run; operations of the preparation before that are done at once
 * @param speed seconds of the cloud's time per second of the machine's time
 */
export function realOperationTimes(hasBegun: () => boolean, speed: number): (methodId: string) => number {
  const methods = new Set<string>();
  return (methodId) => {
    if (!hasBegun() || methods.has(methodId)) return 0;
    methods.add(methodId);
    return (methods.size === 1 ? pendingAtPollMs : pendingAtStartMs) * speed;
  };
}

/** Returns the version of the google provider that `init` installed, from its lock file; undefined if it is unknown. */
export function lockedProviderVersion(folder: string): string | undefined {
  const file = join(folder, ".terraform.lock.hcl");
  if (!existsSync(file)) return undefined;
  return /^provider "[^"]*\/google" \{[^}]*?^\s*version\s*=\s*"([^"]+)"/m.exec(readFileSync(file, "utf8"))?.[1];
}
