import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { hourMs, minuteMs, parent, secondMs } from "../../support/certificate-manager";
import { creation, type Subject } from "./model-subjects";

/**
 * A minimal model of Certificate Manager, without attempts, timers and indices: only creation times, and since when DNS
 * has each record. The model has no renewals, which have their own tests, so a run is shorter than a certificate's
 * lifetime.
 */
interface Model {
  nowMs: number;
  readonly authorizations: Map<string, { readonly domain: string; description?: string }>;
  readonly certificates: Map<string, ModelCertificate>;
  readonly maps: Map<string, { description?: string }>;
  /** By `map/entry`; the matcher PRIMARY is the hostname `PRIMARY`. */
  readonly entries: Map<string, { readonly hostname: string; certificates: readonly string[]; repointedMs: number }>;
  /** Domains for which DNS has the record of the current authorization. */
  readonly published: Set<string>;
}

interface ModelCertificate {
  readonly domains: readonly string[];
  /** Authorizations that cannot be deleted while the certificate exists. */
  readonly by: readonly string[];
  readonly createdMs: number;
  state: "PROVISIONING" | "ACTIVE" | "FAILED";
  /** The time at which the certificate became ACTIVE. */
  activeMs: number;
  /** The time of the next DNS look-up, and the interval after it. */
  nextMs: number;
  pauseMs: number;
  description?: string;
}

interface Real {
  readonly cloud: Subject;
}

const domains = ["a.example", "b.example"] as const;
const ids = ["x", "y"] as const;
const hostnames = ["a.example", "*.a.example", "b.example", "PRIMARY"] as const;
const collections = ["dnsAuthorizations", "certificates", "certificateMaps"] as const;

type Command = fc.AsyncCommand<Model, Real>;

interface Request {
  readonly title: string;
  /** HTTP status; only 200 changes the model. */
  readonly apply: (model: Model) => number;
  readonly send: (cloud: Subject) => ReturnType<Subject["call"]>;
}

/**
 * Sends a request to the service and to the model, and compares the answers. The effects of the request are compared
 * when the clock advances.
 */
function request({ title, apply, send }: Request): Command {
  return {
    check: () => true,
    async run(model, { cloud }) {
      const expected = apply(model);
      const { status, body } = await send(cloud);
      expect([title, status, body]).toEqual([title, expected, body]);
    },
    toString: () => title,
  };
}

const certificateNames = (given: readonly string[]) => given.map((id) => `${parent}/certificates/${id}`);
const entryPath = (map: string, id: string) => `v1/${parent}/certificateMaps/${map}/certificateMapEntries/${id}`;

const createAuthorization = (id: string, domain: string) =>
  request({
    title: `authorize ${domain} as ${id}`,
    apply({ authorizations, published }) {
      if (authorizations.has(id)) return 409;
      if ([...authorizations.values()].some((other) => other.domain === domain)) return 409;
      authorizations.set(id, { domain });
      // The record of an earlier authorization has other data.
      published.delete(domain);
      return 200;
    },
    send: (cloud) => cloud.call("POST", creation("dnsAuthorizations", id), { domain }),
  });

const createCertificate = (id: string, names: readonly string[], by: readonly string[]) =>
  request({
    title: `certify ${names} by ${by} as ${id}`,
    apply(model) {
      if (model.certificates.has(id)) return 409;
      const covered = by.map((authorization) => model.authorizations.get(authorization)?.domain);
      if (covered.includes(undefined)) return 400;
      if (!names.every((domain) => covered.includes(domain.replace("*.", "")))) return 400;
      model.certificates.set(id, {
        domains: names,
        by,
        createdMs: model.nowMs,
        state: "PROVISIONING",
        activeMs: Number.POSITIVE_INFINITY,
        nextMs: model.nowMs + 5 * secondMs,
        pauseMs: 30 * secondMs,
      });
      return 200;
    },
    send: (cloud) => {
      const dnsAuthorizations = by.map((authorization) => `${parent}/dnsAuthorizations/${authorization}`);
      const managed = { domains: names, dnsAuthorizations };
      return cloud.call("POST", creation("certificates", id), { managed });
    },
  });

