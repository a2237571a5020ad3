import { defined } from "../../json/defined";
import type { ProjectOwner } from "./model";

/** Who manages a resource, and why this is known. */
export interface Ownership {
  readonly owner?: ProjectOwner;
  readonly ownerReason?: string;
}

/**
 * Prefixes of the names that the controllers of GKE give to target proxies: Ingress (`k8s-`, `k8s2-`), and Gateway of
 * one and of several clusters (`gkegw1-`, `gkemcg1-`). The digit is the version of the naming scheme.
 */
const gkeName = /^(?:k8s\d*-(?:tps|ts|tp|tx)-|gkegw\d+-|gkemcg\d+-|mci-)/;

/** Keys that the controllers write to descriptions, for example `{"kubernetes.io/ingress-name": "default/web"}`. */
const gkeKey = /(?:[a-z0-9-]+\.)*(?:kubernetes\.io|k8s\.io|networking\.gke\.io)\/[a-z0-9-]+/i;

/** Returns whether GKE manages a proxy, from its name and from descriptions of it, its URL map and its rules. */
export function ownerOf(name: string, descriptions: readonly string[]): Ownership {
  const prefix = gkeName.exec(name)?.[0];
  if (prefix !== undefined) return owned(`the name begins with "${prefix}"`);
  const key = descriptions.map((description) => gkeKey.exec(description)?.[0]).find((found) => found !== undefined);
  return key === undefined ? {} : owned(`a description contains "${key}"`);
}

function owned(ownerReason: string): Ownership {
  return defined({ owner: "gke" as const, ownerReason });
}
