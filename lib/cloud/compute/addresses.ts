import type { Json } from "../front";
import type { Concept, Place, Surroundings } from "./concept";
import { drawIpAddress, type IpVersion, readIpAddress } from "./ip-addresses";
import { invalidValue, notEmulated } from "./refusals";
import { pathOfResource, textOf } from "./resources";

/** Reserved addresses, which forwarding rules can share over time. They never change. */
export const addresses: Concept = {
  collection: "addresses",
  schema: "Address",
  noun: "address",
  global: "globalAddresses",
  regional: "addresses",
  complete(body, place, surroundings) {
    if (body.prefixLength !== undefined) throw notEmulated("ranges of addresses (prefixLength)");
    const addressType = textOf(body, "addressType") || "EXTERNAL";
    const { ipAddress, ipVersion } = chooseAddress(body, addressType, place, surroundings);
    return {
      networkTier: addressType === "EXTERNAL" ? "PREMIUM" : undefined,
      ...body,
      address: ipAddress,
      addressType,
      ipVersion,
    };
  },
  usersOf: (resource, { resources }) => resources.rulesAt(textOf(resource, "address")),
  present(resource, { resources }) {
    const users = resources.rulesAt(textOf(resource, "address")).map(({ selfLink }) => selfLink);
    return users.length === 0 ? { ...resource, status: "RESERVED" } : { ...resource, status: "IN_USE", users };
  },
};

function chooseAddress(
  body: Json,
  addressType: string,
  place: Place,
  { resources, ids }: Surroundings,
): { readonly ipAddress: string; readonly ipVersion: IpVersion } {
  const given = textOf(body, "address");
  const wanted = textOf(body, "ipVersion");
  if (given === "") {
    const ipVersion = wanted === "IPV6" ? "IPV6" : "IPV4";
    const internal = addressType === "INTERNAL";
    const ipAddress = drawIpAddress({ ipVersion, internal }, ids, (candidate) => !resources.isTaken(candidate));
    return { ipAddress, ipVersion };
  }
  const read = readIpAddress(given);
  if (read === undefined) throw invalidValue("address", given, "Must be a valid IP address.");
  if ((wanted === "IPV4" || wanted === "IPV6") && wanted !== read.ipVersion)
    throw invalidValue("ipVersion", wanted, `The address ${given} is of ${read.ipVersion}.`);
  const other = resources.reservationsOf(read.ipAddress).find((resource) => pathOfResource(resource) !== place.path);
  if (other !== undefined) throw invalidValue("address", given, "Specified IP address is already reserved.");
  return read;
}
