/**
 * Runs the eight steps of specification 3 with the published client libraries, in a separate process. Arguments: the
 * cloud's HTTP base and its name server; standard input has the trust bundle. Prints the results to standard output as
 * JSON.
 */
import { Resolver } from "node:dns/promises";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "node:tls";
import { CertificateManagerClient } from "@google-cloud/certificate-manager";
import { DNS } from "@google-cloud/dns";
import { compute } from "@googleapis/compute";
import { PassThroughClient } from "google-auth-library";

const [http = "", nameServer = ""] = process.argv.slice(2);
const trustBundle = readFileSync(0, "utf8");
const project = "p1";
const parent = `projects/${project}/locations/global`;
const { hostname, port } = new URL(http);
const certificateManager = new CertificateManagerClient({
  fallback: true,
  apiEndpoint: hostname,
  port: Number(port),
  protocol: "http",
  authClient: new PassThroughClient(),
} as ConstructorParameters<typeof CertificateManagerClient>[0]);
const dns = new DNS({
  projectId: project,
  apiEndpoint: `${hostname}:${port}`,
  authClient: new PassThroughClient(),
} as never);
// The library prefixes a configured endpoint with https://.
dns.baseUrl = `${http}dns/v1`;
const engine = compute({ version: "v1", rootUrl: http });

/** The domains of the previous provider's certificates. */
const certificates = [
  { id: "shop", domains: ["example.com", "*.example.com"], authorizations: ["example.com"] },
  { id: "pay", domains: ["pay.example.net", "example.net"], authorizations: ["pay.example.net", "example.net"] },
] as const;
const hostnames = ["example.com", "*.example.com", "pay.example.net", "example.net"];
const zones = { "example.com": "example-com", "example.net": "example-net" } as const;
const zoneOf = (domain: string) =>
  dns.zone(domain.endsWith("example.com") ? zones["example.com"] : zones["example.net"]);
const idOf = (name: string) => name.replace("*", "any").replaceAll(".", "-");

async function until<Value>(ask: () => Promise<Value>, isDone: (value: Value) => boolean): Promise<Value> {
  for (let attempt = 0; attempt < 300; attempt++) {
    const value = await ask();
    if (isDone(value)) return value;
    await sleep(20);
  }
  throw new Error("it took too long");
}

/** Step 1. */
async function createCertificates(): Promise<void> {
  for (const { id, domains, authorizations } of certificates) {
    for (const domain of authorizations) {
      const [operation] = await certificateManager.createDnsAuthorization({
        parent,
        dnsAuthorizationId: idOf(domain),
        dnsAuthorization: { domain, type: "FIXED_RECORD" },
      });
      await operation.promise();
    }
    const dnsAuthorizations = authorizations.map((domain) => `${parent}/dnsAuthorizations/${idOf(domain)}`);
    const [operation] = await certificateManager.createCertificate({
      parent,
      certificateId: id,
      certificate: { managed: { domains: [...domains], dnsAuthorizations } },
    });
    await operation.promise();
  }
}

/** Step 2. */
async function publishRecords(): Promise<readonly string[]> {
  for (const [dnsName, name] of Object.entries(zones)) await dns.createZone(name, { dnsName: `${dnsName}.` });
  const statuses: string[] = [];
  for await (const { domain = "", dnsResourceRecord } of certificateManager.listDnsAuthorizationsAsync({
    parent,
    pageSize: 2,
  })) {
    const zone = zoneOf(domain ?? "");
    const { name, data } = dnsResourceRecord ?? {};
    const [change] = await zone.addRecords(zone.record("cname", { name: name ?? "", data: data ?? "", ttl: 300 }));
    const done = await until(
      async () => (await change.getMetadata())[0] as { readonly status: string },
      ({ status }) => status === "done",
    );
    statuses.push(done.status);
  }
  return statuses;
}

