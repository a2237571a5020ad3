import type { ProviderAssumption } from "./provider-assumptions/assumption";
import { backendAssumptions } from "./provider-assumptions/backends";
import { certificateManagerAssumptions } from "./provider-assumptions/certificate-manager";
import { cloudDnsAssumptions } from "./provider-assumptions/cloud-dns";
import { frontEndAssumptions } from "./provider-assumptions/front-ends";
import { proxyAssumptions } from "./provider-assumptions/proxies";

/**
 * What the tests of the real provider expect of Google, at the commit of `providerFile`. These tests run on Google
 * Cloud. The rows have every test function of `certificatemanager`, and of `dns` and `compute` those of the resource
 * types that this project uses.
 */
export const providerAssumptions: readonly ProviderAssumption[] = [
  ...certificateManagerAssumptions,
  ...cloudDnsAssumptions,
  ...proxyAssumptions,
  ...frontEndAssumptions,
  ...backendAssumptions,
];
