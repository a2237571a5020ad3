import { type CodeTable, error } from "../../findings/codes";

/** Codes for errors of constructs, in addition to the checks of the plan. */
export const constructErrors = {
  "dns-missing": error("'dns' is not a DnsPublication", "use DnsPublication.cloudDns or DnsPublication.external"),
  "kit-mixed": error(
    "Constructs of cdktf and of cdktn (CDK Terrain) are used together",
    "import this package, the kit and the bindings as in the message: an app uses one kit",
  ),
  "kit-missing": error(
    "A package that the constructs need is not installed",
    "run the command that the message names, or import from the entry of the other kit",
  ),
  "authorization-in-two-stacks": error(
    "Two stacks would own the authorization of one domain",
    "pass the id of the first authorization to the second stack in 'existingAuthorizations'",
  ),
  "authorization-types-differ": error(
    "Two constructs use the same authorization with different types",
    "use the same type in both",
  ),
  "authorization-labels-differ": error(
    "Two constructs use the same authorization with different labels",
    "use the same labels in both",
  ),
  "authorization-publishers-differ": error(
    "One construct writes the CNAME record of a domain, another expects you to publish it",
    "use the same 'dns' in both",
  ),
  "authorization-repeated": error(
    "A stack creates an authorization for a domain that a migration authorizes too",
    "pass its id in 'existingAuthorizations', or remove it",
  ),
  "zone-domain-mismatch": error(
    "A zone of the app is not authoritative for the domain that is its key in 'zones'",
    "give a zone whose dnsName is the domain or a parent domain",
  ),
  "authorization-zones-differ": error(
    "Two constructs publish the same record in two zones",
    "use the same zone in both",
  ),
  "fixed-record-in-two-projects": error(
    "Two projects authorize the same domain with the same CNAME record, but different data",
    "use authorizationType PER_PROJECT_RECORD",
  ),
  "entry-in-two-constructs": error(
    "Two constructs have an entry for the same hostname in the same map",
    "keep one entry, or use two maps",
  ),
  "shared-id-taken": error("A construct has the id that shared resources of the stack use", "choose another id"),
  "hcl-output-unsupported": error("SYNTH_HCL_OUTPUT is set, and cdktf can't write the stack as HCL", "unset it"),
  "rehearsal-context-unknown": error(
    "The context of a rehearsal has an unknown format",
    "use the same version on both sides",
  ),
} as const satisfies CodeTable;

/** Codes for errors of AdminChangeAlerts. */
export const alertErrors = {
  "filter-too-long": error("The log filter is longer than Cloud Logging allows", "use fewer 'ignoredActors'"),
  "name-too-long": error("The names of alert policies would be too long", "give the construct a shorter id"),
  "events-empty": error("'events' is empty", "name events or classes, or remove it"),
  "event-unknown": error("'events' contains an unknown name", "use an event or a class of the catalogue"),
  "organization-id-invalid": error(
    "'organizationId' is not valid",
    "use the digits that 'gcloud organizations list' prints",
  ),
  "project-invalid": error("'project' is not valid", "use the id of a project, without 'projects/'"),
  "log-bucket-option-unused": error(
    "An option of a new log bucket is set together with 'logBucket'",
    "remove one of the two",
  ),
  "log-bucket-location-invalid": error("'logBucketLocation' is not valid", "use 'global' or a region"),
  "log-bucket-invalid": error("'logBucket' is not valid", "use projects/PROJECT/locations/LOCATION/buckets/BUCKET"),
  "log-bucket-in-other-project": error("'logBucket' is in another project", "use a bucket in 'project'"),
  "severity-invalid": error("'severity' is not valid", "use CRITICAL, ERROR or WARNING"),
  "name-prefix-invalid": error(
    "'namePrefix' is not valid",
    "use 1 to 20 characters of a-z, 0-9 and '-', with a letter first and no '-' last",
  ),
  "reference-not-allowed": error("A value must be known before Terraform runs", "write the value itself"),
  "actor-invalid": error("'ignoredActors' contains a value that is not an e-mail address", "use e-mail addresses"),
  "notification-channels-too-many": error("There are more than 16 notification channels", "use at most 16"),
  "notification-channel-invalid": error(
    "A notification channel is not valid",
    "use projects/PROJECT/notificationChannels/NUMBER",
  ),
  "label-key-invalid": error(
    "The key of a label is not valid",
    "use 1 to 63 characters of a-z, 0-9, '-' and '_', with a letter first",
  ),
  "label-value-invalid": error(
    "The value of a label is not valid",
    "use at most 63 characters of a-z, 0-9, '-' and '_'",
  ),
} as const satisfies CodeTable;

declare module "../../findings/codes" {
  interface Codes extends Record<keyof typeof constructErrors, true>, Record<keyof typeof alertErrors, true> {}
}
