import { type Answer, parentOf } from "../../dns";
import { registered } from "../../hostnames";
import { readCaa } from "../../x509";
import { whyUnreadable } from "./server-fault";

/**
 * Returns why the CA has to refuse a name because of CAA records, as in `the CAA records of example.com are 0 issue
 * "other-ca.com"`. The closest CAA records up the tree apply (RFC 8659).
 *
 * @param name may be a wildcard
 * @param caaOf looks up the CAA records of a name
 * @returns undefined if the CA may issue, and if no DNS server answers
 */
export async function caaRefusal(name: string, caaOf: (name: string) => Promise<Answer>): Promise<string | undefined> {
  const owner = registered(name);
  for (let at: string | undefined = name.replace(/^\*\./, ""); at !== undefined; at = parentOf(at)) {
    const answer = await caaOf(at);
    if (!answer.ok) {
      // A registry serves the names above the registered domain, and many resolvers refuse queries for them. Without an
      // answer, this machine may have no DNS; the failure of a server concerns the CA as well.
      const isOwn = at === owner || at.endsWith(`.${owner}`);
      return isOwn ? whyUnreadable(`the CAA records of ${at}`, answer.detail) : undefined;
    }
    if (answer.data.length === 0) continue;
    const { verdict } = readCaa(name, answer.data);
    const isRefused = verdict === "forbidden" || verdict === "critical";
    return isRefused ? `the CAA records of ${at} are ${answer.data.join(", ")}` : undefined;
  }
  return undefined;
}
