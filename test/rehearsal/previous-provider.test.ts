import { routeBy } from "../../lib/rehearsal/previous-provider";

const record = { project: "p1", zone: "z", name: "www.example.com.", ttl: 60 };
const records = [
  { ...record, type: "A", rrdatas: ["198.51.100.1"] },
  { ...record, type: "AAAA", rrdatas: ["2001:db8:0:0::1"] },
  { ...record, type: "CNAME", rrdatas: ["old.example.org."] },
  { ...record, type: "TXT", rrdatas: ['"v=spf1 include:_spf.example.org -all"'] },
];
const listener = { forwardingRule: "f", ipAddress: "203.0.113.7", port: 443, listen: "127.0.0.1:4001" };
const listeners = [
  listener,
  { ...listener, ipAddress: "203.0.113.8", port: 8443 },
  { ...listener, ipAddress: "2001:db8::7", listen: "[::1]:4002" },
];
const route = routeBy(() => listeners as never, { address: "127.0.0.1", port: 4000 }, records);

test.each([
  ["198.51.100.1", { host: "127.0.0.1", port: 4000, side: "previous" }],
  ["2001:db8::1", { host: "127.0.0.1", port: 4000, side: "previous" }],
  ["203.0.113.7", { host: "127.0.0.1", port: 4001, side: "loadBalancer" }],
  ["2001:DB8:0::7", { host: "::1", port: 4002, side: "loadBalancer" }],
  ["203.0.113.8", undefined],
  ["192.0.2.1", undefined],
])("routes %s to %j", (address, expected) => {
  expect(route(address)).toEqual(expected);
});