/** Step 3. */
async function waitForCertificates(): Promise<readonly unknown[]> {
  return Promise.all(
    certificates.map(async ({ id }) => {
      const ask = async () => (await certificateManager.getCertificate({ name: `${parent}/certificates/${id}` }))[0];
      const { managed, sanDnsnames } = await until(ask, (certificate) => certificate.managed?.state === "ACTIVE");
      return { id, sanDnsnames, states: managed?.authorizationAttemptInfo?.map(({ state }) => state) };
    }),
  );
}

/** Step 4. */
async function createMap(): Promise<void> {
  const [operation] = await certificateManager.createCertificateMap({
    parent,
    certificateMapId: "main",
    certificateMap: {},
  });
  await operation.promise();
  for (const name of hostnames) {
    const certificate = certificates.find(({ domains }) => (domains as readonly string[]).includes(name));
    const [creating] = await certificateManager.createCertificateMapEntry({
      parent: `${parent}/certificateMaps/main`,
      certificateMapEntryId: idOf(name),
      certificateMapEntry: { hostname: name, certificates: [`${parent}/certificates/${certificate?.id}`] },
    });
    await creating.promise();
  }
}

/** Step 5. */
async function waitForEntries(): Promise<readonly unknown[]> {
  const list = async () => {
    const entries: { readonly hostname: unknown; readonly state: unknown }[] = [];
    const request = { parent: `${parent}/certificateMaps/main`, pageSize: 3 };
    for await (const { hostname, state } of certificateManager.listCertificateMapEntriesAsync(request)) {
      entries.push({ hostname, state });
    }
    return entries;
  };
  return until(list, (entries) => entries.every(({ state }) => state === "ACTIVE"));
}

const mapLink = `//certificatemanager.googleapis.com/${parent}/certificateMaps/main`;
const ipAddress = "203.0.113.7";

/** Step 6, for an existing proxy. */
async function attachMap(): Promise<unknown> {
  const done = async ({ data }: { readonly data: { readonly name?: string | null } }) => {
    const { data: operation } = await engine.globalOperations.wait({ project, operation: data.name ?? "" });
    if (operation.status !== "DONE" || operation.error) throw new Error(JSON.stringify(operation));
  };
  await done(
    await engine.backendServices.insert({
      project,
      requestBody: { name: "web", loadBalancingScheme: "EXTERNAL_MANAGED", protocol: "HTTPS" },
    }),
  );
  await done(
    await engine.urlMaps.insert({
      project,
      requestBody: { name: "web", defaultService: "global/backendServices/web" },
    }),
  );
  const oldMap = `${mapLink.slice(0, -"main".length)}old`;
  const [old] = await certificateManager.createCertificateMap({ parent, certificateMapId: "old", certificateMap: {} });
  await old.promise();
  await done(
    await engine.targetHttpsProxies.insert({
      project,
      requestBody: { name: "web", urlMap: "global/urlMaps/web", certificateMap: oldMap },
    }),
  );
  await done(await engine.globalAddresses.insert({ project, requestBody: { name: "web", address: ipAddress } }));
  await done(
    await engine.globalForwardingRules.insert({
      project,
      requestBody: {
        name: "web",
        IPAddress: "global/addresses/web",
        target: "global/targetHttpsProxies/web",
        loadBalancingScheme: "EXTERNAL_MANAGED",
        portRange: "443-443",
      },
    }),
  );
  await done(
    await engine.targetHttpsProxies.setCertificateMap({
      project,
      targetHttpsProxy: "web",
      requestBody: { certificateMap: mapLink },
    }),
  );
  const { data: proxy } = await engine.targetHttpsProxies.get({ project, targetHttpsProxy: "web" });
  const ask = async () => (await certificateManager.getCertificateMap({ name: `${parent}/certificateMaps/main` }))[0];
  const { gclbTargets } = await ask();
  return { certificateMap: proxy.certificateMap, gclbTargets };
}