const createMap = (id: string) =>
  request({
    title: `make map ${id}`,
    apply({ maps }) {
      if (maps.has(id)) return 409;
      maps.set(id, {});
      return 200;
    },
    send: (cloud) => cloud.call("POST", creation("certificateMaps", id), {}),
  });

const createEntry = (map: string, id: string, hostname: string, named: readonly string[]) =>
  request({
    title: `enter ${hostname} with ${named} as ${map}/${id}`,
    apply({ maps, entries, certificates, nowMs }) {
      if (entries.has(`${map}/${id}`)) return 409;
      if (!maps.has(map)) return 404;
      if (!named.every((certificate) => certificates.has(certificate))) return 400;
      const isRival = ([key, entry]: readonly [string, { readonly hostname: string }]) =>
        key.startsWith(`${map}/`) && entry.hostname === hostname;
      if ([...entries].some(isRival)) return 409;
      entries.set(`${map}/${id}`, { hostname, certificates: named, repointedMs: nowMs });
      return 200;
    },
    send: (cloud) => {
      const place = hostname === "PRIMARY" ? { matcher: "PRIMARY" } : { hostname };
      const path = creation("certificateMapEntries", id, `${parent}/certificateMaps/${map}`);
      return cloud.call("POST", path, { ...place, certificates: certificateNames(named) });
    },
  });

const describeItem = (collection: (typeof collections)[number], id: string, description: string) =>
  request({
    title: `describe ${collection}/${id}`,
    apply(model) {
      const item = itemsOf(model, collection).get(id);
      if (item === undefined) return 404;
      item.description = description;
      return 200;
    },
    send: (cloud) => cloud.call("PATCH", `v1/${parent}/${collection}/${id}?updateMask=description`, { description }),
  });

const repoint = (map: string, id: string, to: readonly string[]) =>
  request({
    title: `point ${map}/${id} to ${to}`,
    apply({ entries, certificates, nowMs }) {
      const entry = entries.get(`${map}/${id}`);
      if (entry === undefined) return 404;
      if (!to.every((certificate) => certificates.has(certificate))) return 400;
      if (!isDeepStrictEqual(entry.certificates, to)) entry.repointedMs = nowMs;
      entry.certificates = to;
      return 200;
    },
    send: (cloud) =>
      cloud.call("PATCH", `${entryPath(map, id)}?updateMask=certificates`, { certificates: certificateNames(to) }),
  });

const deleteItem = (collection: (typeof collections)[number], id: string) =>
  request({
    title: `delete ${collection}/${id}`,
    apply(model) {
      const items = itemsOf(model, collection);
      if (!items.has(id)) return 404;
      if (isUsed(model, collection, id)) return 400;
      items.delete(id);
      return 200;
    },
    send: (cloud) => cloud.call("DELETE", `v1/${parent}/${collection}/${id}`),
  });

const deleteEntry = (map: string, id: string) =>
  request({
    title: `delete entry ${map}/${id}`,
    apply: ({ entries }) => (entries.delete(`${map}/${id}`) ? 200 : 404),
    send: (cloud) => cloud.call("DELETE", entryPath(map, id)),
  });

/** Publishes the record of a domain's authorization in DNS, or deletes it. */
const publish = (domain: string, isThere: boolean): Command => ({
  check: ({ authorizations }) => [...authorizations.values()].some((authorization) => authorization.domain === domain),
  async run({ authorizations, published }, { cloud }) {
    const [id = ""] = [...authorizations].find(([, authorization]) => authorization.domain === domain) ?? [];
    const { body } = await cloud.call("GET", `v1/${parent}/dnsAuthorizations/${id}`);
    const { name, data } = (body as { readonly dnsResourceRecord: { readonly name: string; readonly data: string } })
      .dnsResourceRecord;
    await cloud.publish(name, isThere ? data : undefined);
    if (isThere) published.add(domain);
    else published.delete(domain);
  },
  toString: () => `${isThere ? "publish" : "withdraw"} ${domain}`,
});

