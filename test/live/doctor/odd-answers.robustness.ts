import { encode } from "dns-packet";
import fc from "fast-check";
import {
  createRestApi,
  listRecordSets,
  listZones,
  loadBalancerReader,
  privateCaReader,
  projectReader,
  resourceLister,
} from "../../../lib/google";
import { createHttpClient } from "../../../lib/http";
import { createDnsView, doctorCodes, examine } from "../../../lib/live/doctor";
import { sourceFromSpec } from "../../../lib/source";
import { startOddServer } from "../../dns/servers";
import { startServer } from "../../support/loopback";
import { healthySpec } from "./world";

const place = { project: "p1", domain: "shop.com", address: "198.18.0.1", zone: "shop" };
const caPool = "projects/p1/locations/europe-west6/caPools/internal";
const adopting = {
  ...healthySpec(place),
  certificates: [
    ...(healthySpec(place).certificates as readonly object[]),
    { domains: ["status.corp.internal"], issuedBy: { caPool } },
  ],
  traffic: undefined,
  existingCertificateMap: "projects/p1/locations/global/certificateMaps/m",
  loadBalancer: {
    kind: "globalExternal",
    adoptTargetHttpsProxies: [
      {
        name: "web",
        urlMap: "global/urlMaps/web",
        sslCertificates: null,
        sslPolicy: null,
        quicOverride: null,
        tlsEarlyData: null,
        httpKeepAliveTimeoutSeconds: null,
        serverTlsPolicy: null,
        description: null,
      },
    ],
    addresses: ["198.18.0.1"],
  },
};

/** Generates known names and members with arbitrary values. */
const value = fc.oneof(
  { maxDepth: 3 },
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(
    "projects/p1/global/targetHttpsProxies/web",
    "shop.com.",
    "ENABLED",
    "443-443",
    "INTERNAL_MANAGED",
    "",
  ),
);
const item = fc.dictionary(
  fc.constantFrom(
    ...[
      "name",
      "dnsName",
      "nameServers",
      "visibility",
      "dnssecConfig",
      "selfLink",
      "certificateMap",
      "sslCertificates",
    ],
    ...[
      "target",
      "loadBalancingScheme",
      "IPAddress",
      "portRange",
      "metric",
      "limit",
      "usage",
      "state",
      "managed",
      "domain",
    ],
    ...["issuancePolicy", "tier", "pemCaCertificates", "allowedKeyTypes", "identityConstraints", "role", "members"],
    ...["dnsResourceRecord", "sanDnsnames", "hostname", "certificates", "expireTime", "urlMap", "settings"],
  ),
  value,
);
const answer = fc.dictionary(
  fc.constantFrom(
    ...["items", "managedZones", "services", "permissions", "quotas", "billingEnabled", "certificates", "error"],
    ...["dnsAuthorizations", "certificateMapEntries", "gclbTargets", "name"],
  ),
  fc.oneof(fc.array(item, { maxLength: 3 }), value),
);

test("terminates with printable findings whatever services and name servers answer", async () => {
  let body: object = {};
  let octets = Buffer.alloc(0);
  await using server = await startServer((_, response) => response.end(JSON.stringify(body)));
  await using odd = await startOddServer(({ id = 0, questions = [] }) => {
    const reply = encode({
      type: "response",
      id,
      questions,
      answers: [{ type: "NS", name: questions[0]?.name ?? "", data: "ns.x.net" }],
    });
    return Buffer.concat([reply.subarray(0, 4), octets, reply.subarray(4 + octets.length)]).subarray(0, reply.length);
  });
  const { migrations, plan } = sourceFromSpec(JSON.stringify(adopting), { source: "s", project: "p1" });
  const http = createHttpClient({ retry: { maxAttempts: 1 } });
  const api = createRestApi({ endpoint: server.url, http });
  await fc.assert(
    fc.asyncProperty(answer, fc.uint8Array({ maxLength: 20 }), async (next, damage) => {
      body = next;
      octets = Buffer.from(damage);
      const { signal } = new AbortController();
      const { findings, checks } = await examine(migrations, {
        google: {
          projects: projectReader(api),
          balancers: loadBalancerReader(api),
          resources: resourceLister(server.url),
          privateCas: privateCaReader(api),
          zones: (project, stop) => listZones(api, project, stop),
          recordSets: (project, record, stop) => listRecordSets(api, project, record, stop),
        },
        dns: createDnsView({ resolvers: [odd.server], nameServerPort: "none", signal, timeoutMs: 50, attempts: 1 }),
        source: { plan, project: "p1" },
        now: new Date(),
        signal,
        lookUps: { unusedLabel: "nobody" },
      });
      expect(checks.length).toBeGreaterThan(15);
      for (const { code, subject, message: what } of findings) {
        expect([Object.hasOwn(doctorCodes, code), typeof subject, typeof what]).toEqual([true, "string", "string"]);
      }
    }),
    { numRuns: 150 },
  );
}, 300_000);
