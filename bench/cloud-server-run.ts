import { createSocket } from "node:dgram";
import { createServer as createHttpServer } from "node:http";
import { Session } from "node:inspector/promises";
import type { AddressInfo, Server } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { startCloud } from "../lib/cloud";
import { createAuthority } from "../lib/cloud/certificate-authority";

/**
 * Runs a cloud and the simplest servers of Node in one process. Sends `Served` when it is ready. It answers `usage`
 * with `Usage`; `profile` starts a CPU profile, and `profiled` ends the profile and returns it.
 */
export interface Served {
  /** URLs of one read, which the cloud and the plain server answer with the same octets. */
  readonly rest: readonly [string, string];
  /** Ports of the name server and of an echo server. */
  readonly dns: readonly [number, number];
  /** `ADDRESS:PORT` of the load balancer's listener and of a plain TLS server with the same certificate. */
  readonly tls: readonly [string, string];
  readonly http: string;
  /** A certificate with its key, in the form of an upload. */
  readonly upload: { readonly pemCertificate: string; readonly pemPrivateKey: string };
}

export interface Usage {
  /** User and system time of the process, in milliseconds. */
  readonly cpuMs: number;
  readonly rssMebibytes: number;
}

const parent = "projects/p1/locations/global";
const proxies = "compute/v1/projects/p1/global";

async function main(): Promise<void> {
  const cloud = await startCloud({ behavior: { operationMs: 0, propagationMs: 0 } });
  const { http } = cloud.endpoints;
  const call = async (httpMethod: string, path: string, body?: object) => {
    const response = await fetch(new URL(path, http), {
      method: httpMethod,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${httpMethod} ${path}: ${await response.text()}`);
    return response.text();
  };

  await call("POST", "dns/v1/projects/p1/managedZones", { name: "zone", dnsName: "example.com.", description: "" });
  const additions = Array.from({ length: 500 }, (_, number) => ({
    name: `_acme-challenge.n${number}.example.com.`,
    type: "CNAME",
    ttl: 300,
    rrdatas: [`${number}.authorize.certificatemanager.goog.`],
  }));
  await call("POST", "dns/v1/projects/p1/managedZones/zone/changes", { additions });

  const authority = await createAuthority({ commonName: "Benchmark", now: () => new Date() });
  const issued = await authority.issue({ names: ["example.com"], publicKeyAlgorithm: "ecdsa-p256", validDays: 30 });
  const { chainPem, privateKeyPem } = issued;
  const map = `${parent}/certificateMaps/map`;
  const certificate = `${parent}/certificates/shop`;
  const selfManaged = { pemCertificate: chainPem, pemPrivateKey: privateKeyPem };
  await call("POST", `v1/${parent}/certificates?certificateId=shop`, { selfManaged });
  await call("POST", `v1/${parent}/certificateMaps?certificateMapId=map`, {});
  const entry = { hostname: "example.com", certificates: [certificate] };
  await call("POST", `v1/${map}/certificateMapEntries?certificateMapEntryId=shop`, entry);
  await call("POST", `v1/${parent}/dnsAuthorizations?dnsAuthorizationId=shop`, { domain: "example.com" });
  await call("POST", `${proxies}/urlMaps`, {
    name: "web",
    defaultUrlRedirect: { httpsRedirect: true, stripQuery: false },
  });
  await call("POST", `${proxies}/targetHttpsProxies`, {
    name: "web",
    urlMap: "projects/p1/global/urlMaps/web",
    certificateMap: `//certificatemanager.googleapis.com/${map}`,
  });
  await call("POST", `${proxies}/forwardingRules`, {
    name: "web",
    target: "projects/p1/global/targetHttpsProxies/web",
    portRange: "443",
    loadBalancingScheme: "EXTERNAL_MANAGED",
  });
  await cloud.loadBalancers.settle();

  const read = `v1/${parent}/dnsAuthorizations/shop`;
  const text = await call("GET", read);
  const headers = { "content-type": "application/json; charset=UTF-8", "content-length": Buffer.byteLength(text) };
  const bareHttp = createHttpServer((_, response) => response.writeHead(200, headers).end(text));
  const bareTls = createTlsServer({ cert: chainPem, key: privateKeyPem }, (socket) => {
    socket.on("error", () => undefined);
    socket.resume();
  });
  const echo = createSocket("udp4");
  echo.on("message", (packet, { address, port }) => echo.send(packet, port, address));
  await new Promise<void>((resolve) => echo.bind(0, "127.0.0.1", resolve));
  const served: Served = {
    rest: [`${http}${read}`, `http://127.0.0.1:${await listen(bareHttp)}/${read}`],
    dns: [Number(cloud.endpoints.dns.split(":")[1]), echo.address().port],
    tls: [cloud.loadBalancers.listeners()[0]?.listen ?? "", `127.0.0.1:${await listen(bareTls)}`],
    http,
    upload: selfManaged,
  };
  const session = new Session();
  process.on("message", async (word) => {
    if (word === "profile") {
      session.connect();
      await session.post("Profiler.enable");
      await session.post("Profiler.setSamplingInterval", { interval: 200 });
      await session.post("Profiler.start");
      process.send?.("begun");
      return;
    }
    if (word === "profiled") {
      process.send?.((await session.post("Profiler.stop")).profile);
      session.disconnect();
      return;
    }
    globalThis.gc?.();
    const { user, system } = process.cpuUsage();
    const usage: Usage = { cpuMs: (user + system) / 1_000, rssMebibytes: process.memoryUsage.rss() / 2 ** 20 };
    process.send?.(usage);
  });
  process.once("disconnect", () => process.exit());
  process.send?.(served);
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}

void main();