const advance = (ms: number): Command => ({
  check: () => true,
  async run(model, { cloud }) {
    await compare(model, cloud);
    model.nowMs += ms;
    for (const certificate of model.certificates.values()) lookUp(certificate, model);
    await cloud.clock.advance(ms);
    await compare(model, cloud);
  },
  toString: () => `wait ${ms} ms`,
});

/** Simulates all DNS look-ups that are due until now; DNS does not change within a step. */
function lookUp(certificate: ModelCertificate, { nowMs, published }: Model): void {
  const endMs = certificate.createdMs + hourMs;
  while (certificate.state === "PROVISIONING" && certificate.nextMs <= nowMs) {
    if (certificate.domains.every((domain) => published.has(domain.replace("*.", "")))) {
      certificate.state = "ACTIVE";
      certificate.activeMs = certificate.nextMs;
    } else if (certificate.nextMs >= endMs) certificate.state = "FAILED";
    certificate.nextMs = Math.min(endMs, certificate.nextMs + Math.ceil(certificate.pauseMs));
    certificate.pauseMs = Math.min(10 * minuteMs, certificate.pauseMs * 1.5);
  }
}

function itemsOf(model: Model, collection: (typeof collections)[number]): Map<string, { description?: string }> {
  if (collection === "dnsAuthorizations") return model.authorizations;
  return collection === "certificates" ? model.certificates : model.maps;
}

function isUsed(model: Model, collection: (typeof collections)[number], id: string): boolean {
  if (collection === "certificateMaps") return [...model.entries.keys()].some((key) => key.startsWith(`${id}/`));
  if (collection === "certificates")
    return [...model.entries.values()].some(({ certificates }) => certificates.includes(id));
  return [...model.certificates.values()].some(({ by }) => by.includes(id));
}

/** Compares every resource of the service with the model, from lists and individually. */
async function compare(model: Model, cloud: Subject): Promise<void> {
  const list = async (path: string, field: string) =>
    ((await cloud.call("GET", `v1/${parent}/${path}?pageSize=1000`)).body as Record<string, readonly object[]>)[
      field
    ] ?? [];
  const short = (name: unknown) => String(name).split("/").at(-1) ?? "";
  const pick = (item: object, read: (item: Readonly<Record<string, unknown>>) => object) =>
    [short((item as { name?: string }).name), read(item as Readonly<Record<string, unknown>>)] as const;
  const sorted = <Value>(pairs: Iterable<readonly [string, Value]>) => Object.fromEntries([...pairs].sort());

  /** How long the entry and its certificates have been unchanged. */
  const ageMs = (key: string) => {
    const { repointedMs = 0, certificates = [] } = model.entries.get(key) ?? {};
    const activeMs = certificates.map((id) => model.certificates.get(id)?.activeMs ?? Number.POSITIVE_INFINITY);
    return model.nowMs - Math.max(repointedMs, ...activeMs);
  };
  const isOpen = (key: string) => ageMs(key) < minuteMs && ageMs(key) >= minuteMs - cloud.earlierMs;

  const served = {
    authorizations: sorted(
      (await list("dnsAuthorizations", "dnsAuthorizations")).map((item) =>
        pick(item, ({ domain, description }) => ({ domain, description })),
      ),
    ),
    certificates: sorted(
      (await list("certificates", "certificates")).map((item) =>
        pick(item, ({ managed, description, usedBy = [], pemCertificate }) => {
          const { domains: names, state } = managed as { domains: readonly string[]; state: string };
          const users = (usedBy as readonly { name: string }[]).map(({ name }) => name.split("/").slice(5).join("/"));
          return {
            domains: names,
            state,
            description,
            issuedFor: pemCertificate === undefined ? undefined : cloud.namesIn(String(pemCertificate)),
            usedBy: [...users].sort(),
          };
        }),
      ),
    ),
    maps: sorted(
      (await list("certificateMaps", "certificateMaps")).map((item) =>
        pick(item, ({ description }) => ({ description })),
      ),
    ),
    entries: sorted(
      (
        await Promise.all(
          [...model.maps.keys()].map(async (map) =>
            (
              await list(`certificateMaps/${map}/certificateMapEntries`, "certificateMapEntries")
            ).map((item) => {
              const [id, read] = pick(item, ({ hostname, matcher, certificates, state }) => ({
                hostname: hostname ?? matcher,
                certificates: (certificates as readonly string[]).map(short),
                state: isOpen(`${map}/${short((item as { readonly name?: string }).name)}`) ? "either" : state,
              }));
              return [`${map}/${id}`, read] as const;
            }),
          ),
        )
      ).flat(),
    ),
  };
  const expected = {
    authorizations: sorted(
      [...model.authorizations].map(([id, { domain, description }]) => [id, { domain, description }]),
    ),
    certificates: sorted(
      [...model.certificates].map(([id, { domains: names, state, description }]) => {
        const usedBy = [...model.entries].filter(([, { certificates }]) => certificates.includes(id));
        const users = usedBy.map(([key]) => key.replace("/", "/certificateMapEntries/")).sort();
        const issuedFor = state === "ACTIVE" ? names : undefined;
        return [id, { domains: names, state, description, issuedFor, usedBy: users }];
      }),
    ),
    maps: sorted([...model.maps].map(([id, { description }]) => [id, { description }])),
    entries: sorted(
      [...model.entries].map(([key, { hostname, certificates }]) => {
        const state = ageMs(key) >= minuteMs ? "ACTIVE" : "PENDING";
        return [key, { hostname, certificates, state: isOpen(key) ? "either" : state }];
      }),
    ),
  };
  expect(served).toEqual(expected);
}

