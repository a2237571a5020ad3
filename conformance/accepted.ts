/** Reasons of differences that are accepted, by the id of the behavior. */
export type Accepted = Readonly<Record<string, string>>;

const auditLog =
  "Cloud Audit Logs are not part of the rehearsal cloud: this project reads events of the Admin console, from files and its API";

/** Where the rehearsal cloud does otherwise than the sources, with the reason. */
export const acceptedInRehearsal: Accepted = {
  "private-ca.issuance-configs.certificate-without-role":
    "every caller may request certificates from a pool of the rehearsal cloud unless a test states the project's roles",
  "service-usage.projects.unknown": "every project exists in the rehearsal cloud, so that a test creates none",
  "monitoring.alert-policies.metric-unknown":
    "the rehearsal cloud has no metrics of users, so that it can't know which of them exist, and accepts each",
  "logging.audit-log.operation": auditLog,
  "logging.audit-log.payload": auditLog,
};

/** Where Google Cloud was seen to do otherwise than its sources. No run has been recorded yet. */
export const acceptedOnGoogle: Accepted = {};
