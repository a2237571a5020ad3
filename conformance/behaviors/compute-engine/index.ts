import type { Group } from "../../behavior";
import { addresses } from "./addresses";
import { backendServices } from "./backend-services";
import { forwardingRules } from "./front-end/forwarding-rules";
import { propagation } from "./front-end/propagation";
import { protocols } from "./front-end/protocols";
import { selection } from "./front-end/selection";
import { lists } from "./lists";
import { operations } from "./operations";
import { regionalBackends } from "./regional-backends";
import { regionalProxies } from "./regional-proxies";
import { regionalSslPolicies } from "./regional-ssl-policies";
import { sslCertificates } from "./ssl-certificates";
import { sslPolicies } from "./ssl-policies";
import { sslProxies } from "./ssl-proxies";
import { targetProxies } from "./target-proxies";
import { urlMaps } from "./url-maps";

export const computeEngine: readonly Group[] = [
  operations,
  targetProxies,
  regionalProxies,
  sslProxies,
  sslCertificates,
  sslPolicies,
  regionalSslPolicies,
  urlMaps,
  backendServices,
  regionalBackends,
  addresses,
  lists,
  forwardingRules,
  selection,
  protocols,
  propagation,
];
