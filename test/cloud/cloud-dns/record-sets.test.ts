import { cloud, freshZone, reasonOf, resolver, set } from "./fresh-zones";

it("record sets are created, patched and deleted one at a time, and the name server answers with the result", async () => {
  const zone = await freshZone();
  const name = `one.${zone.dnsName}`;
  const path = `${zone.path}/rrsets`;
  const made = await cloud.make("POST", path, set(name, "CNAME", "target.example."));
  expect(made).toEqual({
    kind: "dns#resourceRecordSet",
    ...set(name, "CNAME", "target.example."),
    signatureRrdatas: [],
  });
  await cloud.clock.advance(500);
  expect(await resolver.resolveCname(name)).toEqual(["target.example"]);
  expect(await cloud.make("PATCH", `${path}/${name}/CNAME`, { rrdatas: ["other.example."] })).toMatchObject({
    ttl: 300,
    rrdatas: ["other.example."],
  });
  await cloud.clock.advance(500);
  expect(await resolver.resolveCname(name)).toEqual(["other.example"]);
  expect(await cloud.make("DELETE", `${path}/${name}/CNAME`)).toEqual({});
  await cloud.clock.advance(500);
  await expect(resolver.resolveCname(name)).rejects.toMatchObject({ code: "ENOTFOUND" });
  expect(reasonOf(await cloud.call("GET", `${path}/${name}/CNAME`))).toBe("404 notFound");
  expect(reasonOf(await cloud.call("PATCH", `${path}/${name}/CNAME`, { ttl: 1 }))).toBe("404 notFound");
  expect(reasonOf(await cloud.call("DELETE", `${path}/${name}/CNAME`))).toBe("404 notFound");
  expect(reasonOf(await cloud.call("DELETE", `${path}/${zone.dnsName}/SOA`))).toBe("400 invalidZoneApex");
});

it("record sets have IPv6 addresses in their shortest form, and texts as quoted strings", async () => {
  const zone = await freshZone();
  const long = set(`v6.${zone.dnsName}`, "AAAA", "2001:0DB8:0000::0001");
  const text = set(`text.${zone.dnsName}`, "TXT", "two words", '"a b"');
  const { additions } = await cloud.make("POST", `${zone.path}/changes`, { additions: [long, text] });
  expect(additions).toMatchObject([{ rrdatas: ["2001:db8::1"] }, { rrdatas: ['"two" "words"', '"a b"'] }]);
  const deletions = [long, { ...text, rrdatas: ["two  words", '"a b"'] }];
  expect(await cloud.call("POST", `${zone.path}/changes`, { deletions })).toMatchObject({ status: 200 });
});

it("record sets are listed by name, by name and type, and in pages", async () => {
  const zone = await freshZone();
  const additions = ["A", "AAAA"].map((type) =>
    set(`x.${zone.dnsName}`, type, type === "A" ? "192.0.2.1" : "2001:db8::1"),
  );
  await cloud.make("POST", `${zone.path}/changes`, { additions });
  const list = async (query: string) =>
    (await cloud.make("GET", `${zone.path}/rrsets${query}`)) as {
      rrsets: readonly { name: string; type: string }[];
      nextPageToken?: string;
    };
  const listed = async (query: string) =>
    (await list(query)).rrsets.map(({ name, type }) => `${name.replace(zone.dnsName, "")}${type}`);
  expect(await listed(`?name=x.${zone.dnsName}`)).toEqual(["x.A", "x.AAAA"]);
  expect(await listed(`?name=X.${zone.dnsName.toUpperCase()}&type=AAAA`)).toEqual(["x.AAAA"]);
  expect(await listed(`?name=none.${zone.dnsName}`)).toEqual([]);
  expect(reasonOf(await cloud.call("GET", `${zone.path}/rrsets?type=A`))).toBe("400 required");
  const pages: string[] = [];
  let query = "?maxResults=2";
  do {
    pages.push((await listed(query)).join());
    const { nextPageToken } = await list(query);
    query = nextPageToken === undefined ? "" : `?maxResults=2&pageToken=${nextPageToken}`;
  } while (query !== "");
  expect(pages).toEqual(["www.A,x.A", "x.AAAA,NS", "SOA"]);
});

it("record sets of many types are answered over UDP, including wildcards, and missing names are not", async () => {
  const zone = await freshZone();
  const { dnsName } = zone;
  await cloud.make("POST", `${zone.path}/changes`, {
    additions: [
      set(`*.${dnsName}`, "A", "192.0.2.20"),
      set(`v6.${dnsName}`, "AAAA", "2001:db8::20"),
      set(dnsName, "CAA", '0 issue "pki.goog"'),
      set(dnsName, "TXT", '"v=1 " "a;b"'),
      set(dnsName, "MX", "10 mail.example."),
      set(`alias.${dnsName}`, "CNAME", `www.${dnsName}`),
    ],
  });
  await cloud.clock.advance(500);
  expect(await resolver.resolve4(`any.${dnsName}`)).toEqual(["192.0.2.20"]);
  expect((await resolver.resolve4(`alias.${dnsName}`)).sort()).toEqual(["192.0.2.1", "192.0.2.2"]);
  expect(await resolver.resolve6(`v6.${dnsName}`)).toEqual(["2001:db8::20"]);
  expect(await resolver.resolveCaa(dnsName)).toEqual([{ critical: 0, issue: "pki.goog" }]);
  expect(await resolver.resolveTxt(dnsName)).toEqual([["v=1 ", "a;b"]]);
  expect(await resolver.resolveMx(dnsName)).toEqual([{ exchange: "mail.example", priority: 10 }]);
  expect((await resolver.resolveNs(dnsName)).map((name) => `${name}.`).sort()).toEqual([...zone.nameServers].sort());
  expect(await resolver.resolveSoa(dnsName)).toMatchObject({
    hostmaster: "cloud-dns-hostmaster.google.com",
    minttl: 300,
  });
  await expect(resolver.resolve4(`v6.${dnsName}`)).rejects.toMatchObject({ code: "ENODATA" });
  await expect(resolver.resolve4("www.elsewhere.test")).rejects.toMatchObject({ code: "EREFUSED" });
});

describe("a name with a dot in a label", () => {
  it("is answered as its own name, by the zone that contains it", async () => {
    const { path, dnsName } = await freshZone();
    await cloud.make("POST", `${path}/rrsets`, set(`x\\.y.${dnsName}`, "TXT", "own"));
    await cloud.clock.advance(1_000);
    expect(await cloud.make("GET", `${path}/rrsets?name=${encodeURIComponent(`X\\046y.${dnsName}`)}`)).toMatchObject({
      rrsets: [{ name: `x\\.y.${dnsName}`, rrdatas: ['"own"'] }],
    });
    expect(await resolver.resolveTxt(`x\\.y.${dnsName}`)).toEqual([["own"]]);
    await expect(resolver.resolveTxt(`x.y.${dnsName}`)).rejects.toMatchObject({ code: "ENOTFOUND" });
    // One label directly under `example.`, which has no zone.
    await expect(resolver.resolveTxt(`www\\.${dnsName}`)).rejects.toMatchObject({ code: "EREFUSED" });
  });
});
