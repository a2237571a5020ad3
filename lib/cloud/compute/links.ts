import { createHash } from "node:crypto";
import { parseComputeName, withoutComputeHost, writeComputeName } from "../../resource-names";
import type { Store } from "../state";

/**
 * Names and links. A path such as `projects/p1/global/urlMaps/web` identifies a resource in this folder and in
 * messages. Answers contain the path as a full link. Requests may contain either, or the path without its project.
 */

/** The emulated kinds of resources, as spelled in paths. */
export const collections = [
  "addresses",
  "backendServices",
  "forwardingRules",
  "healthChecks",
  "httpHealthChecks",
  "sslCertificates",
  "sslPolicies",
  "targetHttpProxies",
  "targetHttpsProxies",
  "targetSslProxies",
  "urlMaps",
] as const;

export type ComputeCollection = (typeof collections)[number];

/** Scope of a resource: global or regional. */
export interface Scope {
  readonly project: string;
  readonly region?: string;
}

interface ParsedPath {
  readonly scope: Scope;
  /** Any collection, including collections that are not emulated. */
  readonly collection: string;
  readonly name: string;
}

const linkBase = "https://www.googleapis.com/compute/v1/";

export function linkTo(path: string): string {
  return linkBase + path;
}

export function pathOfLink(link: string): string {
  return link.startsWith(linkBase) ? link.slice(linkBase.length) : link;
}

export function resourcePath(scope: Scope, collection: string, name: string): string {
  return writeComputeName({ ...scope, collection, name });
}

export function scopeOf(project: string, region: string | undefined): Scope {
  return region === undefined ? { project } : { project, region };
}

export function isSameScope(a: Scope, b: Scope): boolean {
  return a.project === b.project && a.region === b.region;
}

/**
 * Reads a full or partial link (`projects/…`, `global/…`, `regions/…`). @param project project of a link without one
 */
export function readLink(link: string, project: string): ParsedPath | undefined {
  const parts = parseComputeName(withoutComputeHost(link), project);
  if (parts === undefined) return undefined;
  return { scope: scopeOf(parts.project, parts.region), collection: parts.collection, name: parts.name };
}

/** Numbers that look random and are the same in every run with the same seed. */
export interface Ids {
  /** Returns 64 bits in hexadecimal, different at each call. */
  next(): string;
}

/** Creates the ids. The store keeps their count, so that a restarted cloud creates new ids. */
export function createIds(store: Store, seed: string): Ids {
  const counters = store.collection<number>("compute.counters");
  return {
    next() {
      const drawn = (counters.get("ids") ?? 0) + 1;
      counters.set("ids", drawn);
      return createHash("sha256").update(`${seed}/${drawn}`).digest("hex").slice(0, 16);
    },
  };
}

/** Returns an id in the format of resources: decimal, at most 63 bits, never zero. */
export function decimalId(id: string): string {
  return (BigInt(`0x${id}`) >> 1n || 1n).toString();
}
