import { mapConcurrently } from "../../async/concurrent";
import { coverageOf } from "../../hostnames";
import { defined } from "../../json/defined";
import { describeCertificate, readCertificate } from "../../x509";
import type { Greeting } from "../live";
import type { Assembled } from "./assemble";
import type { ProjectForwardingRule, ProjectProbe } from "./model";
import { knownNames } from "./served-names";

export interface ProbeOptions {
  /** Makes one handshake with an address of the project. Never rejects. */
  readonly greet: (target: {
    readonly address: string;
    readonly port: number;
    readonly serverName: string;
  }) => Promise<Greeting>;
  /** Maximum number of simultaneous handshakes. */
  readonly concurrency: number;
  /** Called after each handshake, with the number of handshakes done and the total. */
  readonly onProbe?: (done: number, total: number) => void;
}

/**
 * Makes a handshake with each external address for each known name of its proxy. Internal addresses are left out,
 * because only clients in their network reach them.
 */
export async function probeProject(
  { inventory, idsByFingerprint }: Assembled,
  { greet, concurrency, onProbe }: ProbeOptions,
): Promise<readonly ProjectProbe[]> {
  const namesOf = knownNames(inventory);
  const names = new Map(inventory.proxies.map((proxy) => [proxy.id, namesOf(proxy)]));
  const targets = inventory.forwardingRules
    .filter(({ scheme }) => !scheme.startsWith("INTERNAL"))
    .flatMap((rule) => (names.get(rule.proxyId) ?? []).map((hostname) => ({ rule, hostname })));
  let done = 0;
  return mapConcurrently(targets, concurrency, async ({ rule, hostname }) => {
    const greeting = await greet({ address: rule.ipAddress, port: rule.port, serverName: hostname });
    done += 1;
    onProbe?.(done, targets.length);
    return describeProbe(rule, hostname, greeting, idsByFingerprint);
  });
}

function describeProbe(
  { id, ipAddress, port }: ProjectForwardingRule,
  hostname: string,
  greeting: Greeting,
  idsByFingerprint: ReadonlyMap<string, string>,
): ProjectProbe {
  const asked = { forwardingRuleId: id, ipAddress, port, hostname };
  if (!greeting.ok) return { ...asked, outcome: greeting.code };
  const [der] = greeting.chain;
  const leaf = der === undefined ? undefined : readCertificate(der);
  if (leaf === undefined) return { ...asked, outcome: "certificate-malformed" };
  const { fingerprintSha256, dnsNames, issuer, notAfter } = describeCertificate(leaf);
  return {
    ...asked,
    outcome: "served",
    ...defined({ certificateId: idsByFingerprint.get(fingerprintSha256) }),
    coverage: coverageOf(new Set(dnsNames), hostname),
    issuer,
    notAfter: notAfter.toISOString(),
  };
}