/** Step 7, with one hostname for each wildcard. */
async function testServedCertificates(): Promise<Readonly<Record<string, string>>> {
  const ask = async () => {
    const response = await fetch(`${http}_cloud/listeners`);
    return (await response.json()) as readonly { readonly ipAddress: string; readonly listen: string }[];
  };
  const listeners = await until(ask, (list) => list.some((listener) => listener.ipAddress === ipAddress));
  const [address = "", listenPort = ""] =
    listeners.find((listener) => listener.ipAddress === ipAddress)?.listen.split(":") ?? [];
  const seen: Record<string, string> = {};
  for (const name of hostnames) {
    const servername = name.replace("*", "www");
    const shake = () => handshake(address, Number(listenPort), servername);
    seen[servername] = await until(shake, (result) => result.startsWith("trusted"));
  }
  return seen;
}

function handshake(host: string, tlsPort: number, servername: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ host, port: tlsPort, servername, ca: trustBundle });
    socket.once("error", (error) => resolve(error.message));
    socket.once("secureConnect", () => {
      resolve(`trusted: ${socket.getPeerCertificate().subjectaltname}`);
      socket.end();
    });
  });
}

/** Step 8, from the previous provider's address. */
async function moveTraffic(): Promise<readonly unknown[]> {
  const resolver = new Resolver();
  resolver.setServers([nameServer]);
  const seen: unknown[] = [];
  for (const name of hostnames) {
    const zone = zoneOf(name);
    const record = (data: string) => zone.record("a", { name: `${name}.`, data, ttl: 60 });
    await zone.addRecords(record("198.51.100.1"));
    const asked = name.replace("*", "www");
    const answersTo = (address: string) =>
      until(
        () => resolver.resolve4(asked).catch(() => []),
        (found) => found[0] === address,
      );
    const before = await answersTo("198.51.100.1");
    await zone.createChange({ delete: record("198.51.100.1"), add: record(ipAddress) });
    seen.push({ name: asked, before, after: await answersTo(ipAddress) });
  }
  return seen;
}

async function codeOf(request: Promise<unknown>): Promise<unknown> {
  return request.then(
    () => "done",
    (error: { readonly code?: unknown; readonly status?: unknown }) => error.code ?? error.status,
  );
}

/** Checks the errors of client libraries for refused calls, and a change with a field mask. */
async function aside(): Promise<unknown> {
  const [patching] = await certificateManager.updateCertificateMapEntry({
    certificateMapEntry: {
      name: `${parent}/certificateMaps/main/certificateMapEntries/example-com`,
      description: "moved",
      labels: { team: "web" },
    },
    updateMask: { paths: ["description"] },
  });
  const [patched] = await patching.promise();
  const records = (await dns
    .zone("example-com")
    .getRecords({ maxResults: 2, autoPaginate: false } as never)) as readonly unknown[];
  return {
    patched: { description: patched.description, labels: patched.labels },
    firstPage: (records[0] as readonly unknown[]).length,
    all: (await dns.zone("example-com").getRecords())[0].length,
    codes: [
      await codeOf(certificateManager.getCertificate({ name: `${parent}/certificates/none` })),
      await codeOf(certificateManager.createCertificateMap({ parent, certificateMapId: "main", certificateMap: {} })),
      await codeOf(certificateManager.deleteCertificate({ name: `${parent}/certificates/shop` })),
      await codeOf(dns.zone("none").getMetadata()),
      await codeOf(dns.createZone("example-com", { dnsName: "example.com." })),
      await codeOf(
        zoneOf("example.com").addRecords(
          zoneOf("example.com").record("a", { name: "example.com.", data: "1.2.3.4", ttl: 60 }),
        ),
      ),
      await codeOf(engine.targetHttpsProxies.get({ project, targetHttpsProxy: "none" })),
      await codeOf(
        engine.targetHttpsProxies.patch({ project, targetHttpsProxy: "web", requestBody: { certificateMap: null } }),
      ),
    ],
  };
}

async function main(): Promise<void> {
  await createCertificates();
  const changes = await publishRecords();
  const issued = await waitForCertificates();
  await createMap();
  const entries = await waitForEntries();
  const attached = await attachMap();
  const served = await testServedCertificates();
  const moved = await moveTraffic();
  process.stdout.write(JSON.stringify({ changes, issued, entries, attached, served, moved, aside: await aside() }));
}

void main();
