import { join, resolve } from "node:path";
import type { Cloud, OperatingService } from "../cloud";
import { realProviderArguments, realProviderEnvironment } from "../terraform-provider";
import { startClosedProxy, throughProxy } from "./closed-proxy";
import type { Closing } from "./closing";
import { writeOwn } from "./folder";
import type { Block } from "./stack";

/** How the real google provider is led to the cloud. */
export interface RealConnection {
  /** Arguments of each of its blocks. */
  readonly providerArguments: Block;
  /** Variables of plan, apply, import and destroy; `init` installs the provider and keeps the user's. */
  readonly environment: Readonly<Record<string, string>>;
}

/** File of the CA that signed the certificate of the cloud's HTTPS services. */
const trustName = "cloud-https.pem";

/** Where Go asks the system alone which CAs to trust, and ignores `SSL_CERT_FILE` (documentation of its package crypto/x509). */
const withoutTrustFile: readonly NodeJS.Platform[] = ["darwin", "win32"];

/** Whether programs in Go can be told by a file to trust the cloud's HTTPS services; else they are given plain HTTP. */
export function takesTrustFile(platform: NodeJS.Platform): boolean {
  return !withoutTrustFile.includes(platform);
}

/**
 * Leads the real provider to the cloud, and everything else that it may ask to a closed proxy.
 *
 * Over HTTPS, because clients of the provider before 7.26 take the version out of the endpoints of Cloud DNS and others only there, and fail on plain HTTP.
 *
 * @param cloud which answers over HTTPS, if the platform takes it
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

function connection(cloudUrl: string, own: Readonly<Record<string, string>>): RealConnection {
  return {
    providerArguments: realProviderArguments({ cloudUrl }),
    environment: { ...realProviderEnvironment({ cloudUrl }), ...own },
  };
}

/** How long the first operation of each service is pending, in milliseconds of the cloud's time. */
const firstPendingMs = 500;

/**
 * Returns how long operations run where the real provider waits for them: it asks again after 10 seconds, so only the first of each service is pending, and all
 * others are done when they are answered.
 *
 * @param hasBegun whether Terraform may run by now; what is prepared before that is done at once
 */
export function realOperationTimes(hasBegun: () => boolean): (service: OperatingService) => number {
  const seen = new Set<OperatingService>();
  return (service) => {
    if (!hasBegun() || seen.has(service)) return 0;
    seen.add(service);
    return firstPendingMs;
  };
}
