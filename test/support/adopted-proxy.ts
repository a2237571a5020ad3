import type { AdoptedTargetHttpsProxySpec } from "../../lib/plan";

/** Returns an adopted proxy whose settings have the defaults of the service. */
export function adoptedProxy(more: Partial<AdoptedTargetHttpsProxySpec> = {}): AdoptedTargetHttpsProxySpec {
  return {
    name: "web",
    urlMap: "web",
    sslCertificates: [],
    sslPolicy: "",
    quicOverride: "UNSET",
    tlsEarlyData: "UNSET",
    httpKeepAliveTimeoutSeconds: 0,
    serverTlsPolicy: "",
    description: "",
    ...more,
  };
}
