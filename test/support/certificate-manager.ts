import { CertificateManager, type CertificateManagerOptions } from "../../lib/cloud/certificate-manager";
import { createRequestLog, Front, startHttpServer } from "../../lib/cloud/front";
import { createCloudClock, openStore } from "../../lib/cloud/state";

/** Certificate Manager alone on a port, with a clock that stands still and a DNS that a test writes itself. */
export async function startCertificateManager(options: Partial<CertificateManagerOptions> = {}) {
  const clock = createCloudClock({ startAt: new Date("2026-11-21T00:00:00Z"), speed: 0 });
  const store = openStore();
  const records = new Map<string, readonly string[]>();
  const manager = new CertificateManager({
    store,
    clock,
    operationMs: 500,
    entryActivationMs: 60_000,
    lookUp: async (name, type) => {
      const data = records.get(`${type} ${name}`) ?? [];
      return { rcode: data.length === 0 ? "NXDOMAIN" : "NOERROR", data };
    },
    issue: async (domains) => ({
      chainPem: `certificate for ${domains.join(", ")}`,
      privateKeyPem: "key",
      notAfter: new Date(clock.now().getTime() + 90 * 24 * 3_600_000),
    }),
    targetsOfMap: () => [],
    proxiesUsing: () => [],
    onChange: () => undefined,
    ...options,
  });
  const log = createRequestLog();
  const front = new Front({ services: [manager.service], store, clock, log, sleep: async () => undefined });
  const server = await startHttpServer((request) => front.handle(request));
  return {
    url: server.url,
    clock,
    manager,
    log,
    /** Puts a record into DNS, or takes it out. */
    publish: (name: string, ...data: readonly string[]) => void records.set(`CNAME ${name}`, data),
    publishCaa: (name: string, ...data: readonly string[]) => void records.set(`CAA ${name}`, data),
    /** Asks over the wire. */
    call: async (httpMethod: string, path: string, body?: object) => {
      const response = await fetch(new URL(path, server.url), {
        method: httpMethod,
        ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
      });
      return { status: response.status, body: (await response.json()) as Record<string, never> };
    },
    [Symbol.asyncDispose]: async () => {
      clock.stop();
      await server.close();
    },
  };
}
