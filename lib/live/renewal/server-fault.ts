import { serverFailure } from "../../dns";

/**
 * Returns why the CA can't read records either, as in `the CNAME record X can't be read (SERVFAIL)`.
 *
 * @param what names the records
 * @param detail of the failed query
 * @returns undefined if only this machine may have no answer
 */
export function whyUnreadable(what: string, detail: string): string | undefined {
  const cause = serverFailure(detail);
  return cause && `${what} can't be read (${cause})`;
}
