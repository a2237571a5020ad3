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

/**
 * Keys that the controllers write to descriptions: `{"kubernetes.io/ingress-name": "default/web"}` for an Ingress,
 * `{"k8sResource": "/namespaces/default/gateways/web", "k8sCluster": "…"}` for a Gateway.
 */
const gkeKey =
  /(?:(?:[a-z0-9-]+\.)*(?:kubernetes\.io|k8s\.io|networking\.gke\.io)\/[a-z0-9-]+|"k8s(?:Resource|Cluster)")/i;

/** Labels that GKE sets, for example `goog-gke-node` on the forwarding rule of a Gateway. Google reserves `goog-`. */
const gkeLabel = /^goog-(?:gke|k8s)-/;

/** What the API contains about a proxy besides its name. */
export interface OwnershipTraces {
  /** Descriptions of the proxy, its URL map and its forwarding rules. */
  readonly descriptions: readonly string[];
  /** Keys of the labels of its forwarding rules; proxies and URL maps have no labels. */
  readonly labels: readonly string[];
}

/** Returns whether GKE manages a proxy. */
export function ownerOf(name: string, { descriptions, labels }: OwnershipTraces): Ownership {
  const prefix = gkeName.exec(name)?.[0];
  if (prefix !== undefined) return owned(`the name begins with "${prefix}"`);
  const key = descriptions.map((description) => gkeKey.exec(description)?.[0]).find((found) => found !== undefined);
  if (key !== undefined) return owned(`a description contains "${key.replaceAll('"', "")}"`);
  const label = labels.find((one) => gkeLabel.test(one));
  return label === undefined ? {} : owned(`a forwarding rule has the label "${label}"`);
}

function owned(ownerReason: string): Ownership {
  return defined({ owner: "gke" as const, ownerReason });
}
