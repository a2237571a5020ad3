/** Checks what clients with and without a client certificate got, in a rehearsal with mutual TLS. */
import { type ClientCounts, createClientCounts, type Probe } from "../probe";
import type { RehearsalResult } from "../rehearsal";
import { checkWithout, type EvidenceCheck } from "./evidence-lines";

/** Recounts the probes by kind of client. */
export function recountClients({ clients }: Pick<RehearsalResult, "clients">) {
  const counts = createClientCounts({ refusesOthers: clients?.refusesOthers === true });
  const kinds = new Map<string, Set<boolean>>();
  let unfit = 0;
  return {
    add: (probe: Probe): void => {
      if (!fitsRule(probe, clients)) unfit += 1;
      if (probe.clientCertificate === undefined) return;
      counts.add(probe);
      kinds.set(probe.hostname, (kinds.get(probe.hostname) ?? new Set()).add(probe.clientCertificate));
    },
    check: (): EvidenceCheck => {
      const single = [...kinds].filter(([, kindsMet]) => kindsMet.size < 2).map(([hostname]) => hostname);
      const isCounted = clients === undefined || isSame(clients, counts.counts());
      const found = [
        ...(unfit === 0 ? [] : [`${unfit} probes have another result than the rule for their clients allows`]),
        ...(single.length === 0 ? [] : [`probed by one kind of client only: ${single.join(", ")}`]),
        ...(isCounted ? [] : ["the counts differ from the file"]),
      ];
      return checkWithout(found, "client certificates", describe(clients));
    },
  };
}

/**
 * Returns whether a probe has the members of its kind of client. A server that has to refuse clients without a
 * certificate may not accept them, and no other refusal is a success.
 */
function fitsRule({ ok, clientCertificate, refused }: Probe, clients: ClientCounts | undefined): boolean {
  if (clients === undefined) return clientCertificate === undefined && refused === undefined;
  if (clientCertificate === undefined) return false;
  const isRefused = ok && !clientCertificate && clients.refusesOthers;
  return (refused === true) === isRefused;
}

function isSame(reported: ClientCounts, counted: ClientCounts): boolean {
  const listOf = ({ withCertificate, withoutCertificate }: ClientCounts) => [
    withCertificate?.probes,
    withCertificate?.failed,
    withoutCertificate?.probes,
    withoutCertificate?.failed,
    withoutCertificate?.refused,
  ];
  return listOf(reported).every((count, index) => count === listOf(counted)[index]);
}

function describe(clients: ClientCounts | undefined): string {
  if (clients === undefined) return "no client certificates were requested";
  const { refusesOthers, withCertificate, withoutCertificate } = clients;
  const withoutText = `${withoutCertificate.probes} without, ${refusesOthers ? "which have to be refused" : "which have to be accepted"}`;
  return `${withCertificate.probes} probes with a certificate, ${withoutText}`;
}
