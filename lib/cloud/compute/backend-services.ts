import type { Concept } from "./concept";
import { follow } from "./follow-link";
import { textsOf } from "./resources";

/** Targets of load balancers. Stored but never contacted: the cloud's front end answers requests itself. */
export const backendServices: Concept = {
  collection: "backendServices",
  schema: "BackendService",
  noun: "backend_service",
  global: "backendServices",
  regional: "regionBackendServices",
  needsFingerprint: true,
  complete(body, { scope }, { resources }) {
    const healthChecks = textsOf(body, "healthChecks").map(
      (link, index) =>
        follow(link, `healthChecks[${index}]`, ["healthChecks", "httpHealthChecks"], scope, resources).link,
    );
    return {
      protocol: "HTTP",
      loadBalancingScheme: "EXTERNAL",
      timeoutSec: 30,
      sessionAffinity: "NONE",
      affinityCookieTtlSec: 0,
      connectionDraining: { drainingTimeoutSec: 0 },
      enableCDN: false,
      ...body,
      ...(healthChecks.length === 0 ? {} : { healthChecks }),
    };
  },
};
