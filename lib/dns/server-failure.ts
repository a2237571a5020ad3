/** Causes by the codes of {@link createLookUp} and {@link follow} for a server that fails. */
const causes: Readonly<Record<string, string>> = {
  SERVFAIL: "SERVFAIL",
  ESERVFAIL: "SERVFAIL",
  bogus: "DNSSEC validation fails",
};

/**
 * Returns the cause of a failed query if the name's own servers fail, so that other resolvers fail as well. After a
 * timeout or a refusal, only this machine may have no answer.
 *
 * @param detail of a failed query, from any look-up
 * @returns `SERVFAIL` or `DNSSEC validation fails`; undefined for other failures
 */
export function serverFailure(detail: string): string | undefined {
  return causes[detail];
}
