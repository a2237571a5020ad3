import { beyond, covered, inFile, type ProviderAssumption } from "./assumption";

/** Tests of addresses and forwarding rules. */
export const frontEndAssumptions: readonly ProviderAssumption[] = [
  ...inFile("compute/data_source_google_compute_address_test.go", {
    TestComputeAddressIdParsing: [beyond("The id of an import may be a link, a path or a name.", "importId")],
    TestAccDataSourceComputeAddress: [
      covered(
        "An address without a rule is RESERVED, and is read by its name.",
        "compute-engine.addresses.regional",
        "compute-engine.forwarding-rules.free-address",
      ),
    ],
  }),
  ...inFile("compute/data_source_google_compute_addresses_test.go", {
    TestAccDataSourceComputeAddresses: [
      covered("The list of a region is filtered by a beginning of names.", "compute-engine.addresses.list-by-name"),
      covered(
        "The list of all regions is filtered by a beginning of names.",
        "compute-engine.addresses.aggregated-by-name",
      ),
    ],
  }),
  ...inFile("compute/data_source_google_compute_global_address_test.go", {
    TestAccDataSourceComputeGlobalAddress: [
      covered(
        "A global address without a rule is RESERVED, and is read by its name.",
        "compute-engine.addresses.global",
      ),
    ],
  }),
  ...inFile("compute/list_compute_address_generated_test.go", {
    TestAccComputeAddressListQuery_generated: [
      covered("The list of a region has a created address.", "compute-engine.addresses.list-by-name"),
    ],
  }),
  ...inFile("compute/list_compute_global_address_generated_test.go", {
    TestAccComputeGlobalAddressListQuery_generated: [
      covered("The list of global addresses has a created address.", "compute-engine.addresses.global-list"),
    ],
  }),
  ...inFile("compute/resource_compute_address_generated_test.go", {
    TestAccComputeAddress_addressBasicExample: [
      covered("An address needs a name only, and is external.", "compute-engine.addresses.regional"),
    ],
    TestAccComputeAddress_addressWithSubnetworkExample: [
      beyond("An internal address of a subnet keeps its value.", "subnets"),
    ],
    TestAccComputeAddress_addressWithGceEndpointExample: [
      beyond("An internal address keeps the purpose GCE_ENDPOINT.", "subnets"),
    ],
    TestAccComputeAddress_addressWithSharedLoadbalancerVipExample: [
      beyond("An internal address keeps the purpose SHARED_LOADBALANCER_VIP.", "subnets"),
    ],
    TestAccComputeAddress_instanceWithIpExample: [beyond("An instance may have a reserved address.", "backends")],
    TestAccComputeAddress_computeAddressIpsecInterconnectExample: [
      beyond("An internal address may be a range for an interconnect.", "subnets"),
    ],
    TestAccComputeAddress_computeAddressEnhancedByoipExample: [
      beyond("An address may come from a prefix of the user.", "ownPrefixes"),
    ],
  }),
  ...inFile("compute/resource_compute_address_test.go", {
    TestAccComputeAddress_networkTier: [
      covered(
        "An address keeps the standard tier, and has no labels.",
        "compute-engine.addresses.standard-tier",
        "compute-engine.addresses.regional",
      ),
    ],
    TestAccComputeAddress_addressId: [covered("An address has a number.", "compute-engine.addresses.regional")],
    TestAccComputeAddress_internal: [beyond("An internal address has a value of its subnet.", "subnets")],
    TestAccComputeAddress_networkTier_withLabels: [
      covered("Labels of an address are set, replaced and removed in place.", "compute-engine.addresses.labels"),
    ],
    TestAccComputeAddress_networkTier_withProvider5: [
      covered("Labels are added in place to an address of an older version.", "compute-engine.addresses.labels"),
    ],
    TestAccComputeAddress_withProviderDefaultLabels: [
      beyond("Labels of the provider and of the resource become one set.", "attribution"),
      covered("The set of labels is replaced in place.", "compute-engine.addresses.labels"),
    ],
    TestAccComputeAddress_withCreationOnlyAttribution: [
      beyond("A label marks an address as made by Terraform, from its creation.", "attribution"),
    ],
    TestAccComputeAddress_withCreationOnlyAttributionSetOnUpdate: [
      beyond("An update does not add the label of Terraform.", "attribution"),
    ],
    TestAccComputeAddress_withProactiveAttribution: [beyond("An update keeps the label of Terraform.", "attribution")],
    TestAccComputeAddress_withProactiveAttributionSetOnUpdate: [
      beyond("An update adds the label of Terraform.", "attribution"),
    ],
    TestAccComputeAddress_withAttributionRemoved: [beyond("An update removes the label of Terraform.", "attribution")],
    TestAccComputeAddress_internalIpv6: [beyond("An internal IPv6 address has a value of its subnet.", "subnets")],
  }),
  ...inFile("compute/resource_compute_global_address_generated_test.go", {
    TestAccComputeGlobalAddress_globalAddressBasicExample: [
      covered("A global address needs a name only.", "compute-engine.addresses.global"),
    ],
  }),
  ...inFile("compute/resource_compute_global_address_test.go", {
    TestAccComputeGlobalAddress_update: [
      covered("Labels of a global address change in place.", "compute-engine.addresses.global-labels"),
      beyond("A global address may be a range for a network.", "subnets"),
    ],
    TestAccComputeGlobalAddress_ipv6: [
      covered(
        "A global address may have the IP version IPV6, and keeps its description.",
        "compute-engine.addresses.global-ipv6",
      ),
    ],
    TestAccComputeGlobalAddress_internal: [beyond("A global internal address is a range for peering.", "subnets")],
  }),
  ...inFile("compute/data_source_google_compute_forwarding_rule_test.go", {
    TestAccDataSourceGoogleForwardingRule: [
      beyond("A rule to a target pool is read by its name, with ports and labels.", "passthrough"),
    ],
  }),
  ...inFile("compute/data_source_google_compute_forwarding_rules_test.go", {
    TestAccDataSourceGoogleForwardingRules: [beyond("A rule to a target pool is read by its name.", "passthrough")],
  }),
  ...inFile("compute/data_source_google_global_compute_forwarding_rule_test.go", {
    TestAccDataSourceGoogleGlobalForwardingRule: [
      covered(
        "A global rule is read by its name, with target, ports and labels.",
        "compute-engine.forwarding-rules.resource",
        "compute-engine.forwarding-rules.labels",
      ),
      covered("A URL map may redirect everything, without a backend service.", "compute-engine.url-maps.redirect"),
    ],
  }),
  ...inFile("compute/resource_compute_forwarding_rule_generated_test.go", {
    TestAccComputeForwardingRule_forwardingRuleExternallbByoipv6Example: [
      beyond("A rule has an IPv6 address of a collection of the user.", "ownPrefixes"),
    ],
    TestAccComputeForwardingRule_forwardingRuleGlobalInternallbExample: [
      beyond("A rule of a passthrough load balancer allows global access.", "passthrough"),
    ],
    TestAccComputeForwardingRule_forwardingRuleBasicExample: [beyond("A rule leads to a target pool.", "passthrough")],
    TestAccComputeForwardingRule_forwardingRuleInternallbExample: [
      beyond("A rule of a passthrough load balancer has all ports.", "passthrough"),
    ],
    TestAccComputeForwardingRule_forwardingRuleVpcPscExample: [
      beyond("A rule leads to a service attachment.", "serviceConnect"),
    ],
    TestAccComputeForwardingRule_forwardingRuleVpcPscNoAutomateDnsExample: [
      beyond("A rule to a service attachment makes no zone.", "serviceConnect"),
    ],
    TestAccComputeForwardingRule_forwardingRuleRegionalSteeringExample: [
      beyond("A rule steers by the address of the client.", "passthrough"),
    ],
    TestAccComputeForwardingRule_forwardingRuleInternallbIpv6Example: [
      beyond("A rule of a passthrough load balancer has an IPv6 address.", "passthrough"),
    ],
  }),
  ...inFile("compute/resource_compute_forwarding_rule_test.go", {
    TestAccComputeForwardingRule_update: [
      covered("The target of a rule changes in place.", "compute-engine.forwarding-rules.other-target"),
    ],
    TestAccComputeForwardingRule_ip: [
      covered(
        "A rule returns its address as a value if the request has a link.",
        "compute-engine.forwarding-rules.resource",
      ),
      covered("A rule may name its address by its value.", "compute-engine.forwarding-rules.address-by-value"),
    ],
    TestAccComputeForwardingRule_networkTier: [
      beyond("A rule to a target pool keeps the standard tier.", "passthrough"),
    ],
    TestAccComputeForwardingRule_forwardingRuleVpcPscExampleUpdate: [
      beyond("Labels and access of a rule to a service attachment change in place.", "serviceConnect"),
    ],
    TestAccComputeForwardingRule_forwardingRulePscTargetUpdateRecreate: [
      beyond("Another service attachment needs a new rule.", "serviceConnect"),
    ],
    TestAccComputeForwardingRule_forwardingRulePscRecreate: [
      beyond("A closed connection needs a new rule.", "serviceConnect"),
    ],
    TestAccComputeForwardingRule_forwardingRuleRegionalSteeringExampleUpdate: [
      beyond("The client addresses of a steering rule change in place.", "passthrough"),
    ],
    TestAccComputeForwardingRule_forwardingRuleIpAddressIpv6: [
      beyond("A regional rule has a reserved IPv6 address of a subnet.", "subnets"),
    ],
    TestAccComputeForwardingRule_allowGlobalAccessUpdate_Internal: [
      beyond("The global access of a passthrough load balancer changes in place.", "passthrough"),
    ],
    TestAccComputeForwardingRule_allowGlobalAccessUpdate_InternalManaged: [
      beyond("Another global access of an internal application load balancer needs a new rule.", "subnets"),
    ],
  }),
  ...inFile("compute/resource_compute_global_forwarding_rule_generated_test.go", {
    TestAccComputeGlobalForwardingRule_globalForwardingRuleHttpExample: [
      covered(
        "A global rule leads to a proxy, and its port is returned as a range.",
        "compute-engine.forwarding-rules.resource",
      ),
    ],
    TestAccComputeGlobalForwardingRule_globalForwardingRuleExternalManagedExample: [
      covered(
        "A global rule keeps the scheme EXTERNAL_MANAGED and the premium tier.",
        "compute-engine.forwarding-rules.resource",
      ),
    ],
    TestAccComputeGlobalForwardingRule_globalForwardingRuleHybridExample: [
      beyond("A backend service has endpoints outside of Google Cloud.", "backends"),
    ],
  }),
  ...inFile("compute/resource_compute_global_forwarding_rule_test.go", {
    TestAccComputeGlobalForwardingRule_updateTarget: [
      covered("The target of a global rule changes in place.", "compute-engine.forwarding-rules.other-target"),
      covered("A rule has a number.", "compute-engine.forwarding-rules.address-by-value"),
    ],
    TestAccComputeGlobalForwardingRule_ipv6: [
      covered("A global rule with the IP version IPV6 gets an IPv6 address.", "compute-engine.forwarding-rules.ipv6"),
    ],
    TestAccComputeGlobalForwardingRule_labels: [
      covered("Labels of a global rule change in place.", "compute-engine.forwarding-rules.labels"),
    ],
    TestAccComputeGlobalForwardingRule_allApisLabels: [
      beyond("Labels of a rule to all APIs change in place.", "serviceConnect"),
    ],
    TestAccComputeGlobalForwardingRule_vpcscLabels: [
      beyond("Labels of a rule to the restricted APIs change in place.", "serviceConnect"),
    ],
    TestUnitComputeGlobalForwardingRule_PortRangeDiffSuppress: [
      covered(
        "One port is returned as a range.",
        "compute-engine.forwarding-rules.resource",
        "compute-engine.forwarding-rules.address-by-value",
      ),
    ],
    TestUnitComputeGlobalForwardingRule_InternalIpDiffSuppress: [
      covered("An address is returned as a value for a link.", "compute-engine.forwarding-rules.resource"),
      beyond("IPv6 addresses are compared without their form and mask.", "comparison"),
    ],
    TestAccComputeGlobalForwardingRule_updateCanaryMigration: [
      beyond("A classic rule changes its state of migration in place.", "classicMigration"),
    ],
  }),
];
