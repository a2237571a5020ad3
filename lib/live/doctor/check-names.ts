/** All checks, in the order of the output. */
export const checkNames = [
  "project",
  "billing",
  "apis",
  "permissions",
  "quotas",
  "references",
  "zones",
  "delegation",
  "authorizations",
  "challenges",
  "caa",
  "caPools",
  "hostnames",
  "records",
  "resolvers",
  "proxies",
  "existing",
  "renewals",
  "clients",
] as const;

/** The name of a check. */
export type CheckName = (typeof checkNames)[number];
