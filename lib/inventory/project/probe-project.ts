import { mapConcurrently } from "../../async/concurrent";
import { coverageOf } from "../../hostnames";
import { defined } from "../../json/defined";
import {
  namesServedByProxy,
  type ProjectForwardingRule,
  type ProjectProbe,
  type ProjectProxy,
  type ServedResources,
} from "../../project-inventory";
import type { TlsProbeResult } from "../../tls/probe";
import { describeCertificate, readCertificate } from "../../x509";
import type { Assembled } from "./assemble";

/**
 * Returns a function that returns the names that a client can request from a proxy, sorted: its served names, and the
 * hosts of its URL map that a wildcard covers. A wildcard without a known host is represented by its name with `www`.
 */
function knownNames(inventory: ServedResources): (proxy: ProjectProxy) => readonly string[] {
  const servedBy = namesServedByProxy(inventory);
  const hosts = new Map(inventory.urlMaps.map((urlMap) => [urlMap.id, urlMap.hosts]));
  return (proxy) => {
    const served = servedBy(proxy);
    const names = new Set(served);
    const exact = served.filter((name) => !name.startsWith("*."));
    const routed = (hosts.get(proxy.urlMapId ?? "") ?? []).filter(
      (host) => !host.includes("*") && coverageOf(names, host) !== "none",
    );
    const known = new Set([...exact, ...routed]);
    for (const name of names) {
      if (!name.startsWith("*.")) continue;
      const isKnown = [...known].some((host) => host.slice(host.indexOf(".")) === name.slice(1));
      if (!isKnown) known.add(`www${name.slice(1)}`);
    }
    return [...known].sort();
  };
}

/** Options of {@link probeProject}. */
export interface ProbeOptions {
  /** Makes one handshake with an address of the project. Never rejects. */
  readonly probeTls: (target: {
    readonly address: string;
    readonly port: number;
    readonly serverName: string;
  }) => Promise<TlsProbeResult>;
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
  { probeTls, concurrency, onProbe }: ProbeOptions,
): Promise<readonly ProjectProbe[]> {
  const namesOf = knownNames(inventory);
  const names = new Map(inventory.proxies.map((proxy) => [proxy.id, namesOf(proxy)]));
  const targets = inventory.forwardingRules
    .filter(({ scheme }) => !scheme.startsWith("INTERNAL"))
    .flatMap((rule) => (names.get(rule.proxyId) ?? []).map((hostname) => ({ rule, hostname })));
  let done = 0;
  return mapConcurrently(targets, concurrency, async ({ rule, hostname }) => {
    const probe = await probeTls({ address: rule.ipAddress, port: rule.port, serverName: hostname });
    done += 1;
    onProbe?.(done, targets.length);
    return describeProbe(rule, hostname, probe, idsByFingerprint);
  });
}

function describeProbe(
  { id, ipAddress, port }: ProjectForwardingRule,
  hostname: string,
  probe: TlsProbeResult,
  idsByFingerprint: ReadonlyMap<string, string>,
): ProjectProbe {
  const asked = { forwardingRuleId: id, ipAddress, port, hostname };
  if (!probe.ok) return { ...asked, outcome: probe.code };
  const [der] = probe.chain;
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