const id = fc.constantFrom(...ids);
const domain = fc.constantFrom(...domains);
const someIds = fc.uniqueArray(id, { minLength: 1, maxLength: 2 });
const commands = [
  fc.tuple(id, domain).map(([name, of]) => createAuthorization(name, of)),
  fc
    .tuple(
      id,
      fc.constantFrom(["a.example"], ["*.a.example"], ["b.example"], ["a.example", "*.a.example"], [...domains]),
      someIds,
    )
    .map(([name, of, by]) => createCertificate(name, of, by)),
  id.map((name) => createMap(name)),
  fc
    .tuple(id, id, fc.constantFrom(...hostnames), someIds)
    .map(([map, name, host, by]) => createEntry(map, name, host, by)),
  ...["PRIMARY", "a.example"].map((host) => id.map((name) => createEntry("x", name, host, ["x"]))),
  fc
    .tuple(fc.constantFrom(...collections), id, fc.constantFrom("one", "two"))
    .map(([of, name, text]) => describeItem(of, name, text)),
  fc.tuple(id, id, someIds).map(([map, name, to]) => repoint(map, name, to)),
  fc.tuple(fc.constantFrom(...collections), id).map(([of, name]) => deleteItem(of, name)),
  fc.tuple(id, id).map(([map, name]) => deleteEntry(map, name)),
  fc.tuple(domain, fc.boolean()).map(([of, isThere]) => publish(of, isThere)),
  domain.map((of) => publish(of, true)),
  fc.constantFrom(secondMs, 5 * secondMs, minuteMs, 20 * minuteMs, hourMs).map((ms) => advance(ms)),
];

/** Creates what map entries need, so that more runs have entries. */
const beginning = [createAuthorization("x", "a.example"), createCertificate("x", ["a.example"], ["x"]), createMap("x")];

/** Compares the service with the model in random requests, DNS changes and clock steps. */
export async function checkModel(
  start: () => Promise<Subject>,
  { runs, seed, maxCommands = 60 }: { readonly runs: number; readonly seed: number; readonly maxCommands?: number },
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.commands(commands, { size: "medium", maxCommands }), async (isBegun, chosen) => {
      await using cloud = await start();
      const model: Model = {
        nowMs: 0,
        authorizations: new Map(),
        certificates: new Map(),
        maps: new Map(),
        entries: new Map(),
        published: new Set(),
      };
      await fc.asyncModelRun(
        () => ({ model, real: { cloud } }),
        [...(isBegun ? beginning : []), ...chosen, advance(0)],
      );
    }),
    { numRuns: runs, seed },
  );
}
