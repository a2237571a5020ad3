import type { Json } from "../front";
import { invalidValue, requiredField } from "./answers";
import type { Concept } from "./concept";
import { followField } from "./concept";
import { textMembers } from "./resources";

/** Targets of load balancers. Stored but never contacted: the cloud's front end answers requests itself. */
export const backendServices: Concept = {
  collection: "backendServices",
  schema: "BackendService",
  noun: "backend_service",
  methods: { global: "backendServices", regional: "regionBackendServices" },
  changes: { needsFingerprint: true },
  complete(body, { scope }, { resources }) {
    const healthChecks = textMembers(body, "healthChecks").map(
      (link, index) =>
        followField(link, `healthChecks[${index}]`, ["healthChecks", "httpHealthChecks"], scope, resources).link,
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

/** The member that belongs to each type. */
const settings: Readonly<Record<string, string>> = {
  GRPC: "grpcHealthCheck",
  GRPC_WITH_TLS: "grpcTlsHealthCheck",
  HTTP: "httpHealthCheck",
  HTTP2: "http2HealthCheck",
  HTTPS: "httpsHealthCheck",
  SSL: "sslHealthCheck",
  TCP: "tcpHealthCheck",
};

/** Health checks; stored but never run, because the cloud emulates no backends. */
export const healthChecks: Concept = {
  collection: "healthChecks",
  schema: "HealthCheck",
  noun: "health_check",
  methods: { global: "healthChecks", regional: "regionHealthChecks" },
  complete(body) {
    const type = body.type ?? Object.keys(settings).find((word) => body[settings[word] as string] !== undefined);
    if (typeof type !== "string") throw requiredField("type");
    const wanted = settings[type];
    const conflicting = Object.values(settings).find((member) => member !== wanted && body[member] !== undefined);
    if (wanted === undefined || conflicting !== undefined)
      throw invalidValue("type", type, `A health check of this type has no ${conflicting ?? "settings"}.`);
    return completeIntervals({ ...body, type });
  },
};

/** Legacy health checks over HTTP; stored but never run, because the cloud emulates no backends. */
export const httpHealthChecks: Concept = {
  collection: "httpHealthChecks",
  schema: "HttpHealthCheck",
  noun: "http_health_check",
  methods: { global: "httpHealthChecks" },
  complete(body) {
    return completeIntervals({ port: 80, requestPath: "/", ...body });
  },
};

function completeIntervals(body: Json): Json {
  const completed: Json = { checkIntervalSec: 5, timeoutSec: 5, healthyThreshold: 2, unhealthyThreshold: 2, ...body };
  if (Number(completed.timeoutSec) > Number(completed.checkIntervalSec))
    throw invalidValue("timeoutSec", completed.timeoutSec, "It must not be longer than checkIntervalSec.");
  return completed;
}
