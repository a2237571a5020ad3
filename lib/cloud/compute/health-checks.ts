import type { Json } from "../front";
import type { Concept } from "./concept";
import { invalidValue, requiredField } from "./refusals";

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
  global: "healthChecks",
  regional: "regionHealthChecks",
  complete(body) {
    const type = body.type ?? Object.keys(settings).find((word) => body[settings[word] as string] !== undefined);
    if (typeof type !== "string") throw requiredField("type");
    const wanted = settings[type];
    const other = Object.values(settings).find((member) => member !== wanted && body[member] !== undefined);
    if (wanted === undefined || other !== undefined)
      throw invalidValue("type", type, `A health check of this type has no ${other ?? "settings"}.`);
    const completed: Json = {
      checkIntervalSec: 5,
      timeoutSec: 5,
      healthyThreshold: 2,
      unhealthyThreshold: 2,
      ...body,
      type,
    };
    if (Number(completed.timeoutSec) > Number(completed.checkIntervalSec))
      throw invalidValue("timeoutSec", completed.timeoutSec, "It must not be longer than checkIntervalSec.");
    return completed;
  },
};
