import { type Change, cloud, freshZone, reasonOf, recordsOf, resolver, set, type TestZone, www } from "./fresh-zones";

const nameServers = (zone: TestZone) => zone.nameServers;

test.each<[what: string, change: (zone: TestZone) => Change, outcome: string]>([
  ["adds a record set", ({ dnsName }) => ({ additions: [set(`a.${dnsName}`, "A", "192.0.2.9")] }), "200 done"],
  [
    "adds another type to a name",
    ({ dnsName }) => ({ additions: [set(`www.${dnsName}`, "AAAA", "2001:db8::1")] }),
    "200 done",
  ],
  ["adds an existing record set", ({ dnsName }) => ({ additions: [www(dnsName)] }), "409 alreadyExists"],
  [
    "adds an existing record set in another case",
    ({ dnsName }) => ({ additions: [set(`WWW.${dnsName.toUpperCase()}`, "A", "192.0.2.9")] }),
    "409 alreadyExists",
  ],
  [
    "adds the same twice",
    ({ dnsName }) => ({ additions: [set(`a.${dnsName}`, "A", "192.0.2.9"), set(`a.${dnsName}`, "A", "192.0.2.8")] }),
    "409 alreadyExists",
  ],
  [
    "adds a name with an escaped dot that only looks like a name of the zone",
    ({ dnsName }) => ({ additions: [set(`x\\.${dnsName}`, "A", "192.0.2.9")] }),
    "400 invalid",
  ],
  [
    "adds a name with a dot in a label",
    ({ dnsName }) => ({ additions: [set(`x\\.y.${dnsName}`, "A", "192.0.2.9")] }),
    "200 done",
  ],
  [
    "adds the same name in two spellings",
    ({ dnsName }) => ({
      additions: [set(`x\\.y.${dnsName}`, "A", "192.0.2.9"), set(`x\\046Y.${dnsName}`, "A", "192.0.2.8")],
    }),
    "409 alreadyExists",
  ],
  [
    "adds an address in two spellings",
    ({ dnsName }) => ({ additions: [set(`a.${dnsName}`, "AAAA", "2001:db8::1", "2001:DB8:0::1")] }),
    "400 invalid",
  ],
  [
    "adds a name server in two spellings",
    ({ dnsName }) => ({ additions: [set(`a.${dnsName}`, "NS", "ns.example.", "NS.Example.")] }),
    "400 invalid",
  ],
  [
    "adds texts that differ in case",
    ({ dnsName }) => ({ additions: [set(`a.${dnsName}`, "TXT", '"a"', "A")] }),
    "200 done",
  ],
  [
    "adds a text in two spellings",
    ({ dnsName }) => ({ additions: [set(`a.${dnsName}`, "TXT", '"a"', "a")] }),
    "400 invalid",
  ],
  ["deletes the same twice", ({ dnsName }) => ({ deletions: [www(dnsName), www(dnsName)] }), "400 invalid"],
  [
    "deletes the same twice, by another case",
    ({ dnsName }) => ({ deletions: [www(dnsName), { ...www(dnsName), name: `WWW.${dnsName}` }] }),
    "400 invalid",
  ],
  ["deletes a record set", ({ dnsName }) => ({ deletions: [www(dnsName)] }), "200 done"],
  [
    "deletes a record set in another order",
    ({ dnsName }) => ({ deletions: [{ ...www(dnsName), rrdatas: ["192.0.2.2", "192.0.2.1"] }] }),
    "200 done",
  ],
  [
    "deletes a missing record set",
    ({ dnsName }) => ({ deletions: [set(`no.${dnsName}`, "A", "192.0.2.1")] }),
    "404 notFound",
  ],
  [
    "deletes a missing type",
    ({ dnsName }) => ({ deletions: [set(`www.${dnsName}`, "AAAA", "2001:db8::1")] }),
    "404 notFound",
  ],
  [
    "deletes different data",
    ({ dnsName }) => ({ deletions: [set(`www.${dnsName}`, "A", "192.0.2.1")] }),
    "412 conditionNotMet",
  ],
  ["deletes a different TTL", ({ dnsName }) => ({ deletions: [{ ...www(dnsName), ttl: 301 }] }), "412 conditionNotMet"],
  [
    "replaces a record set",
    ({ dnsName }) => ({ deletions: [www(dnsName)], additions: [set(`www.${dnsName}`, "A", "192.0.2.3")] }),
    "200 done",
  ],
  [
    "replaces an A with a CNAME",
    ({ dnsName }) => ({ deletions: [www(dnsName)], additions: [set(`www.${dnsName}`, "CNAME", "a.example.")] }),
    "200 done",
  ],
  [
    "adds a CNAME beside an A",
    ({ dnsName }) => ({ additions: [set(`www.${dnsName}`, "CNAME", "a.example.")] }),
    "400 cnameResourceRecordSetConflict",
  ],
  [
    "adds a CNAME and an A",
    ({ dnsName }) => ({
      additions: [set(`b.${dnsName}`, "CNAME", "a.example."), set(`b.${dnsName}`, "A", "192.0.2.1")],
    }),
    "400 cnameResourceRecordSetConflict",
  ],
  [
    "adds an A and a CNAME",
    ({ dnsName }) => ({
      additions: [set(`b.${dnsName}`, "A", "192.0.2.1"), set(`b.${dnsName}`, "CNAME", "a.example.")],
    }),
    "400 cnameResourceRecordSetConflict",
  ],
  [
    "adds a CNAME at the apex",
    ({ dnsName }) => ({ additions: [set(dnsName, "CNAME", "a.example.")] }),
    "400 cnameResourceRecordSetConflict",
  ],
  [
    "adds a CNAME with two targets",
    ({ dnsName }) => ({ additions: [set(`b.${dnsName}`, "CNAME", "a.example.", "b.example.")] }),
    "400 invalid",
  ],
  [
    "deletes the apex's NS",
    (zone) => ({ deletions: [{ ...set(zone.dnsName, "NS", ...nameServers(zone)), ttl: 21_600 }] }),
    "400 invalidZoneApex",
  ],
  [
    "replaces the apex's NS",
    (zone) => ({
      deletions: [{ ...set(zone.dnsName, "NS", ...nameServers(zone)), ttl: 21_600 }],
      additions: [set(zone.dnsName, "NS", "ns1.example.")],
    }),
    "200 done",
  ],
  [
    "adds a second SOA",
    ({ dnsName }) => ({ additions: [set(dnsName, "SOA", "a. b. 1 2 3 4 5")] }),
    "409 alreadyExists",
  ],
  ["adds a delegation", ({ dnsName }) => ({ additions: [set(`sub.${dnsName}`, "NS", "ns1.example.")] }), "200 done"],
  ["adds a wildcard", ({ dnsName }) => ({ additions: [set(`*.${dnsName}`, "A", "192.0.2.1")] }), "200 done"],
  [
    "adds a name outside of the zone",
    () => ({ additions: [set("www.example.com.", "A", "192.0.2.1")] }),
    "400 invalid",
  ],
  [
    "adds a name that only ends like the zone",
    ({ dnsName }) => ({ additions: [set(`x${dnsName}`, "A", "192.0.2.1")] }),
    "400 invalid",
  ],
  [
    "adds a name without its dot",
    ({ dnsName }) => ({ additions: [set(`a.${dnsName.slice(0, -1)}`, "A", "192.0.2.1")] }),
    "400 invalid",
  ],
  ["adds an invalid name", ({ dnsName }) => ({ additions: [set(`a..${dnsName}`, "A", "192.0.2.1")] }), "400 invalid"],
  ["adds an unknown type", ({ dnsName }) => ({ additions: [set(`a.${dnsName}`, "NONSENSE", "x")] }), "400 invalid"],
  ["adds no data", ({ dnsName }) => ({ additions: [set(`a.${dnsName}`, "A")] }), "400 invalid"],
  [
    "adds the same data twice",
    ({ dnsName }) => ({ additions: [set(`a.${dnsName}`, "A", "192.0.2.1", "192.0.2.1")] }),
    "400 invalid",
  ],
  [
    "adds an invalid address",
    ({ dnsName }) => ({ additions: [set(`a.${dnsName}`, "A", "192.0.2.256")] }),
    "400 invalid",
  ],
  [
    "adds an IPv6 address as an A",
    ({ dnsName }) => ({ additions: [set(`a.${dnsName}`, "A", "2001:db8::1")] }),
    "400 invalid",
  ],
  [
    "adds a CNAME to a target without its dot",
    ({ dnsName }) => ({ additions: [set(`a.${dnsName}`, "CNAME", "b.example")] }),
    "400 invalid",
  ],
  [
    "adds an invalid CAA record",
    ({ dnsName }) => ({ additions: [set(`a.${dnsName}`, "CAA", "0 issue")] }),
    "400 invalid",
  ],
  ["adds a CAA", ({ dnsName }) => ({ additions: [set(dnsName, "CAA", '0 issue "pki.goog"')] }), "200 done"],
  ["adds a TXT", ({ dnsName }) => ({ additions: [set(dnsName, "TXT", '"a b" "c"')] }), "200 done"],
  [
    "has a TTL below 0",
    ({ dnsName }) => ({ additions: [{ ...set(`a.${dnsName}`, "A", "192.0.2.1"), ttl: -1 }] }),
    "400 invalid",
  ],
  ["does nothing", () => ({ additions: [], deletions: [] }), "400 required"],
  [
    "has a routing policy that chooses by health, which is not emulated",
    ({ dnsName }) => ({
      additions: [{ name: `a.${dnsName}`, type: "A", ttl: 1, routingPolicy: { primaryBackup: {} } }],
    }),
    "501 notImplemented",
  ],
  [
    "has a routing policy that chooses by nothing",
    ({ dnsName }) => ({
      additions: [{ name: `a.${dnsName}`, type: "A", ttl: 1, routingPolicy: { kind: "dns#rRSetRoutingPolicy" } }],
    }),
    "400 invalid",
  ],
  [
    "has a routing policy that chooses by weight",
    ({ dnsName }) => ({
      additions: [
        {
          name: `a.${dnsName}`,
          type: "A",
          ttl: 1,
          routingPolicy: { wrr: { items: [{ weight: 1, rrdatas: ["192.0.2.1"] }] } },
        },
      ],
    }),
    "200 done",
  ],
  [
    "has more than 1,000 additions",
    ({ dnsName }) => ({
      additions: Array.from({ length: 1_001 }, (_, index) => set(`a${index}.${dnsName}`, "A", "192.0.2.1")),
    }),
    "400 invalid",
  ],
])("a change that %s", async (_what, change, outcome) => {
  const zone = await freshZone();
  const before = await recordsOf(zone);
  const answer = await cloud.call("POST", `${zone.path}/changes`, change(zone));
  expect([reasonOf(answer), JSON.stringify(answer.body)]).toEqual([outcome, expect.anything()]);
  if (answer.status === 200) expect(await recordsOf(zone)).not.toEqual(before);
  else expect(await recordsOf(zone)).toEqual(before);
});

