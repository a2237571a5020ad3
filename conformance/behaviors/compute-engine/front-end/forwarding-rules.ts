import { isIPv6 } from "node:net";
import { defineGroup } from "../../../behavior";
import { type Json, refusalOf } from "../../../side";
import { issue, pages, providerFile } from "../../../sources";
import { change, get, insert, linkTo, tryChange, tryInsert } from "../resources";
import { type FrontEnd, sharedFrontEnd } from "./resources";

const resource = providerFile("services/compute/resource_compute_global_forwarding_rule.go");
const tests = providerFile("services/compute/resource_compute_global_forwarding_rule_test.go");
const root = "{root}compute/v1/projects/{project}/global";

/** Uses the address and the proxy of the front end, so that a run creates few forwarding rules. */
export const forwardingRules = defineGroup<FrontEnd>({
  service: "compute-engine",
  concept: "forwarding-rules",
  needs: ["front-end"],
  prepare: sharedFrontEnd,
  behaviors: [
    {
      word: "resource",
      statement: "A rule has a range of ports, the full link of its target and an IP address instead of a link.",
      source: [tests, resource],
      reliedOnBy: ["lib/google/load-balancers.ts"],
      expected: {
        kind: "compute#forwardingRule",
        target: `${root}/targetHttpsProxies/{prefix}-front`,
        portRange: "443-443",
        IPProtocol: "TCP",
        loadBalancingScheme: "EXTERNAL_MANAGED",
        networkTier: "PREMIUM",
        isAddress: true,
      },
      observe: async (side, { address }) => {
        const rule = await get(side, "globalForwardingRules", "front");
        const { kind, target, portRange, IPProtocol, loadBalancingScheme, networkTier, IPAddress } = rule;
        const isAddress = IPAddress === address;
        return { kind, target, portRange, IPProtocol, loadBalancingScheme, networkTier, isAddress };
      },
    },
    {
      word: "address-in-use",
      statement: "A reserved address is `IN_USE` when a rule has it, and lists the rule as its user.",
      source: providerFile("services/compute/data_source_google_compute_address.go"),
      reliedOnBy: ["address-taken", "serving-address-changed"],
      expected: { status: "IN_USE", addressType: "EXTERNAL", users: [`${root}/forwardingRules/{prefix}-front`] },
      observe: async (side) => {
        const { status, addressType, users } = await get(side, "globalAddresses", "front");
        return { status, addressType, users };
      },
    },
    {
      word: "address-deletion",
      statement: "An address that a rule uses can't be deleted: 400 resourceInUseByAnotherResource.",
      source: issue("vmware-archive/pcf-pipelines/106"),
      reliedOnBy: ["address-deleted"],
      expected: { status: 400, reason: "resourceInUseByAnotherResource" },
      observe: async (side) => refusalOf(await tryChange(side, "globalAddresses", "front", "delete")),
    },
    {
      word: "proxy-deletion",
      statement: "A proxy that a rule leads to can't be deleted: 400 resourceInUseByAnotherResource.",
      source: issue("vmware-archive/pcf-pipelines/106"),
      reliedOnBy: ["proxy-deleted", "proxy-replaced"],
      expected: { status: 400, reason: "resourceInUseByAnotherResource" },
      observe: async (side) => refusalOf(await tryChange(side, "targetHttpsProxies", "front", "delete")),
    },
    {
      word: "same-port",
      statement: "A second rule with the same address and port is refused with 400 invalid.",
      source: "https://github.com/GoogleCloudPlatform/k8s-multicluster-ingress/pull/132",
      reliedOnBy: ["address-taken"],
      expected: { status: 400, reason: "invalid" },
      observe: async (side, { address }) => {
        const body = {
          target: linkTo(side, "targetHttpsProxies", "front"),
          IPAddress: address,
          loadBalancingScheme: "EXTERNAL_MANAGED",
          portRange: "443",
        };
        return refusalOf(await tryInsert(side, "globalForwardingRules", "front-twice", body));
      },
    },
    {
      word: "regional-address",
      statement: "A global rule with the address of a region is refused with 400 invalid.",
      source: issue("hashicorp/terraform/19231"),
      reliedOnBy: ["address-scope-mismatch", "address-elsewhere"],
      expected: { status: 400, reason: "invalid" },
      observe: async (side) => {
        await insert(side, "addresses", "front-regional", {});
        const { address } = await get(side, "addresses", "front-regional");
        const body = {
          target: linkTo(side, "targetHttpsProxies", "front"),
          IPAddress: address,
          loadBalancingScheme: "EXTERNAL_MANAGED",
          portRange: "443",
        };
        return refusalOf(await tryInsert(side, "globalForwardingRules", "front-regional", body));
      },
    },
    {
      word: "free-address",
      statement: "A reserved address that no rule has is `RESERVED`.",
      source: providerFile("services/compute/data_source_google_compute_address.go"),
      reliedOnBy: ["address-not-reserved"],
      expected: { status: "RESERVED", users: undefined },
      observe: async (side) => {
        const { status, users } = await get(side, "addresses", "front-regional");
        return { status, users };
      },
    },
    {
      word: "labels",
      statement: "`setLabels` with the fingerprint of the labels replaces the labels of a rule.",
      source: [tests, resource],
      reliedOnBy: ["lib/terraform-provider/resources/compute-frontends.ts"],
      expected: { purpose: "test" },
      observe: async (side) => {
        const { labelFingerprint } = await get(side, "globalForwardingRules", "front");
        const parameters = { project: side.project, resource: side.name("front") };
        const body = { labels: { purpose: "test" }, labelFingerprint };
        await side.run("compute.globalForwardingRules.setLabels", parameters, body);
        return (await get(side, "globalForwardingRules", "front")).labels;
      },
    },
    {
      word: "stale-labels",
      statement: "`setLabels` with an outdated fingerprint is refused with 412 conditionNotMet.",
      source: [resource, "https://github.com/ansible-collections/google.cloud/pull/327"],
      reliedOnBy: ["lib/cloud/compute/verbs.ts"],
      expected: { status: 412, reason: "conditionNotMet" },
      observe: async (side) => {
        const parameters = { project: side.project, resource: side.name("front") };
        const body = { labels: {}, labelFingerprint: "AAAAAAAAAAA=" };
        return refusalOf(await side.call("compute.globalForwardingRules.setLabels", parameters, body));
      },
    },
    {
      word: "map-targets",
      statement: "A certificate map lists the proxy that uses it, with the address and port of its rule.",
      source: pages.managerProto,
      reliedOnBy: ["map-not-attached", "lib/cloud/compute/frontends.ts"],
      expected: { targets: 1, ports: [443], isAddress: true },
      observe: async (side, { map, address }) => {
        const found = await side.make("certificatemanager.projects.locations.certificateMaps.get", { name: map });
        const targets = (found.gclbTargets ?? []) as readonly { readonly ipConfigs?: readonly Json[] }[];
        const [config] = targets[0]?.ipConfigs ?? [];
        return { targets: targets.length, ports: config?.ports, isAddress: config?.ipAddress === address };
      },
    },
    {
      word: "other-target",
      statement: "`setTarget` leads a rule to another proxy.",
      source: tests,
      reliedOnBy: ["forwarding-rule-repointed"],
      expected: [`${root}/targetHttpsProxies/{prefix}-front-2`, `${root}/targetHttpsProxies/{prefix}-front`],
      observe: async (side) => {
        const urlMap = linkTo(side, "urlMaps", "urls");
        const sslCertificates = [linkTo(side, "sslCertificates", "front-direct-1")];
        await insert(side, "targetHttpsProxies", "front-2", { urlMap, sslCertificates });
        const lead = async (word: string) => {
          const target = linkTo(side, "targetHttpsProxies", word);
          return (await change(side, "globalForwardingRules", "front", "setTarget", { target })).target;
        };
        return [await lead("front-2"), await lead("front")];
      },
    },
    {
      word: "address-by-value",
      statement: "A rule may name its reserved address by its value, and a port is returned as a range.",
      source: [tests, resource],
      reliedOnBy: ["lib/google/load-balancers.ts", "address-not-reserved"],
      expected: { isAddress: true, portRange: "8443-8443", hasId: true },
      observe: async (side, { address }) => {
        await insert(side, "globalForwardingRules", "front-value", {
          target: linkTo(side, "targetHttpsProxies", "front"),
          IPAddress: address,
          loadBalancingScheme: "EXTERNAL_MANAGED",
          portRange: "8443",
        });
        const rule = await get(side, "globalForwardingRules", "front-value");
        return {
          isAddress: rule.IPAddress === address,
          portRange: rule.portRange,
          hasId: /^\d+$/.test(String(rule.id)),
        };
      },
    },
    {
      word: "ipv6",
      statement: "A rule with the IP version IPV6 and without an address gets an IPv6 address.",
      source: tests,
      reliedOnBy: ["lib/cloud/compute/forwarding-rules.ts"],
      expected: { ipVersion: "IPV6", isIpv6: true },
      observe: async (side) => {
        await insert(side, "globalForwardingRules", "front-ipv6", {
          target: linkTo(side, "targetHttpsProxies", "front"),
          ipVersion: "IPV6",
          loadBalancingScheme: "EXTERNAL_MANAGED",
          portRange: "443",
        });
        const { ipVersion, IPAddress } = await get(side, "globalForwardingRules", "front-ipv6");
        return { ipVersion, isIpv6: isIPv6(String(IPAddress).replace(/\/\d+$/, "")) };
      },
    },
  ],
});
