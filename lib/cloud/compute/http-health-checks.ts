import type { Concept } from "./concept";
import { invalidValue } from "./refusals";

/** Legacy health checks over HTTP; stored but never run, because the cloud emulates no backends. */
export const httpHealthChecks: Concept = {
  collection: "httpHealthChecks",
  schema: "HttpHealthCheck",
  noun: "http_health_check",
  global: "httpHealthChecks",
  complete(body) {
    const completed = {
      checkIntervalSec: 5,
      timeoutSec: 5,
      healthyThreshold: 2,
      unhealthyThreshold: 2,
      port: 80,
      requestPath: "/",
      ...body,
    };
    if (Number(completed.timeoutSec) > Number(completed.checkIntervalSec))
      throw invalidValue("timeoutSec", completed.timeoutSec, "It must not be longer than checkIntervalSec.");
    return completed;
  },
};
