import { Certificate, DnsPublication, LoadBalancer, ManagedCertMigration } from "../../lib";
import pinned from "../fixtures/addresses/pinned.json";
import { newApp, newStack, synthesize } from "../support/synth";

/** Addresses and names are contract: a change here replaces the resources of every user, on live load balancers. */
test("addresses and names of a realistic stack equal those of every earlier release", () => {
  const stack = newStack(newApp(), "prod");
  new ManagedCertMigration(stack, "shop", {
    certificates: [
      Certificate.managed({ domains: ["example.com", "*.example.com"], primary: true }),
      Certificate.managed({ name: "pay", domains: ["pay.example.net", "1.example.net"] }),
      Certificate.managed({ domains: ["xn--bcher-kva.example.org"] }),
    ],
    dns: DnsPublication.cloudDns({ zones: { "example.com": "com", "example.net": "net", "example.org": "org" } }),
    loadBalancer: LoadBalancer.globalExternal({
      newTargetHttpsProxy: {
        urlMap: "web",
        forwardingRules: { ipv4Address: "203.0.113.7", ipv6Address: "2001:db8::7" },
      },
    }),
    traffic: {
      hostnames: ["example.com", "www.example.com"],
      to: "loadBalancer",
      previous: { "example.com": { a: ["198.51.100.1"] }, "www.example.com": { cname: "old-cdn.example.org" } },
    },
    enableApis: true,
    namePrefix: "eu",
  });
  const named = Object.entries(synthesize(stack).resource ?? {}).flatMap(([type, resources]) =>
    Object.entries(resources).map(([id, block]) => [`${type}.${id}`, block.name ?? block.service ?? "-"]),
  );
  expect(Object.fromEntries(named.sort())).toEqual(pinned);
});
