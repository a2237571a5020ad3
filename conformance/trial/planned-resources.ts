import { InputError } from "../../lib/errors";
import type { JournalResource } from "../journal";
import type { Identity } from "../normalize";
import { isOwnResource } from "../own";

interface PlannedChange {
  readonly mode: string;
  readonly type: string;
  readonly address: string;
  readonly change: {
    readonly actions: readonly string[];
    readonly after?: Readonly<Record<string, string>> | null;
  };
}

type Values = Readonly<Record<string, string>>;
interface Trial extends Pick<Identity, "project"> {
  readonly hostname: string;
}

/** Returns the entry of the journal for each type of resource that a trial creates. */
const entries: Readonly<Record<string, (values: Values, of: Trial) => JournalResource | undefined>> = {
  google_certificate_manager_dns_authorization: located("dnsAuthorizations"),
  google_certificate_manager_certificate: located("certificates"),
  google_certificate_manager_certificate_map: located("certificateMaps"),
  google_certificate_manager_certificate_map_entry: ({ name, map }, { project }) => ({
    createdBy: "certificatemanager.projects.locations.certificateMaps.certificateMapEntries.create",
    target: { name: `projects/${project}/locations/global/certificateMaps/${map}/certificateMapEntries/${name}` },
  }),
  google_compute_target_https_proxy: ({ name = "" }, { project }) => ({
    createdBy: "compute.targetHttpsProxies.insert",
    target: { project, targetHttpsProxy: name },
  }),
  google_compute_global_forwarding_rule: ({ name = "" }, { project }) => ({
    createdBy: "compute.globalForwardingRules.insert",
    target: { project, forwardingRule: name },
  }),
  google_dns_record_set: (values, { project, hostname }) => ({
    createdBy: "dns.resourceRecordSets.create",
    target: {
      project,
      managedZone: values.managed_zone ?? "",
      // Only the authorization contains the name of its record, but an authorization of the type FIXED_RECORD always
      // has this one: https://cloud.google.com/certificate-manager/docs/dns-authorizations
      name: values.name ?? `_acme-challenge.${hostname}.`,
      type: values.type ?? "CNAME",
    },
  }),
  // A gate is a resource of Terraform alone.
  terraform_data: () => undefined,
};

function located(collection: string): (values: Values, of: Trial) => JournalResource {
  return ({ name, location = "global" }, { project }) => ({
    createdBy: `certificatemanager.projects.locations.${collection}.create`,
    target: { name: `projects/${project}/locations/${location}/${collection}/${name}` },
  });
}

/**
 * Returns what an apply of a plan would create, for the journal.
 *
 * @param plan output of `terraform show -json`
 * @throws InputError for a type or an incomplete name that the journal has no entry for, and for a name that is not of
 * the run: nothing is applied then
 */
export function plannedResources(plan: string, run: Identity, hostname: string): readonly JournalResource[] {
  const trial = { project: run.project, hostname };
  const { resource_changes: changes = [] } = JSON.parse(plan) as { readonly resource_changes?: PlannedChange[] };
  return changes
    .filter(({ mode, change }) => mode === "managed" && change.actions.includes("create"))
    .flatMap(({ type, address, change }) => {
      const entryOf = entries[type];
      if (entryOf === undefined) throw refusal(address, `the journal has no entry for ${type}`);
      const entry = entryOf(change.after ?? {}, trial);
      if (entry === undefined) return [];
      if (Object.values(entry.target).some((value) => value === "" || value.includes("undefined")))
        throw refusal(address, "the plan does not contain its name");
      if (!isOwnResource(entry, run))
        throw refusal(address, `${JSON.stringify(entry.target)} does not have the prefix of the run`);
      return [entry];
    });
}

function refusal(address: string, why: string): InputError {
  return new InputError("value-not-allowed", `${address} is not applied: ${why}, so a cleanup could not delete it`);
}