it("a change is applied completely or not at all", async () => {
  const zone = await freshZone();
  const before = await recordsOf(zone);
  const answer = await cloud.call("POST", `${zone.path}/changes`, {
    deletions: [www(zone.dnsName)],
    additions: [set(`a.${zone.dnsName}`, "A", "192.0.2.1"), set(`b.${zone.dnsName}`, "A", "nonsense")],
  });
  expect(answer).toMatchObject({
    status: 400,
    body: { error: { message: expect.stringContaining("entity.change.additions[1].rrdata[0]': 'nonsense'") } },
  });
  expect(await recordsOf(zone)).toEqual(before);
  const { changes } = await cloud.make("GET", `${zone.path}/changes`);
  expect(changes).toHaveLength(1);
});

it("a change is pending until its delay has passed, and only then the name server answers with it", async () => {
  const zone = await freshZone();
  const name = `a.${zone.dnsName}`;
  const change = await cloud.make("POST", `${zone.path}/changes`, { additions: [set(name, "A", "192.0.2.7")] });
  expect(change).toEqual({
    kind: "dns#change",
    id: "2",
    startTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    status: "pending",
    additions: [{ kind: "dns#resourceRecordSet", ...set(name, "A", "192.0.2.7"), signatureRrdatas: [] }],
    deletions: [],
  });
  await expect(resolver.resolve4(name)).rejects.toMatchObject({ code: "ENOTFOUND" });
  await cloud.clock.advance(499);
  expect(await cloud.make("GET", `${zone.path}/changes/2`)).toMatchObject({ status: "pending" });
  await expect(resolver.resolve4(name)).rejects.toMatchObject({ code: "ENOTFOUND" });
  await cloud.clock.advance(1);
  expect(await cloud.make("GET", `${zone.path}/changes/2`)).toEqual({ ...change, status: "done" });
  expect(await resolver.resolve4(name)).toEqual(["192.0.2.7"]);
});

