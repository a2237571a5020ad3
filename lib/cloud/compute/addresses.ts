import { isIP } from "node:net";
import type { Json } from "../front";
import { invalidValue, notEmulated, quotaExceeded } from "./answers";
import type { ComputeContext, Concept, ResourcePlace } from "./concept";
import type { Ids } from "./links";
import { pathOfResource, textMember } from "./resources";

/** Reserved addresses, which forwarding rules can share over time. They never change. */
export const addresses: Concept = {
  collection: "addresses",
  schema: "Address",
  noun: "address",
  methods: { global: "globalAddresses", regional: "addresses" },
  complete(body, place, context) {
    if (body.prefixLength !== undefined) throw notEmulated("ranges of addresses (prefixLength)");
    const addressType = textMember(body, "addressType") || "EXTERNAL";
    const { ipAddress, ipVersion } = chooseAddress(body, addressType, place, context);
    return {
      networkTier: addressType === "EXTERNAL" ? "PREMIUM" : undefined,
      ...body,
      address: ipAddress,
      addressType,
      ipVersion,
    };
  },
  usersOf: (resource, { resources }) => resources.addresses.rulesAt(textMember(resource, "address")),
  present(resource, { resources }) {
    const users = resources.addresses.rulesAt(textMember(resource, "address")).map(({ selfLink }) => selfLink);
    return users.length === 0 ? { ...resource, status: "RESERVED" } : { ...resource, status: "IN_USE", users };
  },
};

function chooseAddress(
  body: Json,
  addressType: string,
  place: ResourcePlace,
  { resources, ids }: ComputeContext,
): { readonly ipAddress: string; readonly ipVersion: IpVersion } {
  const given = textMember(body, "address");
  const wanted = textMember(body, "ipVersion");
  if (given === "") {
    const ipVersion = wanted === "IPV6" ? "IPV6" : "IPV4";
    const internal = addressType === "INTERNAL";
    const ipAddress = drawIpAddress(
      { ipVersion, internal },
      ids,
      (candidate) => !resources.addresses.isTaken(candidate),
    );
    return { ipAddress, ipVersion };
  }
  const read = readIpAddress(given);
  if (read === undefined) throw invalidValue("address", given, "Must be a valid IP address.");
  if ((wanted === "IPV4" || wanted === "IPV6") && wanted !== read.ipVersion)
    throw invalidValue("ipVersion", wanted, `The address ${given} is of ${read.ipVersion}.`);
  const holder = resources.addresses
    .reservationsOf(read.ipAddress)
    .find((resource) => pathOfResource(resource) !== place.path);
  if (holder !== undefined) throw invalidValue("address", given, "Specified IP address is already reserved.");
  return read;
}

export type IpVersion = "IPV4" | "IPV6";

/** Returns an address in its canonical form. @returns undefined for a text that is not a valid address */
export function readIpAddress(text: string): { readonly ipAddress: string; readonly ipVersion: IpVersion } | undefined {
  const version = isIP(text);
  if (version === 4) return { ipAddress: text, ipVersion: "IPV4" };
  // An IPv6 zone, as in fe80::1%eth0, is meaningful on one machine only.
  if (version !== 6 || text.includes("%")) return undefined;
  return { ipAddress: new URL(`http://[${text}]`).hostname.slice(1, -1), ipVersion: "IPV6" };
}

/** Ranges for documentation (RFC 5737), which belong to no real host. */
const external = ["192.0.2.", "198.51.100.", "203.0.113."];
const hosts = 254;

interface AddressKind {
  readonly ipVersion: IpVersion;
  readonly internal: boolean;
}

/** Returns an unused address. @throws CloudError if none is left; there are 762 external IPv4 addresses */
export function drawIpAddress(kind: AddressKind, ids: Ids, isFree: (ipAddress: string) => boolean): string {
  const { ipVersion, internal } = kind;
  const drawn = BigInt(`0x${ids.next()}`);
  const most = ipVersion === "IPV4" && !internal ? external.length * hosts : 65_536;
  for (let step = 0; step < most; step++) {
    const candidate = candidateAt(drawn + BigInt(step), kind);
    if (isFree(candidate)) return candidate;
  }
  throw quotaExceeded(internal ? "INTERNAL_ADDRESSES" : "STATIC_ADDRESSES", most);
}

function candidateAt(number: bigint, { ipVersion, internal }: AddressKind): string {
  if (ipVersion === "IPV6") {
    // Each is a network of 64 bits from the documentation prefix (RFC 3849) or from the unique local addresses (RFC
    // 4193).
    const groups = [(number >> 16n) & 0xffffn, number & 0xffffn].map((group) => group.toString(16)).join(":");
    const text = internal ? `fd20:${groups}::` : `2001:db8:${groups}::`;
    return new URL(`http://[${text}]`).hostname.slice(1, -1);
  }
  if (internal) {
    const host = Number(number % 65_024n);
    return `10.128.${Math.floor(host / hosts)}.${(host % hosts) + 1}`;
  }
  const place = Number(number % BigInt(external.length * hosts));
  return `${external[Math.floor(place / hosts)]}${(place % hosts) + 1}`;
}
