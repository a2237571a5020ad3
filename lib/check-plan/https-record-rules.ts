/** HTTPS and SVCB records (RFC 9460): their targets and address hints, which clients use in place of A and AAAA. */
import { isIP } from "node:net";
import { canonicalAddress } from "../hostnames";
import { asText, type Fields } from "../json/fields";
import { danger, listed, type PlanDanger } from "./dangers";
import { types } from "./kinds";
import { bareName } from "./names";
import type { Change } from "./plan-json";
import type { RecordWorld } from "./record-deletions";
import { dataAttributes } from "./records";
import { dataOf, isTrafficRecord } from "./served-names";

export function httpsDangers({ world, names, zones }: RecordWorld): readonly PlanDanger[] {
  const changes = world.changes(types.record).filter(({ deposed, action }) => !deposed && action !== "no-op");
  const byAddress = new Map(changes.map((change) => [change.address, change]));
  const moved = new Set(changes.filter(({ after }) => isTrafficRecord(after)).map(({ after }) => bareName(after.name)));
  return world.resourcesAfter(types.record).flatMap(({ address, values }) => {
    const name = bareName(values.name);
    const isPublic = zones.viewOf({ values }) === "public";
    if (!isServiceRecord(values) || !isPublic || names.namesThrough(name).length === 0) return [];
    const places = new Set(names.resolved([name]));
    // Where clients go without the record is unknown.
    if (![...places].every((place) => isIP(place) > 0) || names.recordsAfter(name, address).some(isOpen)) return [];
    const foreign = placesOf(values, name).filter((foreignPlace) =>
      names.resolved([foreignPlace]).some((place) => !places.has(place)),
    );
    const change = byAddress.get(address);
    const added = foreign.filter((foreignPlace) => !hasPlace(change, foreignPlace, name));
    const what = `${name} ${asText(values.type)}`;
    if (change !== undefined && added.length > 0) {
      const message = `${what} leads to ${listed(added)}, and the name to ${listed([...places])}`;
      return [danger("https-record-leads-elsewhere", address, message, { hostnames: [name] })];
    }
    if (foreign.length === 0 || !moved.has(name)) return [];
    const message = `${what} stays at ${listed(foreign)}, and the name moves to ${listed([...places])}`;
    return [danger("https-record-stays", address, message, { hostnames: [name] })];
  });

  function isOpen({ address }: { readonly address: string }): boolean {
    return dataAttributes.some((attribute) => world.isUnknown(address, attribute));
  }
}

function isServiceRecord({ type }: Fields): boolean {
  return type === "HTTPS" || type === "SVCB";
}

/** Returns whether a record led to a place before its change. */
function hasPlace(change: Change | undefined, place: string, name: string): boolean {
  return change !== undefined && change.action !== "create" && placesOf(change.before, name).includes(place);
}

/** Returns the targets and address hints of a record, without the name itself. */
function placesOf(values: Fields, name: string): readonly string[] {
  const places = dataOf(values).flatMap((text) => {
    const [, target = "."] = text.trim().split(/\s+/);
    const hints = [...text.matchAll(/\bipv[46]hint="?([^"\s]+)"?/g)].flatMap(([, list = ""]) => list.split(","));
    return [bareName(target), ...hints.map((hint) => (isIP(hint) === 6 ? canonicalAddress(hint) : hint))];
  });
  return [...new Set(places)].filter((candidate) => candidate !== "" && candidate !== name);
}
