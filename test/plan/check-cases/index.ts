import { alertsCases } from "./alerts";
import { authorizationsCases } from "./authorizations";
import { certificatesCases } from "./certificates";
import { entriesCases } from "./entries";
import { generalCases } from "./general";
import { loadBalancerCases } from "./load-balancer";
import { selfManagedCases } from "./self-managed";
import { trafficCases } from "./traffic";

/** One case for each check; those of proxies that belong to the app are with the constructs. */
export const checkCases = [
  ...generalCases,
  ...certificatesCases,
  ...selfManagedCases,
  ...authorizationsCases,
  ...entriesCases,
  ...loadBalancerCases,
  ...trafficCases,
  ...alertsCases,
];
