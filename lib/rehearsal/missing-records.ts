import type { Authorization } from "./cloud-reader";
import { resourcesOf, type StackJson } from "./stack";

const authorizationType = "google_certificate_manager_dns_authorization";

/**
 * Returns the resources of steps 1 and 2 that a stack contains and a cloud does not have: authorizations, and their
 * CNAMEs.
 *
 * @param authorizations authorizations in the cloud
 * @param records record sets of the cloud's zones, for example `_acme-challenge.example.com. CNAME`
 * @param published whether CNAMEs that the stack does not write must also exist; if false, they are ignored
 * @returns short descriptions, for example `the authorization of 'example.com'`, without domains that only Terraform
 * knows
 */
export function missingRecordsOf(
  stack: StackJson,
  authorizations: readonly Authorization[],
  records: readonly string[],
  published: boolean,
): readonly string[] {
  const planned = Object.entries(resourcesOf(stack, authorizationType)).flatMap(([id, { domain }]) =>
    typeof domain === "string" && !domain.includes("${") ? [{ id, domain }] : [],
  );
  const made = new Map(authorizations.map((authorization) => [authorization.domain, authorization]));
  const written = Object.values(resourcesOf(stack, "google_dns_record_set")).map(({ name }) => String(name));
  return planned.flatMap(({ id, domain }) => {
    const authorization = made.get(domain);
    if (authorization === undefined) return [`the authorization of '${domain}'`];
    const { name, type } = authorization.dnsResourceRecord ?? {};
    const isWritten = written.some((each) => each.includes(`${authorizationType}.${id}.`));
    return (published || isWritten) && !records.includes(`${name} ${type}`) ? [`the ${type} '${name}'`] : [];
  });
}
