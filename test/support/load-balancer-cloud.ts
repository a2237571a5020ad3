import { CertificateManager, type ValidationLookUp } from "../../lib/cloud/certificate-manager";
import { CloudDns } from "../../lib/cloud/cloud-dns/service";
import type { CloudError } from "../../lib/cloud/cloud-error";
import { createComputeService } from "../../lib/cloud/compute";
import { type Call, createRequestLog, Front, type RequestFault, startHttpServer } from "../../lib/cloud/front";
import { openLogEntries } from "../../lib/cloud/log-entries";
import { createLoggingService } from "../../lib/cloud/logging";
import { createProjectServices } from "../../lib/cloud/project-services";
import { createCloudClock, openStore } from "../../lib/cloud/state";
import { sendJson } from "./loopback";

export interface LoadBalancerCloudOptions {
  /** Duration in the cloud's time, which is ten times as fast as real time. @default 0 */
  readonly operationMs?: number;
  readonly fault?: (methodId: string) => RequestFault | undefined;
  /** Error of an operation of Certificate Manager. @default - all operations succeed */
  readonly failOperation?: (methodId: string, call: Call) => CloudError | undefined;
}

/** Returns a look-up of the records in the zones of Cloud DNS. */
function lookUpIn(dns: CloudDns): ValidationLookUp {
  return async (name, type) => {
    const found = dns.zones.findZone(name)?.recordSets(name) ?? [];
    const data = found.filter((recordSet) => recordSet.type === type).flatMap(({ rrdatas }) => rrdatas);
    return { rcode: data.length === 0 ? "NXDOMAIN" : "NOERROR", data };
  };
}

/**
 * Starts Certificate Manager, Compute Engine, Cloud DNS, Cloud Logging and Service Usage on one port. Certificates
 * become ACTIVE when their CNAMEs are in a zone.
 */
export async function startLoadBalancerCloud(options: LoadBalancerCloudOptions = {}) {
  const clock = createCloudClock({ startAt: new Date("2026-11-21T00:00:00Z"), speed: 10 });
  const store = openStore();
  const log = createRequestLog();
  const dns = new CloudDns({ store, clock, operationMs: options.operationMs ?? 0 });
  const common = { store, clock, operationMs: options.operationMs ?? 0, onChange: () => undefined };
  const compute = createComputeService({
    ...common,
    certificates: {
      hasMap: (name) => manager.hasMap(name),
      hasCertificate: (name) => manager.certificate(name) !== undefined,
      certificateScope: (name) => manager.certificate(name)?.scope as string | undefined,
    },
  });
  const manager: CertificateManager = new CertificateManager({
    ...common,
    propagatedMs: () => clock.now().getTime(),
    ...(options.failOperation === undefined ? {} : { failOperation: options.failOperation }),
    users: { ofMap: compute.targetsOfMap, ofCertificate: compute.proxiesUsing },
    privateCas: { issue: async () => ({ refusal: "there is no CA" }), hasPool: () => false },
    visibility: { addressesOf: async () => [], frontends: () => [] },
    lookUp: lookUpIn(dns),
    issue: async (domains) => ({
      chainPem: `certificate for ${domains.join(", ")}`,
      privateKeyPem: "key",
      notAfter: new Date(clock.now().getTime() + 90 * 24 * 3_600_000),
    }),
  });
  const front = new Front({
    services: [
      manager.service,
      compute.service,
      dns.service,
      createLoggingService(store, clock, common.operationMs, openLogEntries(store, clock)),
      ...createProjectServices(store, clock, common.operationMs),
    ],
    store,
    clock,
    log,
    sleep: async () => undefined,
    ...(options.fault === undefined ? {} : { fault: (methodId) => options.fault?.(methodId) }),
  });
  const server = await startHttpServer((request) => front.handle(request));
  return {
    url: server.url,
    clock,
    log,
    compute,
    dns,
    manager,
    /** Sends an HTTP request. */
    call: (httpMethod: string, path: string, body?: object) => sendJson(httpMethod, new URL(path, server.url), body),
    [Symbol.asyncDispose]: async () => {
      clock.stop();
      compute.release();
      await server.close();
    },
  };
}
