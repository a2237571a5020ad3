import fc from "fast-check";
import { createComputeService } from "../../../lib/cloud/compute";
import { createRequestLog, Front } from "../../../lib/cloud/front";
import { createCloudClock, openStore } from "../../../lib/cloud/state";
import { certificatesNamed, manager } from "./start-compute";

interface Sent {
  readonly httpMethod: string;
  readonly path: string;
  readonly body?: object;
}

type Kept = Readonly<Record<string, unknown>> & { readonly selfLink: string };

const collections = [
  "backendServices",
  "urlMaps",
  "targetHttpsProxies",
  "targetHttpProxies",
  "forwardingRules",
  "addresses",
];
const name = fc.constantFrom("a", "b");
const loadBalancingScheme = fc.constantFrom("EXTERNAL", "INTERNAL_MANAGED");
const certificates = fc.constantFrom([], [`${manager}/global/certificates/everywhere`]);
const certificateMap = fc.constantFrom(
  "",
  `${manager}/global/certificateMaps/m1`,
  `${manager}/global/certificateMaps/m2`,
);
const target = fc
  .tuple(fc.constantFrom("targetHttpsProxies", "targetHttpProxies"), name)
  .map(([kind, id]) => `global/${kind}/${id}`);
const bodies: Readonly<Record<string, fc.Arbitrary<object>>> = {
  backendServices: fc.record({ name, loadBalancingScheme }),
  urlMaps: fc.record({ name, defaultService: name.map((id) => `global/backendServices/${id}`) }),
  targetHttpsProxies: fc.record({
    name,
    urlMap: name.map((id) => `global/urlMaps/${id}`),
    certificateMap,
    sslCertificates: certificates,
  }),
  targetHttpProxies: fc.record({ name, urlMap: name.map((id) => `global/urlMaps/${id}`) }),
  forwardingRules: fc.record({
    name,
    target,
    portRange: fc.constantFrom("443", "80"),
    IPAddress: fc.constantFrom("203.0.113.7", "203.0.113.8", "global/addresses/a", "global/addresses/b"),
    loadBalancingScheme,
  }),
  addresses: fc.record({ name, address: fc.constantFrom("203.0.113.7", "203.0.113.8", "203.0.113.9") }),
};

const inserted = fc
  .constantFrom(...collections)
  .chain((collection) =>
    (bodies[collection] as fc.Arbitrary<object>).map(
      (body): Sent => ({ httpMethod: "POST", path: `global/${collection}`, body }),
    ),
  );
const deleted = fc
  .tuple(fc.constantFrom(...collections), name)
  .map(([collection, id]): Sent => ({ httpMethod: "DELETE", path: `global/${collection}/${id}` }));
const set = fc.oneof(
  fc.tuple(name, certificateMap).map(
    ([id, map]): Sent => ({
      httpMethod: "POST",
      path: `global/targetHttpsProxies/${id}/setCertificateMap`,
      body: { certificateMap: map },
    }),
  ),
  fc.tuple(name, certificates).map(
    ([id, links]): Sent => ({
      httpMethod: "POST",
      path: `targetHttpsProxies/${id}/setSslCertificates`,
      body: { sslCertificates: links },
    }),
  ),
  fc.tuple(name, name).map(
    ([id, map]): Sent => ({
      httpMethod: "POST",
      path: `targetHttpsProxies/${id}/setUrlMap`,
      body: { urlMap: `global/urlMaps/${map}` },
    }),
  ),
  fc.tuple(name, target).map(
    ([id, link]): Sent => ({
      httpMethod: "POST",
      path: `global/forwardingRules/${id}/setTarget`,
      body: { target: link },
    }),
  ),
);
const requests = fc.array(
  fc.oneof({ weight: 4, arbitrary: inserted }, { weight: 1, arbitrary: deleted }, { weight: 2, arbitrary: set }),
  {
    minLength: 20,
    maxLength: 60,
    size: "max",
  },
);

/** Every text in a value. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Stored objects are replaced, never modified. */
function isSame(before: ReadonlyMap<string, readonly Kept[]>, after: ReadonlyMap<string, readonly Kept[]>): boolean {
  const [old, now] = [before, after].map((all) => [...all.values()].flat());
  return old?.length === now?.length && old?.every((resource, index) => resource === now?.[index]) === true;
}

/** Checks the invariants. */
function broken(all: ReadonlyMap<string, readonly Kept[]>, frontends: number): readonly string[] {
  const resources = [...all.values()].flat();
  const links = new Set(resources.map(({ selfLink }) => selfLink));
  const rules = all.get("forwardingRules") ?? [];
  const places = rules.map(({ IPAddress, portRange }) => `${IPAddress} ${portRange}`);
  return [
    ...resources.flatMap(textsIn).filter((text) => text.startsWith("https://www.googleapis.com/") && !links.has(text)),
    ...(all.get("targetHttpsProxies") ?? [])
      .filter((proxy) => proxy.certificateMap === undefined && proxy.sslCertificates === undefined)
      .map(({ selfLink }) => `${selfLink} has nothing to present`),
    ...places.filter((place, index) => places.indexOf(place) !== index).map((place) => `${place} is taken twice`),
    ...(frontends === rules.length ? [] : [`${frontends} frontends of ${rules.length} rules`]),
  ];
}

describe("after any requests", () => {
  it("every link is valid, every proxy has a certificate, and a refusal changes nothing", async () => {
    const statuses = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(requests, async (sequence) => {
        const clock = createCloudClock({ startAt: new Date("2026-11-21T00:00:00Z"), speed: 0 });
        const store = openStore();
        const known = {
          "global/certificateMaps/m1": "",
          "global/certificateMaps/m2": "",
          "global/certificates/everywhere": "ALL_REGIONS",
        };
        const compute = createComputeService({
          store,
          clock,
          operationMs: 0,
          certificates: certificatesNamed(known),
          onChange: () => undefined,
        });
        const front = new Front({
          services: [compute.service],
          store,
          clock,
          log: createRequestLog(),
          sleep: async () => undefined,
        });
        const everything = () =>
          new Map(
            collections.map((collection) => [
              collection,
              [...store.collection<Kept>(`compute.${collection}`).values()],
            ]),
          );
        let before = everything();
        for (const { httpMethod, path, body } of sequence) {
          const target = `/compute/v1/projects/p1/${path}`;
          const { status } = await front.handle({
            httpMethod,
            target,
            headers: {},
            body: body === undefined ? "" : JSON.stringify(body),
          });
          const key = `${httpMethod} ${status === 200}`;
          statuses.set(key, (statuses.get(key) ?? 0) + 1);
          const after = everything();
          if (status !== 200 && !isSame(before, after)) throw new Error(`${target} was refused, and changed something`);
          const problems = broken(after, compute.frontends().length);
          if (problems.length > 0) throw new Error(`${target}: ${problems.join("; ")}`);
          before = after;
        }
        clock.stop();
      }),
      { numRuns: 150 },
    );
    // The sequences produce both kinds of answers.
    for (const key of ["POST true", "POST false", "DELETE true", "DELETE false"])
      expect(statuses.get(key)).toBeGreaterThan(5);
  });
});
