import { pathOfLink } from "./links";
import { type Resources, textOf } from "./resources";

/** Returns the addresses of the load balancers whose target proxies use an SSL certificate. @param link full link */
export function frontendAddressesOf(link: string, resources: Resources): readonly string[] {
  const proxies = resources.usersOf(pathOfLink(link));
  const rules = proxies.flatMap(({ selfLink }) => resources.usersOf(pathOfLink(selfLink)));
  return rules.map((rule) => textOf(rule, "IPAddress"));
}
