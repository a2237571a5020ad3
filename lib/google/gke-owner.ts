import { defined } from "../json/defined";

/** Who manages a proxy, and why; empty if it is not known. */
interface GkeOwnership {
  readonly owner?: "gke";
  readonly ownerReason?: string;
}

/**
 * Names that controllers of GKE give to target proxies: Ingress (`k8s-`, `k8s2-`), and Gateway of one and of several
 * clusters (`gkegw1-`, `gkemcg1-`). The digit is the version of the naming scheme.
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

/** Where controllers leave their marks. */
export interface OwnershipTraces {
  /** Descriptions of the proxy, its URL map and its forwarding rules. */
  readonly descriptions: readonly string[];
  /** Keys of the labels of its forwarding rules; proxies and URL maps have no labels. */
  readonly labels: readonly string[];
}

/** Returns whether GKE manages a proxy. */
export function gkeOwnerOf(name: string, { descriptions, labels }: OwnershipTraces): GkeOwnership {
  const prefix = gkeName.exec(name)?.[0];
  if (prefix !== undefined) return owned(`the name begins with "${prefix}"`);
  const key = descriptions.map((description) => gkeKey.exec(description)?.[0]).find((found) => found !== undefined);
  if (key !== undefined) return owned(`a description contains "${key.replaceAll('"', "")}"`);
  const label = labels.find((key) => gkeLabel.test(key));
  return label === undefined ? {} : owned(`a forwarding rule has the label "${label}"`);
}

function owned(ownerReason: string): GkeOwnership {
  return defined({ owner: "gke" as const, ownerReason });
}
