import fc from "fast-check";
import { createComputeService } from "../../../lib/cloud/compute";
import { createRequestLog, Front } from "../../../lib/cloud/front";
import { createCloudClock, openStore } from "../../../lib/cloud/state";
import { ownDescription, type SchemaDocument } from "../../../lib/discovery";
import { certificatesNamed, manager } from "./start-compute";

const description = ownDescription("compute:v1");

/** Texts that are valid in some fields; most are used in a wrong field. */
const texts = fc.oneof(
  fc.constantFrom(
    "",
    "a",
    "b",
    "global/backendServices/a",
    "global/urlMaps/a",
    "global/urlMaps/b",
    "global/targetHttpsProxies/a",
    "global/targetHttpProxies/a",
    "global/targetSslProxies/a",
    "global/sslCertificates/a",
    "global/addresses/a",
    "global/healthChecks/a",
    "projects/p1/global/backendServices/b",
    "regions/r1/urlMaps/a",
    "regions/r1/targetHttpsProxies/a",
    "https://www.googleapis.com/compute/v1/projects/p1/global/urlMaps/a",
    `${manager}/global/certificateMaps/m1`,
    `${manager}/global/certificates/everywhere`,
    "443",
    "80-80",
    "203.0.113.7",
    "2001:db8::7",
    "__proto__",
  ),
  fc.string({ maxLength: 20 }),
);

/** Generates a value that is usually valid for a schema. */
function valueFor(schema: SchemaDocument, depth: number): fc.Arbitrary<unknown> {
  const target = description.resolve(schema) ?? {};
  if (depth > 4) return fc.constant(null);
  if (target.enum !== undefined) return fc.constantFrom(...target.enum);
  if (target.type === "array") return fc.array(valueFor(target.items ?? {}, depth + 1), { maxLength: 2 });
  if (target.type === "boolean") return fc.boolean();
  if (target.type === "integer" || target.type === "number") return fc.integer({ min: -1, max: 70_000 });
  if (target.properties !== undefined) return objectOf(target.properties, depth);
  if (target.additionalProperties !== undefined)
    return fc.dictionary(texts, valueFor(target.additionalProperties, depth + 1), { maxKeys: 2 });
  return texts;
}

function objectOf(properties: Readonly<Record<string, SchemaDocument>>, depth: number): fc.Arbitrary<unknown> {
  const all = Object.keys(properties);
  return fc.subarray(all, { maxLength: Math.min(6, all.length) }).chain((names) => {
    const members = names.map((name) => [
      name,
      fc.oneof(
        { weight: 20, arbitrary: valueFor(properties[name] ?? {}, depth + 1) },
        { weight: 1, arbitrary: fc.jsonValue() },
      ),
    ]);
    return fc.record(Object.fromEntries(members) as Record<string, fc.Arbitrary<unknown>>);
  });
}

const words = fc.constantFrom("a", "b");
const request = fc.constantFrom(...description.methods()).chain((method) => {
  const body = method.request === undefined ? fc.constant(undefined) : valueFor(method.request, 0);
  return fc.tuple(body, words, words, fc.boolean()).map(([value, name, region, isNamed]) => {
    const path = method.path.replace(/\{(\w+)\}/g, (_, parameter: string) =>
      parameter === "project" ? "p1" : parameter === "region" ? `r${region === "a" ? 1 : 2}` : name,
    );
    const named = isNamed && value !== undefined && value !== null ? { ...(value as object), name } : value;
    return {
      httpMethod: method.httpMethod,
      target: `/compute/v1/${path}`,
      body: value === undefined ? "" : JSON.stringify(named),
    };
  });
});

describe("Compute Engine", () => {
  it("answers 20,000 random requests without an internal error", async () => {
    const clock = createCloudClock({ startAt: new Date("2026-11-21T00:00:00Z"), speed: 0 });
    const store = openStore();
    const certificates = certificatesNamed({
      "global/certificateMaps/m1": "",
      "global/certificates/everywhere": "ALL_REGIONS",
    });
    const compute = createComputeService({ store, clock, operationMs: 0, certificates, onChange: () => undefined });
    const front = new Front({
      services: [compute.service],
      store,
      clock,
      log: createRequestLog(),
      sleep: async () => undefined,
    });
    const statuses = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(request, async (sent) => {
        const answer = await front.handle({ ...sent, headers: {} });
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        if (answer.status === 500) throw new Error(answer.body.toString());
      }),
      { numRuns: 20_000 },
    );
    for (const status of [200, 400, 404, 409, 501]) expect(statuses.get(status)).toBeGreaterThan(20);
    clock.stop();
  }, 120_000);
});
