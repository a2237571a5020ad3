import type { LoadBalancerSpec } from "../../../lib/plan";
import { beginnings } from "../../../lib/rehearsal/disturbances";
import {
  rehearsalLoadBalancerAddress as newAddress,
  rehearsalPreviousAddress as oldAddress,
} from "../../../lib/rehearsed";
import { type Scenario, smallSpec, unharmed } from "./scenario";
import type { Meeting, Proof } from "./seen";
import { answered, askedFor, hostnamesMet, inOneApply, nothingWrong, requestsThat } from "./shown";

const bothFamilies: LoadBalancerSpec = {
  kind: "globalExternal",
  newTargetHttpsProxy: {
    urlMap: "rehearsal",
    forwardingRules: { ipv4Address: newAddress, ipv6Address: "2001:db8:2::7" },
  },
};

const isIpv6 = ({ address = "" }: Meeting) => address.includes(":");
const isAtLoadBalancer = ({ side }: Meeting) => side === "loadBalancer";
const isAtPreviousProvider = ({ side }: Meeting) => side === "previous";

/** Counts hostnames that clients reached, by address family and provider. */
const families = {
  previousIpv4: hostnamesMet(
    "hostnames met by IPv4 at the previous provider",
    1,
    (each) => isAtPreviousProvider(each) && !isIpv6(each),
  ),
  previousIpv6: hostnamesMet(
    "hostnames met by IPv6 at the previous provider",
    1,
    (each) => isAtPreviousProvider(each) && isIpv6(each),
  ),
  balancerIpv4: hostnamesMet(
    "hostnames met by IPv4 at the load balancer",
    1,
    (each) => isAtLoadBalancer(each) && !isIpv6(each),
  ),
  balancerIpv6: hostnamesMet(
    "hostnames met by IPv6 at the load balancer",
    1,
    (each) => isAtLoadBalancer(each) && isIpv6(each),
  ),
};
const none = (proof: Proof): Proof => ({ ...proof, atLeast: 0, atMost: 0 });
const servedByLoadBalancer = (atLeast: number, fits: (hostname: string) => boolean = () => true) =>
  hostnamesMet(
    "hostnames served by the load balancer",
    atLeast,
    (each) => isAtLoadBalancer(each) && each.ok && fits(each.hostname),
  );

const range = (length: number) => Array.from({ length }, (_, index) => index + 1);

