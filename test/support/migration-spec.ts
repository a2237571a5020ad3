/** A migration of two certificates, with all parts that commands read. */
export const shopSpec = `name: shop
certificates:
  - domains: [example.com, "*.example.com"]
  - name: pay
    domains: [pay.example.net]
dns: { kind: cloudDns, zones: { example.com: example-com, example.net: example-net } }
loadBalancer:
  kind: globalExternal
  newTargetHttpsProxy: { urlMap: global/urlMaps/web, forwardingRules: { ipv4Address: 203.0.113.7 } }
traffic:
  to: previous
  previous: { example.com: { a: [198.51.100.1] }, pay.example.net: { cname: old.example.org. } }
`;
