import { oneCodeChecks } from "../../../lib/live/doctor/one-code-checks";
import { dnsHostOf } from "../../../lib/live/records";

test.each([
  ["Amazon Route 53", "route53", ["ns-2048.awsdns-64.com", "ns-1024.awsdns-00.org", "ns-1536.awsdns-00.co.uk"]],
  ["Cloudflare", "cloudflare", ["ada.ns.cloudflare.com", "bob.ns.cloudflare.com"]],
  ["Azure DNS", "bind", ["ns1-04.azure-dns.com", "ns2-04.azure-dns.net", "ns3-04.azure-dns.org"]],
  ["Cloud DNS", "bind", ["ns-cloud-a1.googledomains.com", "ns-cloud-a2.googledomains.com"]],
  ["NS1", "octodns", ["dns1.p01.nsone.net"]],
  ["DNSimple", "octodns", ["ns1.dnsimple.com", "ns2.dnsimple-edge.net"]],
  ["Hetzner", "bind", ["hydrogen.ns.hetzner.com", "helium.ns.hetzner.de"]],
  ["Namecheap", "dnscontrol", ["DNS1.registrar-servers.com"]],
])("recognizes %s, whose format is %s, by %j", (name, format, nameServers) => {
  expect(dnsHostOf(nameServers)).toEqual({ name, format });
});

test.each([
  ["no name server", []],
  ["an unknown name server", ["ns1.example.com"]],
  ["a name that only contains the name of a host", ["ns.cloudflare.com.example.com"]],
  ["two hosts", ["ada.ns.cloudflare.com", "dns1.p01.nsone.net"]],
  ["a known and an unknown host", ["ada.ns.cloudflare.com", "ns1.example.com"]],
])("recognizes no host by %s", (_, nameServers) => {
  expect(dnsHostOf(nameServers)).toBeUndefined();
});

test("doctor names the host of a zone whose records you publish, with the command for its format", () => {
  const { judge } = oneCodeChecks["dns-host-recognized"];
  const delegation = {
    ok: true,
    apex: "example.com",
    nameServers: ["ada.ns.cloudflare.com", "bob.ns.cloudflare.com"],
    from: "parent",
  } as const;
  const context = {} as Parameters<typeof judge>[2];
  expect(judge(delegation, "example.com", context)).toEqual({
    subject: "example.com",
    what: "the name servers of example.com are of Cloudflare",
    remedy: "publish the records in its format: 'cert-migration records --format cloudflare'",
  });
  expect(judge({ ...delegation, nameServers: ["ns1.example.com"] }, "example.com", context)).toBeUndefined();
  expect(judge({ ok: false, at: "example.com", detail: "timeout" }, "example.com", context)).toBeUndefined();
});
