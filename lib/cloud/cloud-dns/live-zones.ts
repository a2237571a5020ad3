import { isPrivateDomain } from "../../hostnames";
import { parentName, type Zone, type ZoneSource } from "../name-server";
import { LiveZone } from "./live-zone";
import type { ManagedZone } from "./zones";

/**
 * The zones of all projects that the name server answers from; each zone counts as delegated. These are public zones, and
 * private zones of domains that public DNS does not have, as clients in a VPC network see them.
 */
export class LiveZones implements ZoneSource {
  readonly #byId = new Map<string, LiveZone>();
  /** Ids of the zones of a domain, in order of creation; the first zone answers. */
  readonly #idsByDomain = new Map<string, readonly string[]>();
  #version = 0;

  get({ id }: ManagedZone): LiveZone | undefined {
    return this.#byId.get(id);
  }

  open({ id, dnsName, visibility }: ManagedZone): void {
    if (visibility !== "public" && !isPrivateDomain(dnsName)) return;
    this.#byId.set(id, new LiveZone(dnsName, this.#changed));
    this.#changed();
  }

  /** Adds a zone, so that the name server answers from it. */
  delegate({ id, dnsName }: ManagedZone): void {
    const ids = this.#idsByDomain.get(dnsName) ?? [];
    if (this.#byId.has(id) && !ids.includes(id)) this.#idsByDomain.set(dnsName, [...ids, id]);
    this.#changed();
  }

  close({ id, dnsName }: ManagedZone): void {
    this.#byId.delete(id);
    const left = (this.#idsByDomain.get(dnsName) ?? []).filter((other) => other !== id);
    if (left.length > 0) this.#idsByDomain.set(dnsName, left);
    else this.#idsByDomain.delete(dnsName);
    this.#changed();
  }

  readonly version = (): number => this.#version;

  readonly findZone = (name: string): Zone | undefined => {
    for (let at: string | undefined = name; at !== undefined; at = parentName(at)) {
      const [id] = this.#idsByDomain.get(at) ?? [];
      if (id !== undefined) return this.#byId.get(id);
    }
    return undefined;
  };

  readonly #changed = (): void => {
    this.#version += 1;
  };
}