it("a change that immediately follows another is applied after it", async () => {
  const zone = await freshZone();
  const at = (address: string) => set(`a.${zone.dnsName}`, "A", address);
  await cloud.make("POST", `${zone.path}/changes`, { additions: [at("192.0.2.1")] });
  await cloud.make("POST", `${zone.path}/changes`, { deletions: [at("192.0.2.1")], additions: [at("192.0.2.2")] });
  await cloud.clock.advance(500);
  expect(await resolver.resolve4(`a.${zone.dnsName}`)).toEqual(["192.0.2.2"]);
});

it("a change can be read by number, and listed in either order", async () => {
  const zone = await freshZone();
  for (const letter of ["a", "b"])
    await cloud.make("POST", `${zone.path}/changes`, {
      additions: [set(`${letter}.${zone.dnsName}`, "A", "192.0.2.1")],
    });
  const list = async (query: string) => {
    const { changes, nextPageToken } = (await cloud.make("GET", `${zone.path}/changes${query}`)) as {
      changes: readonly { id: string }[];
      nextPageToken?: string;
    };
    return { ids: changes.map(({ id }) => id).join(), next: nextPageToken };
  };
  expect([(await list("")).ids, (await list("?sortBy=changeSequence&sortOrder=descending")).ids]).toEqual([
    "1,2,3",
    "3,2,1",
  ]);
  const first = await list("?maxResults=2");
  expect([first.ids, (await list(`?maxResults=2&pageToken=${first.next}`)).ids]).toEqual(["1,2", "3"]);
  expect(reasonOf(await cloud.call("GET", `${zone.path}/changes/9`))).toBe("404 notFound");
});