/** Migrations of other shapes, with rotation and rollback where these matter. */
export const shapeScenarios: readonly Scenario[] = [
  {
    name: "plain-sailing",
    summary: "nothing goes wrong",
    extras: true,
    proofs: [nothingWrong, answered(beginnings["forwarding-rule"], "forwarding rules made")],
    expect: unharmed,
  },
  {
    name: "one-deploy",
    summary: "one deploy does steps 1 to 6, as the gate waits",
    course: { order: "one deploy" },
    extras: true,
    proofs: [
      inOneApply(Object.values(beginnings), "applies that made all there is from authorizations to forwarding rules"),
    ],
    expect: unharmed,
  },
  {
    name: "both-address-families",
    summary: "A and AAAA at both providers",
    spec: {
      ...smallSpec,
      loadBalancer: bothFamilies,
      traffic: {
        to: "previous",
        previous: {
          "example.com": { a: [oldAddress], aaaa: ["2001:db8:1::10"] },
          "pay.example.net": { a: [oldAddress], aaaa: ["2001:db8:1::11"] },
        },
      },
    },
    extras: true,
    proofs: Object.values(families),
    expect: unharmed,
  },
  {
    name: "ipv6-only-at-previous-provider",
    summary: "a name has AAAA today, and the load balancer has no address of IPv6: step 8 is refused",
    spec: {
      ...smallSpec,
      traffic: { to: "previous", previous: { "example.com": { a: [oldAddress], aaaa: ["2001:db8:1::10"] } } },
    },
    proofs: [families.previousIpv6, none(families.balancerIpv4), none(families.balancerIpv6)],
    expect: { completes: false, failedHandshakes: "none", messages: ["the load balancer no IPv6 address"] },
  },
  {
    name: "ipv6-only-at-load-balancer",
    summary: "the load balancer has an address of IPv6, and names have none today",
    spec: { ...smallSpec, loadBalancer: bothFamilies },
    extras: true,
    proofs: [none(families.previousIpv6), families.balancerIpv6, families.balancerIpv4],
    expect: unharmed,
  },
  {
    name: "alias-today",
    summary: "a host is a CNAME to the previous provider today",
    spec: {
      ...smallSpec,
      traffic: { to: "previous", previous: { "pay.example.net": { cname: "edge.old-provider.example." } } },
    },
    extras: true,
    proofs: [
      askedFor(/\/rrsets\?(?=.*\bname=pay\.example\.net\.)(?=.*\btype=CNAME\b)/, "looks of Terraform at the alias"),
      servedByLoadBalancer(1, (hostname) => hostname === "pay.example.net"),
    ],
    expect: unharmed,
  },
  {
    name: "wildcard-only",
    summary: "a certificate for a wildcard alone, probed by a name that it covers",
    spec: { ...smallSpec, certificates: [{ domains: ["*.example.com"] }] },
    extras: true,
    proofs: [
      { ...answered(beginnings.entry, "entries made, of the wildcard and of the domain that is added", 2), atMost: 2 },
      servedByLoadBalancer(1, (hostname) => hostname === "covered-by-wildcard.example.com"),
    ],
    expect: unharmed,
  },
  {
    name: "uploaded-certificate",
    summary: "a certificate of another authority is uploaded beside a managed one",
    uploads: [["legacy.example.com"]],
    extras: true,
    proofs: [
      servedByLoadBalancer(1, (hostname) => hostname === "legacy.example.com"),
      {
        what: "certificates issued for the uploaded name",
        atMost: 0,
        count: ({ issued }) => issued.filter(({ domains }) => domains.includes("legacy.example.com")).length,
      },
    ],
    expect: unharmed,
  },
  {
    name: "fifty-hostnames",
    summary: "fifty hostnames on ten certificates",
    spec: {
      ...smallSpec,
      certificates: range(10).map((number) => ({
        domains: range(5).map((host) => `h${host}.c${number}.example.com`),
      })),
    },
    proofs: [answered(beginnings.entry, "entries made", 50), servedByLoadBalancer(50)],
    expect: unharmed,
  },
  {
    name: "two-hundred-hostnames",
    summary: "two hundred hostnames on ten certificates",
    spec: {
      ...smallSpec,
      certificates: range(10).map((number) => ({
        domains: range(20).map((host) => `h${host}.c${number}.example.com`),
      })),
    },
    proofs: [answered(beginnings.entry, "entries made", 200), servedByLoadBalancer(200)],
    expect: unharmed,
  },
  {
    name: "zone-in-another-project",
    summary: "a zone lies in a project of its own",
    spec: {
      ...smallSpec,
      dns: {
        kind: "cloudDns",
        zones: { "example.com": "example-com", "example.net": { name: "net", project: "dns-project" } },
      },
    },
    proofs: [
      requestsThat(
        "changes of records in the zone's own project",
        ({ method, target, status }) =>
          method === beginnings.record && status < 300 && target.includes("/projects/dns-project/"),
      ),
    ],
    expect: unharmed,
  },
  {
    name: "record-per-project",
    summary: "authorizations with records of the project's own",
    spec: { ...smallSpec, authorizationType: "PER_PROJECT_RECORD" },
    extras: true,
    proofs: [
      askedFor(/\/rrsets\?.*\bname=_acme-challenge_\w+\./, "looks of Terraform at records of the project's own"),
    ],
    expect: unharmed,
  },
  {
    name: "names-in-other-scripts",
    summary: "internationalized names",
    spec: { ...smallSpec, certificates: [{ domains: ["bücher.example.com", "*.bücher.example.com"] }] },
    proofs: [servedByLoadBalancer(2, (hostname) => hostname.endsWith("xn--bcher-kva.example.com"))],
    expect: unharmed,
  },
];
