/** What Terraform logs if a plan or a new state of a provider is not as it should be. */
const badPlan = /tolerating it|invalid plan|inconsistent result|unexpected new value/;

/**
 * Attributes that only the service sets and changes, by itself or with an update. The provider plans no change of
 * them, so that Terraform logs their new values. The service also replaces the project's id with its number in the trust
 * config of a policy.
 */
const serviceAttributes =
  /^(?:id|fingerprint|label_fingerprint|update_time|state|users|enabled_features|gclb_targets|mtls_policy\.client_validation_trust_config|managed\.(?:state|provisioning_issue|authorization_attempt_info))(?:\.|$)/;

/**
 * Returns the entries of Terraform's log about plans and states that a provider should not have returned, without
 * those about {@link serviceAttributes} alone.
 *
 * @param log of `TF_LOG=WARN`: an entry is a line with its time and level, and the lines below it
 */
export function badPlansIn(log: string): readonly string[] {
  return log.split(/\n(?=\S+ \[)/).filter((entry) => {
    if (!/\[(?:WARN|ERROR)\]/.test(entry) || !badPlan.test(entry)) return false;
    const named = [...entry.matchAll(/^ +- \.([\w.[\]]+)/gm)].map(([, name = ""]) => name.replace(/\[\d+\]/g, ""));
    return named.length === 0 || !named.every((name) => serviceAttributes.test(name));
  });
}
