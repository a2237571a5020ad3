import { type CodeTable, error, warning } from "../../findings/codes";

/** Codes for errors of constructs, in addition to the checks of the plan. */
export const constructErrors = {
  "lookup-name-unknown": error(
    "A method of a construct looks up a resource that the construct does not create",
    "use one of the names in the message",
  ),
  "target-proxy-invalid": error(
    "'targetHttpsProxies' or 'targetSslProxies' contains a value that is not a target proxy of the app",
    "pass constructs of the app; use 'adoptTargetHttpsProxies' or 'adoptTargetSslProxies' for other proxies",
  ),
  "construct-path-invalid": error(
    "Terraform would evaluate the construct's path in the output 'cert_migration'",
    "use construct ids without '${' and '%{'",
  ),
  "map-missing": error(
    "A construct in phase 'serve' has no certificate map for its entries",
    "set 'certificateMap', or remove 'phase'",
  ),
  "kit-mixed": error(
    "Constructs of cdktf and of cdktn (CDK Terrain) are used together",
    "import this package, the kit and the bindings as in the message: an app uses one kit",
  ),
  "kit-missing": error(
    "A package that the constructs need is not installed",
    "run the command that the message names, or import from the entry of the other kit",
  ),
  "package-versions-mixed": error(
    "Constructs of two versions of this package are used together",
    "install one version for all packages of the app",
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
  "authorization-names-differ": error(
    "Two constructs use the same authorization with different names, because their 'naming' differs",
    "use the same 'naming' in both, or pass the id of the first authorization to the second construct in 'existingAuthorizations'",
  ),
  "resource-name-in-two-constructs": error(
    "'naming' gives the name of a resource to a resource of another construct, of the same kind in the same place",
    "let 'naming' return different names, for example with the last 12 characters of the suggestion",
  ),
  "authorization-publishers-differ": error(
    "Two constructs publish the CNAME record of a domain in different ways",
    "use the same 'dns' in both",
  ),
  "publisher-invalid": error(
    "The argument of 'DnsPublication.custom' has no method 'publish'",
    "pass an object such as { publish: (scope, record) => … }",
  ),
  "publisher-missing": error(
    "'dns' is data of the kind 'custom', and data has no publisher",
    "pass DnsPublication.custom(publisher) as 'dns', or use the kind 'external'",
  ),
  "published-record-invalid": error(
    "The publisher of 'DnsPublication.custom' returned no resource of the stack for a record, or an import id that is not valid",
    "return a list such as [{ resource, importId }], with resources that are created in 'scope', and ids in which only plain references are evaluated",
  ),
  "import-id-missing": error(
    "A record that exists would be created again, because the publisher returned no import id",
    "return 'importId' with the resource, in the form that the DNS provider documents for imports",
  ),
  "authorization-providers-differ": error(
    "Two constructs use the same authorization or its record with different providers",
    "use the same provider in both, or pass the id of the first authorization to the second construct in 'existingAuthorizations'",
  ),
  "dependency-cycle": error(
    "A migration or a gate and another construct depend on each other, by 'node.addDependency', 'dependsOn' or references",
    "remove one of the dependencies",
  ),
  "provider-invalid": error(
    "A 'provider' is not a google provider of the construct's stack",
    "use a GoogleProvider of the stack that contains the construct",
  ),
  "provider-without-alias-missing": error(
    "All google providers of a stack have an alias, and a resource of a migration has no provider: Terraform would configure a further one from the environment",
    "pass one of them as 'provider', or add a google provider without alias",
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
  "clock-invalid": error(
    "The context 'cert-migration:now' is not a time",
    "use a time as in 2026-11-21T00:00:00Z, or remove it from the context of the app",
  ),
  "rehearsal-context-unknown": error(
    "The context of a rehearsal has an unknown format",
    "use the same version on both sides",
  ),
  "alerts-repeated": error(
    "A migration is watched twice: by 'alerts' of its own, or by another CertificateAlerts",
    "remove 'alerts' from the migration, or the migration from 'migrations'",
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
  "name-prefix-invalid": error(
    "'namePrefix' is not valid",
    "use 1 to 20 characters of a-z, 0-9 and '-', with a letter first and no '-' last",
  ),
  "reference-not-allowed": error("A value must be known before Terraform runs", "write the value itself"),
  "actor-invalid": error("'ignoredActors' contains a value that is not an e-mail address", "use e-mail addresses"),
  "label-key-invalid": error(
    "The key of a label is not valid",
    "use 1 to 63 characters of a-z, 0-9, '-' and '_', with a letter first",
  ),
  "label-value-invalid": error(
    "The value of a label is not valid",
    "use at most 63 characters of a-z, 0-9, '-' and '_'",
  ),
} as const satisfies CodeTable;

/** Codes for warnings that are annotations of constructs, in addition to the checks of the plan. */
export const constructWarnings = {
  "clock-set": warning(
    "The context 'cert-migration:now' sets the time of the synthesis, so that expired certificates may not be found",
    "use it in tests only: remove it from the context of an app that you deploy",
  ),
  "aspect-misses-shared-resource": warning(
    "An aspect of a migration does not change an authorization, a record or an API that another migration uses too",
    "add the aspect to the stack",
  ),
  "milestone-not-awaited": warning(
    "A construct depends on a milestone of a migration for which Terraform does not wait in this phase or with this gate",
    "use the phase 'serve' and the gate 'wait', or order the constructs in two deployments",
  ),
  rehearsal: warning(
    "The stack is synthesized for a rehearsal, with the rehearsal's phase and traffic",
    "never deploy it; synthesize the app again",
  ),
} as const satisfies CodeTable;

declare module "../../findings/codes" {
  interface Codes
    extends Record<keyof typeof constructErrors, true>,
      Record<keyof typeof constructWarnings, true>,
      Record<keyof typeof alertErrors, true> {}
}
