import { beyond, covered, inFile, type ProviderAssumption } from "./assumption";

/** Tests of Cloud DNS. */
export const cloudDnsAssumptions: readonly ProviderAssumption[] = [
  ...inFile("dns/data_source_dns_managed_zone_test.go", {
    TestAccDataSourceDnsManagedZone_basic: [
      covered(
        "A zone is read by its name, with domain, description, name servers and visibility.",
        "cloud-dns.zones.resource",
        "cloud-dns.zones.name-servers",
      ),
    ],
  }),
  ...inFile("dns/data_source_dns_managed_zones_test.go", {
    TestAccDataSourceDnsManagedZones_basic: [
      covered("The list of zones has number, name, domain and visibility of each zone.", "cloud-dns.zone-updates.list"),
    ],
  }),
  ...inFile("dns/data_source_dns_record_set_test.go", {
    TestAcccDataSourceDnsRecordSet_basic: [
      covered(
        "The list with a name and a type has one record set with its data.",
        "cloud-dns.lists.by-name-and-type",
        "cloud-dns.record-sets.get",
      ),
    ],
  }),
  ...inFile("dns/data_source_dns_record_sets_test.go", {
    TestAccDataSourceDnsRecordSets_basic: [
      beyond("The record sets of a type are found without a name.", "clientFilter"),
      covered("The list of a zone has every record set.", "cloud-dns.lists.all-pages"),
    ],
    TestAccDataSourceDnsRecordSets_nameAndType: [
      covered(
        "The list with a name and a type has the record set of this type only.",
        "cloud-dns.lists.by-name-and-type",
      ),
      covered("TXT data is returned in quotes.", "cloud-dns.record-sets.text-quoted"),
    ],
  }),
  ...inFile("dns/iam_dns_managed_zone_generated_test.go", {
    TestAccDNSManagedZoneIamBindingGenerated: [
      beyond("The policy of a zone keeps a binding, and replaces its members.", "zonePolicies"),
    ],
    TestAccDNSManagedZoneIamMemberGenerated: [beyond("The policy of a zone keeps a member.", "zonePolicies")],
    TestAccDNSManagedZoneIamPolicyGenerated: [beyond("The policy of a zone is replaced as a whole.", "zonePolicies")],
    TestAccDNSManagedZoneIamBindingGenerated_withCondition: [
      beyond("A binding of a zone may have a condition.", "zonePolicies"),
    ],
    TestAccDNSManagedZoneIamBindingGenerated_withAndWithoutCondition: [
      beyond("One role may be bound with and without a condition.", "zonePolicies"),
    ],
    TestAccDNSManagedZoneIamMemberGenerated_withCondition: [
      beyond("A member of a zone may have a condition.", "zonePolicies"),
    ],
    TestAccDNSManagedZoneIamMemberGenerated_withAndWithoutCondition: [
      beyond("One member may have a role with and without a condition.", "zonePolicies"),
    ],
    TestAccDNSManagedZoneIamPolicyGenerated_withCondition: [
      beyond("A policy of a zone may have conditions.", "zonePolicies"),
    ],
  }),
  ...inFile("dns/list_google_dns_managed_zone_test.go", {
    TestAccDnsManagedZoneListResource_queryIdentity: [
      covered("A created zone is in the list of zones within 30 seconds.", "cloud-dns.zone-updates.list"),
    ],
  }),
  ...inFile("dns/list_google_dns_record_set_test.go", {
    TestAccDNSRecordSetListResource_queryIdentity: [
      covered(
        "A created record set is in the list of its zone, with name and type.",
        "cloud-dns.lists.by-name",
        "cloud-dns.lists.all-pages",
      ),
    ],
  }),
  ...inFile("dns/resource_dns_managed_zone_generated_test.go", {
    TestAccDNSManagedZone_dnsManagedZoneQuickstartExample: [
      covered("A zone may have an A record set at its apex.", "cloud-dns.zone-updates.apex-address"),
      covered("A zone with record sets is deleted after its record sets.", "cloud-dns.zone-updates.emptied"),
    ],
    TestAccDNSManagedZone_dnsRecordSetBasicExample: [
      covered(
        "A record set may have two addresses and a time to live of a day.",
        "cloud-dns.record-sets.several-addresses",
        "cloud-dns.record-sets.ttl-changed",
      ),
    ],
    TestAccDNSManagedZone_dnsManagedZoneBasicExample: [
      covered(
        "A zone is public by default and keeps its description and labels.",
        "cloud-dns.zones.resource",
        "cloud-dns.zone-updates.description-and-labels",
      ),
    ],
    TestAccDNSManagedZone_dnsManagedZonePrivateExample: [
      beyond("A private zone is visible in two networks.", "privateZones"),
    ],
    TestAccDNSManagedZone_dnsManagedZonePrivateMultiprojectExample: [
      beyond("A private zone is visible in networks of two projects.", "privateZones"),
    ],
    TestAccDNSManagedZone_dnsManagedZonePrivateForwardingIpv6Example: [
      beyond("A private zone forwards to an IPv6 address.", "privateZones"),
    ],
    TestAccDNSManagedZone_dnsManagedZonePrivateGkeExample: [
      beyond("A private zone is visible in a cluster.", "privateZones"),
    ],
    TestAccDNSManagedZone_dnsManagedZonePrivatePeeringExample: [
      beyond("A private zone peers with a network.", "privateZones"),
    ],
    TestAccDNSManagedZone_dnsManagedZoneCloudLoggingExample: [
      covered("A zone may log its queries.", "cloud-dns.zone-updates.query-logging"),
    ],
    TestAccDNSManagedZone_dnsManagedZoneIamConditionExample: [
      beyond("A condition of a project's policy may name a zone.", "zonePolicies"),
    ],
  }),
  ...inFile("dns/resource_dns_managed_zone_test.go", {
    TestAccDNSManagedZone_update: [
      covered(
        "A change of the description and the removal of a label are made in place.",
        "cloud-dns.zone-updates.description-and-labels",
      ),
    ],
    TestAccDNSManagedZone_privateUpdate: [
      beyond("The networks of a private zone are changed in place.", "privateZones"),
    ],
    TestAccDNSManagedZone_dnssec_update: [
      covered("A zone keeps its settings of DNSSEC.", "cloud-dns.zone-updates.dnssec-on"),
      covered("DNSSEC is switched off in place.", "cloud-dns.zone-updates.dnssec-off"),
    ],
    TestAccDNSManagedZone_dnssec_empty: [
      covered("A zone may have DNSSEC off without other settings.", "cloud-dns.zone-updates.dnssec-state-only"),
    ],
    TestAccDNSManagedZone_privateForwardingUpdate: [
      beyond("The forwarding targets of a private zone are changed in place.", "privateZones"),
    ],
    TestAccDNSManagedZone_cloudLoggingConfigUpdate: [
      covered("The logging of queries is switched on and off in place.", "cloud-dns.zone-updates.query-logging"),
    ],
    TestAccDNSManagedZone_forceDestroy: [
      covered(
        "A zone with CNAME, A and NS record sets can be deleted only when they are deleted.",
        "cloud-dns.zone-updates.emptied",
        "cloud-dns.zones.not-empty",
      ),
      beyond("The provider deletes the record sets itself before it deletes the zone.", "own"),
    ],
    TestDnsManagedZoneImport_parseImportId: [
      beyond("The id of an import may be a link, a path or a name.", "importId"),
    ],
    TestAccDNSManagedZone_importWithProject: [
      covered("A zone keeps its description, whoever states the project.", "cloud-dns.zones.resource"),
    ],
    TestAccDNSManagedZone_privateForwardingWithDomainNameUpdate: [
      beyond("A private zone forwards to a domain name.", "privateZones"),
    ],
  }),
  ...inFile("dns/resource_dns_record_set_internal_test.go", {
    TestValidateRecordNameTrailingDot: [
      covered("A name of a record set without a final dot is invalid.", "cloud-dns.record-sets.relative-name"),
    ],
  }),
  ...inFile("dns/resource_dns_record_set_test.go", {
    TestIpv6AddressDiffSuppress: [
      covered("IPv6 data is returned in its shortest form.", "cloud-dns.record-sets.ipv6-shortened"),
      covered("The order of the data has no meaning.", "cloud-dns.record-sets.several-addresses"),
    ],
    TestAccDNSRecordSet_basic: [
      covered(
        "A record set with two addresses is read by its name and type.",
        "cloud-dns.record-sets.get",
        "cloud-dns.record-sets.several-addresses",
      ),
      beyond("The id of an import may leave out the project.", "importId"),
    ],
    TestAccDNSRecordSet_Update: [
      covered("A change of the data is one change of the zone.", "cloud-dns.changes.replacement"),
      covered("A change of the time to live is one change of the zone.", "cloud-dns.record-sets.ttl-changed"),
    ],
    TestAccDNSRecordSet_changeType: [
      covered("An A record set is replaced by a CNAME of the same name.", "cloud-dns.record-sets.type-changed"),
    ],
    TestAccDNSRecordSet_nestedNS: [
      covered("A zone may have an NS record set below its apex.", "cloud-dns.record-sets.delegation"),
    ],
    TestAccDNSRecordSet_secondaryNS: [
      covered("The NS record set at the apex is replaced.", "cloud-dns.zone-updates.apex-ns-replaced"),
      covered(
        "The NS record set at the apex is not deleted, and its zone is deleted with it.",
        "cloud-dns.zones.apex-deletion",
        "cloud-dns.zone-updates.emptied",
      ),
    ],
    TestAccDNSRecordSet_deletionSOA: [
      covered("The SOA record set at the apex is replaced by given data.", "cloud-dns.zone-updates.apex-soa-replaced"),
      covered("A zone is deleted with its SOA record set.", "cloud-dns.zone-updates.emptied"),
    ],
    TestAccDNSRecordSet_quotedTXT: [
      covered("TXT data without quotes and with quotes is returned in quotes.", "cloud-dns.record-sets.text-quoted"),
    ],
    TestAccDNSRecordSet_uppercaseMX: [
      covered(
        "MX data in upper case makes no difference to what is returned.",
        "cloud-dns.record-sets.mail-exchangers",
      ),
    ],
    TestAccDNSRecordSet_routingPolicy: [
      beyond(
        "A record set of a private zone routes by weight, location or failover to load balancers.",
        "privateZones",
      ),
      beyond("A record set of a public zone routes to endpoints that a health check checks.", "healthCheckedRouting"),
      covered("A record set keeps a routing policy with weights.", "cloud-dns.record-sets.weighted"),
    ],
    TestAccDNSRecordSet_changeRouting: [
      covered("The data of a record set is replaced by a routing policy, and back.", "cloud-dns.record-sets.weighted"),
    ],
    TestAccDNSRecordSet_interpolated: [
      covered("TXT data with a `=` and `/` is returned in quotes.", "cloud-dns.record-sets.text-quoted"),
    ],
    TestAccDNSRecordSet_readOutOfBandRoutingPolicyChange: [
      covered("A routing policy that replaced the data is read back.", "cloud-dns.record-sets.weighted"),
    ],
    TestAccDNSRecordSet_readOutOfBandRrDataChange: [
      covered("Data that replaced a routing policy is read back.", "cloud-dns.record-sets.weighted"),
    ],
    TestAccDNSRecordSet_importBlockWithResourceIdentity: [
      covered("An import finds a record set by project, zone, name and type.", "cloud-dns.record-sets.get"),
    ],
  }),
];
