import { parse } from "yaml";
import { InputError } from "../../../lib/errors";
import { formatRecords, type RecordFormat, recordFormats } from "../../../lib/live/records";

const record = (domain: string, zone: string) => ({
  domain,
  zone,
  name: `_acme-challenge.${domain}.`,
  relativeName: `_acme-challenge.${domain}`.slice(0, -zone.length - 1),
  type: "CNAME" as const,
  data: "abc.authorize.certificatemanager.goog.",
  published: "external" as const,
});
const inZone = [record("www.example.com", "example.com"), record("example.com", "example.com")];
const inTwoZones = [...inZone, record("example.net", "example.net")];

test.each<[RecordFormat, string]>([
  [
    "cloudflare",
    "_acme-challenge.www.example.com.\t300\tIN\tCNAME\tabc.authorize.certificatemanager.goog. ; cf_tags=cf-proxied:false\n" +
      "_acme-challenge.example.com.\t300\tIN\tCNAME\tabc.authorize.certificatemanager.goog. ; cf_tags=cf-proxied:false\n",
  ],
  [
    "octodns",
    '---\n"_acme-challenge":\n  ttl: 300\n  type: CNAME\n  value: "abc.authorize.certificatemanager.goog."\n' +
      '"_acme-challenge.www":\n  ttl: 300\n  type: CNAME\n  value: "abc.authorize.certificatemanager.goog."\n',
  ],
  [
    "dnscontrol",
    'D_EXTEND("example.com",\n' +
      '  CNAME("_acme-challenge.www", "abc.authorize.certificatemanager.goog.", TTL(300)),\n' +
      '  CNAME("_acme-challenge", "abc.authorize.certificatemanager.goog.", TTL(300))\n);\n',
  ],
])("writes %s", (format, text) => {
  expect(formatRecords(format, inZone, 300)).toBe(text);
});

test("writes a change batch that creates or replaces the records at Route 53", () => {
  const upsert = (name: string) => ({
    Action: "UPSERT",
    ResourceRecordSet: {
      Name: name,
      Type: "CNAME",
      TTL: 60,
      ResourceRecords: [{ Value: "abc.authorize.certificatemanager.goog." }],
    },
  });
  const batch = { Changes: [upsert("_acme-challenge.www.example.com."), upsert("_acme-challenge.example.com.")] };
  expect(formatRecords("route53", inZone, 60)).toBe(`${JSON.stringify(batch, undefined, 2)}\n`);
});

test("writes local values in the form of the module's output, without trailing dots, as 'terraform fmt' formats them", () => {
  expect(formatRecords("terraform", inZone.slice(0, 1), 300)).toBe(
    `locals {
  authorization_records = {
    "www.example.com" = {
      hostname = "www.example.com"
      name     = "_acme-challenge.www.example.com"
      type     = "CNAME"
      data     = ["abc.authorize.certificatemanager.goog"]
      ttl      = 300
    }
  }
}
`,
  );
});

test.each(recordFormats)("%s: writes several zones, or refuses them if each zone has a file", (format) => {
  const isRefused = ["cloudflare", "octodns", "route53"].includes(format);
  const write = () => formatRecords(format, inTwoZones, 300);
  if (!isRefused) {
    for (const domain of ["www.example.com", "example.net"]) expect(write()).toContain(domain.split(".").at(-2));
    return;
  }
  expect(write).toThrow(InputError);
  expect(write).toThrow(
    `the records are in 2 zones (example.com, example.net), and '${format}' has a file for each zone; give one with --zone`,
  );
});

test("writes YAML whose keys a parser reads as the names of the zone", () => {
  expect(Object.keys(parse(formatRecords("octodns", inZone, 300)))).toEqual(["_acme-challenge", "_acme-challenge.www"]);
});
