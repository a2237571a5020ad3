import { type CodeMeaning, error, info } from "../../findings/codes";
import type { LiveCertificate } from "../../google";
import { registered } from "../../hostnames";
import { traitsOf } from "../../plan";
import { lastPart } from "../../resource-names";
import { gcloud } from "../../text/command-line";
import { dnsHostOf } from "../records";
import { type CheckContext, oneCode } from "./check-row";
import { locationFlags } from "./compute-names";
import { notServed } from "./not-served";
import { namedCertificates, parentIdOf } from "./plan-mentions";
import { projectNeeds } from "./project-needs";

/** A certificate that exists before the migration. */
interface ExistingCertificate {
  readonly id: string;
  /** @default - the migration only keeps it beside its own certificates */
  readonly domains?: readonly string[];
}

function existingCertificates({ subject, options: { source } }: CheckContext): readonly ExistingCertificate[] {
  return namedCertificates(subject, source?.plan).flatMap((id): readonly ExistingCertificate[] => {
    const stated = subject.certificates.existing.filter((certificate) => certificate.id === id);
    return stated.length > 0 ? stated : [{ id }];
  });
}

/** Returns undefined for a missing certificate, which the check of references reports. */
async function liveCertificate(
  { id }: Pick<ExistingCertificate, "id">,
  { shared }: CheckContext,
): Promise<LiveCertificate | undefined> {
  return (await shared.manager.certificatesIn(parentIdOf(id))).find(({ name }) => name === id);
}

/** A certificate in renewal is also PROVISIONING, and serves its current version until that version expires. */
function isIssued({ state, expireTime }: LiveCertificate): boolean {
  return state === "ACTIVE" || (state === "PROVISIONING" && expireTime !== undefined);
}

/** The check of existing certificates, which several codes share. */
const ofExisting = {
  check: "existing",
  of: existingCertificates,
  subject: () => "certificates",
  ask: liveCertificate,
} as const;

/** Checks that report one code each. A row has everything that the output, `explain` and the pages need. */
export const oneCodeChecks = {
  "project-unknown": oneCode({
    ...error(
      "The project of the resources is unknown, so no check of Google Cloud was possible.",
      "add --project, or read the migration from --outputs",
    ),
    check: "project",
    of: ({ subject }) => [subject],
    subject: ({ path }) => path,
    ask: async ({ project }) => project,
    judge: (project, { path }) =>
      project === undefined ? { subject: path, what: `the project of ${path} is not known` } : undefined,
  }),
  "billing-off": oneCode({
    ...error(
      "Billing is disabled: Google Cloud issues no certificate and creates no load balancer.",
      "link the project to an active billing account",
    ),
    check: "billing",
    of: ({ subject }) => projectNeeds(subject).map(({ project }) => project),
    subject: (project) => project,
    ask: (project, { options: { google, signal } }) => google.projects.billingEnabled(project, signal),
    judge: (isEnabled, project) =>
      isEnabled
        ? undefined
        : {
            subject: project,
            what: `project ${project} has no open billing account`,
            command: gcloud("billing projects describe", project),
          },
  }),
  "dns-host-recognized": oneCode({
    ...info(
      "The name servers of a zone whose records you publish belong to a known DNS host.",
      "publish the records with the command that the finding names",
    ),
    check: "delegation",
    of: ({ subject: { dns } }) => {
      const published = dns.domains.filter((domain) => domain.published === "external");
      return [...new Set(published.map(({ domain }) => registered(domain)))];
    },
    subject: (domain) => domain,
    ask: (domain, { shared }) => shared.delegationOf(domain),
    judge: (delegation, domain) => {
      const host = delegation.ok ? dnsHostOf(delegation.nameServers) : undefined;
      if (host === undefined) return undefined;
      const remedy = `publish the records in its format: 'cert-migration records --format ${host.format}'`;
      return { subject: domain, what: `the name servers of ${domain} are of ${host.name}`, remedy };
    },
  }),
  "existing-not-active": oneCode({
    ...error(
      "The migration uses an existing certificate that is not issued, or has expired.",
      "wait until it is ACTIVE, or create another certificate: a FAILED certificate never recovers",
    ),
    ...ofExisting,
    judge: (live, { id }, { options: { now } }) => {
      if (live === undefined) return undefined;
      const { state, expireTime, validation } = live;
      if (!isIssued(live))
        return validation === "loadBalancer" ? undefined : { subject: id, what: `${id} is ${state}` };
      if (expireTime === undefined || new Date(expireTime) > now) return undefined;
      return { subject: id, what: `${id} expired at ${expireTime}` };
    },
  }),
  "existing-awaits-traffic": oneCode({
    ...error(
      "The migration uses an existing certificate without DNS authorizations: it becomes ACTIVE only after traffic has moved to a load balancer that has it, and the move would interrupt traffic.",
      "remove it, so that the migration creates a certificate with DNS authorizations",
    ),
    ...ofExisting,
    judge: (live, { id }) =>
      live === undefined || isIssued(live) || live.validation !== "loadBalancer"
        ? undefined
        : { subject: id, what: `${id} is ${live.state} and has no DNS authorizations` },
  }),
  "existing-scope-mismatch": oneCode({
    ...error(
      "The certificate has another scope than the load balancer, and the scope can't be changed.",
      "use a certificate with the scope of the load balancer, or remove it so that the migration creates a certificate",
    ),
    ...ofExisting,
    judge: (live, { id, domains }, { subject }) => {
      const { kind } = subject.balancer;
      const { certificateScope } = traitsOf(kind);
      const { scope = "DEFAULT" } = live ?? {};
      if (live === undefined || domains === undefined || scope === certificateScope) return undefined;
      return {
        subject: id,
        what: `${id} has the scope ${scope}, and ${kind} takes certificates of the scope ${certificateScope}`,
        command: gcloud("certificate-manager certificates describe", lastPart(id), ...locationFlags(id)),
      };
    },
  }),
  "existing-names-missing": oneCode({
    ...error(
      "The certificate does not contain some names that use it: their clients would get a certificate for another name.",
      "use another certificate, or let the migration create a certificate",
    ),
    ...ofExisting,
    judge: (live, { id, domains = [] }) => {
      const lacking = live === undefined ? [] : notServed(domains, live.domains);
      if (live === undefined || lacking.length === 0) return undefined;
      return { subject: id, what: `${id} is for ${live.domains.join(", ")}, and not for ${lacking.join(", ")}` };
    },
  }),
};

type OneCode = keyof typeof oneCodeChecks;

export const oneCodes = Object.keys(oneCodeChecks) as readonly OneCode[];

export const oneCodeMeanings = Object.fromEntries(
  oneCodes.map((code) => {
    const { severity, meaning, remedy } = oneCodeChecks[code];
    return [code, { severity, meaning, remedy }];
  }),
) as Readonly<Record<OneCode, CodeMeaning>>;
