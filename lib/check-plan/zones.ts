import { asText } from "../json/fields";
import { lastPart } from "../resource-names";
import { types } from "./kinds";
import { bareName } from "./names";
import type { Resource } from "./plan-json";
import type { World } from "./world";

/** The zones of a plan, before or after the apply, also those that Terraform only reads. */
export class Zones {
  readonly #zones: readonly Resource[];

  constructor(world: World) {
    const data = world.plan.data.filter(({ type }) => type === types.zone);
    this.#zones = [...world.resourcesBefore(types.zone), ...world.resourcesAfter(types.zone), ...data];
  }

  /** Returns the zone of a record; undefined if the plan does not contain the zone. */
  zoneOf({ values }: Pick<Resource, "values">): Resource | undefined {
    const name = nameOfZone(values);
    if (name === "") return undefined;
    return this.#zones.find(({ values: zone }) => {
      const isSameProject =
        typeof zone.project !== "string" || typeof values.project !== "string" || zone.project === values.project;
      return lastPart(asText(zone.name ?? "")) === name && isSameProject;
    });
  }

  /**
   * Returns the clients that use a record: `public`, or the clients of a private zone. A zone that the plan does not
   * contain is public.
   */
  viewOf(record: Pick<Resource, "values">): string {
    const zone = this.zoneOf(record);
    return zone !== undefined && isPrivate(zone) ? `private ${identityOf(record)}` : "public";
  }

  /** Returns whether two records may be in one zone. A zone that is unknown matches any zone. */
  areInOneZone(a: Pick<Resource, "values">, b: Pick<Resource, "values">): boolean {
    const [first, second] = [nameOfZone(a.values), nameOfZone(b.values)];
    return first === "" || second === "" || identityOf(a) === identityOf(b);
  }

  /** Returns the zones with a domain as their origin. */
  at(domain: string): readonly Resource[] {
    return this.#zones.filter(({ values }) => bareName(values.dns_name) === domain);
  }
}

export function isPrivate({ values }: Pick<Resource, "values">): boolean {
  return values.visibility === "private";
}

function nameOfZone({ managed_zone: zone }: Resource["values"]): string {
  return lastPart(asText(zone ?? ""));
}

function identityOf({ values }: Pick<Resource, "values">): string {
  return `${asText(values.project ?? "")}/${nameOfZone(values)}`;
}
