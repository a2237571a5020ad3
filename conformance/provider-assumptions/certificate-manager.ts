import { beyond, covered, inFile, type ProviderAssumption } from "./assumption";

/** Tests of Certificate Manager. */
export const certificateManagerAssumptions: readonly ProviderAssumption[] = [
  ...inFile("certificatemanager/data_source_google_certificate_manager_certificate_map_test.go", {
    TestAccDataSourceGoogleCertificateManagerCertificateMap_basic: [
      covered("A map is read by its name and has the description of its creation.", "certificate-manager.map.resource"),
      covered("A map keeps its labels.", "certificate-manager.map.resource"),
    ],
    TestAccDataSourceGoogleCertificateManagerCertificateMap_certificateMapEntryUsingMapDatasource: [
      covered(
        "An entry of a map may be PRIMARY and use an uploaded certificate.",
        "certificate-manager.map-entry.primary",
      ),
      covered(
        "The name of a map is `projects/PROJECT/locations/global/certificateMaps/ID`.",
        "certificate-manager.map.resource",
      ),
    ],
  }),
  ...inFile("certificatemanager/data_source_google_certificate_manager_certificates_test.go", {
    TestAccDataSourceGoogleCertificateManagerCertificates_basic: [
      covered(
        "The list of the location `global` has an uploaded certificate.",
        "certificate-manager.certificate-kinds.listed-by-name",
      ),
      covered("A list without a filter has every certificate of the location.", "certificate-manager.list.complete"),
    ],
    TestAccDataSourceGoogleCertificateManagerCertificates_full: [
      covered(
        "A list with the filter `name:NAME` has one certificate with its name and description.",
        "certificate-manager.certificate-kinds.listed-by-name",
      ),
      covered("A listed certificate has its labels.", "certificate-manager.certificate-kinds.listed-by-name"),
      beyond("A third label marks the resource as made by Terraform.", "attribution"),
    ],
    TestAccDataSourceGoogleCertificateManagerCertificates_regionBasic: [
      covered(
        "The list of a region has the certificates of this region.",
        "certificate-manager.certificate-kinds.listed-in-region",
      ),
      covered("A certificate can be uploaded in a region.", "certificate-manager.self-managed.regional"),
    ],
    TestAccDataSourceGoogleCertificateManagerCertificates_managedCertificate: [
      covered(
        "A new managed certificate without authorizations is PROVISIONING.",
        "certificate-manager.certificate-kinds.without-authorization",
      ),
      covered(
        "The first attempt of its domain is AUTHORIZING, without a reason and details.",
        "certificate-manager.certificate-kinds.without-authorization",
      ),
      covered("A listed certificate has its scope EDGE_CACHE.", "certificate-manager.certificate-kinds.edge-cache"),
    ],
    TestAccDataSourceGoogleCertificateManagerCertificates_managedCertificateDNSAuthorization: [
      covered(
        "A managed certificate is returned with its authorizations.",
        "certificate-manager.managed.authorizations-returned",
      ),
    ],
    TestAccDataSourceGoogleCertificateManagerCertificates_managedCertificateIssuerConfig: [
      covered(
        "A managed certificate is returned with its issuance config.",
        "private-ca.issuance-configs.certificate-without-role",
      ),
      covered(
        "Without a role on the pool, a certificate has a provisioning issue with a reason.",
        "private-ca.issuance-configs.certificate-without-role",
      ),
    ],
  }),
  ...inFile("certificatemanager/data_source_google_certificate_manager_dns_authorization_test.go", {
    TestAccCertificateManagerDnsAuthorizationDatasource: [
      covered(
        "An authorization is read by its name, with domain, description, type and record.",
        "certificate-manager.dns-authorization.resource",
      ),
    ],
  }),
  ...inFile("certificatemanager/resource_certificate_manager_certificate_generated_test.go", {
    TestAccCertificateManagerCertificate_certificateManagerGoogleManagedCertificateDnsExample: [
      covered(
        "A managed certificate keeps two domains with their authorizations.",
        "certificate-manager.certificate-kinds.several-authorizations",
      ),
      covered(
        "A managed certificate keeps the scope EDGE_CACHE and its labels.",
        "certificate-manager.certificate-kinds.edge-cache",
      ),
      beyond("The import takes name and location from the id of the import.", "importId"),
      beyond("The import has no labels of the configuration.", "labelsOfConfiguration"),
    ],
    TestAccCertificateManagerCertificate_certificateManagerGoogleManagedCertificateIssuanceConfigExample: [
      covered(
        "A certificate may name an issuance config in place of authorizations.",
        "private-ca.issuance-configs.certificate-without-role",
        "private-ca.issued-certificates.active",
      ),
      covered("An issuance config may use a pool of another location.", "private-ca.issuance-configs.stored"),
    ],
    TestAccCertificateManagerCertificate_certificateManagerSelfManagedCertificateExample: [
      covered("An uploaded certificate keeps the scope ALL_REGIONS.", "certificate-manager.self-managed.all-regions"),
      covered(
        "A new certificate and key replace those of an uploaded certificate in place.",
        "certificate-manager.self-managed.replaced-in-place",
      ),
      covered(
        "No answer has the uploaded certificate in `selfManaged`, or its key.",
        "certificate-manager.self-managed.key-hidden",
      ),
    ],
    TestAccCertificateManagerCertificate_certificateManagerSelfManagedCertificateWriteOnlyExample: [
      beyond("The key may come from an argument that is not stored.", "writeOnly"),
      covered(
        "An uploaded certificate keeps the scope ALL_REGIONS, whichever argument has its key.",
        "certificate-manager.self-managed.all-regions",
      ),
    ],
    TestAccCertificateManagerCertificate_certificateManagerSelfManagedCertificateRegionalExample: [
      covered("A certificate can be uploaded in a region.", "certificate-manager.self-managed.regional"),
    ],
    TestAccCertificateManagerCertificate_certificateManagerGoogleManagedCertificateIssuanceConfigAllRegionsExample: [
      covered(
        "A certificate of an issuance config may have the scope ALL_REGIONS.",
        "private-ca.issuance-configs.certificate-all-regions",
      ),
    ],
    TestAccCertificateManagerCertificate_certificateManagerGoogleManagedCertificateDnsAllRegionsExample: [
      covered(
        "A managed certificate with authorizations may have the scope ALL_REGIONS.",
        "certificate-manager.certificate-kinds.managed-all-regions",
      ),
    ],
    TestAccCertificateManagerCertificate_certificateManagerGoogleManagedRegionalCertificateDnsAuthExample: [
      covered(
        "A managed certificate of a region uses authorizations of this region.",
        "certificate-manager.certificate-kinds.managed-regional",
      ),
    ],
    TestAccCertificateManagerCertificate_certificateManagerClientAuthCertificateExample: [
      covered(
        "An uploaded certificate keeps the scope CLIENT_AUTH.",
        "certificate-manager.certificate-kinds.client-auth",
      ),
    ],
  }),
  ...inFile("certificatemanager/resource_certificate_manager_certificate_issuance_config_generated_test.go", {
    TestAccCertificateManagerCertificateIssuanceConfig_certificateManagerCertificateIssuanceConfigExample: [
      covered(
        "An issuance config keeps its lifetime, rotation window, key algorithm and pool.",
        "private-ca.issuance-configs.stored",
      ),
      covered("An issuance config keeps its description and labels.", "private-ca.issuance-configs.labels"),
    ],
  }),
  ...inFile("certificatemanager/resource_certificate_manager_certificate_map_entry_generated_test.go", {
    TestAccCertificateManagerCertificateMapEntry_certificateManagerCertificateMapEntryFullExample: [
      covered(
        "A PRIMARY entry keeps its matcher, description and labels.",
        "certificate-manager.map-entry.provisioning-certificate",
      ),
      covered(
        "An entry may have a managed certificate that is not issued.",
        "certificate-manager.map-entry.provisioning-certificate",
      ),
      covered("An entry has no field for its map: the name has it.", "certificate-manager.map-entry.resource"),
      covered(
        "The scope DEFAULT makes no difference after its creation.",
        "certificate-manager.self-managed.scope-default",
      ),
    ],
  }),
  ...inFile("certificatemanager/resource_certificate_manager_certificate_map_generated_test.go", {
    TestAccCertificateManagerCertificateMap_certificateManagerCertificateMapBasicExample: [
      covered("A map keeps its description and labels.", "certificate-manager.map.resource"),
      covered("A map without targets is read without a difference.", "certificate-manager.map.resource"),
    ],
  }),
  ...inFile("certificatemanager/resource_certificate_manager_certificate_upgrade_test.go", {
    TestAccCertificateManagerCertificate_migration: [
      covered(
        "A certificate without a location in its configuration is global.",
        "certificate-manager.certificate-kinds.listed-by-name",
      ),
      covered("A change of the description is made in place.", "certificate-manager.certificate-kinds.description"),
      beyond("A state of an older version is read by a newer version.", "state"),
    ],
  }),
  ...inFile("certificatemanager/resource_certificate_manager_dns_authorization_generated_test.go", {
    TestAccCertificateManagerDnsAuthorization_certificateManagerDnsAuthorizationBasicExample: [
      covered(
        "An authorization has a record with name, type and data.",
        "certificate-manager.dns-authorization.record",
      ),
      covered(
        "A global authorization without a type gets FIXED_RECORD.",
        "certificate-manager.dns-authorization.type-default",
      ),
    ],
    TestAccCertificateManagerDnsAuthorization_certificateManagerDnsAuthorizationRegionalExample: [
      covered(
        "An authorization of a region may have the type PER_PROJECT_RECORD.",
        "certificate-manager.dns-authorization.record-per-project",
      ),
    ],
  }),
  ...inFile("certificatemanager/resource_certificate_manager_dns_authorization_test.go", {
    TestAccCertificateManagerDnsAuthorization_update: [
      covered(
        "A change of description and labels is made in place.",
        "certificate-manager.dns-authorization.labels",
        "certificate-manager.dns-authorization.update",
      ),
    ],
  }),
  ...inFile("certificatemanager/resource_certificate_manager_dns_authorization_upgrade_test.go", {
    TestAccCertificateManagerDnsAuthorization_migration: [
      covered(
        "An authorization of an older version keeps its domain when its description changes.",
        "certificate-manager.dns-authorization.update",
      ),
      beyond("A state of an older version is read by a newer version.", "state"),
    ],
  }),
  ...inFile("certificatemanager/resource_certificate_manager_trust_config_generated_test.go", {
    TestAccCertificateManagerTrustConfig_certificateManagerTrustConfigExample: [
      covered(
        "A trust config of a region keeps anchors, intermediate CAs and labels.",
        "certificate-manager.trust-config.regional",
      ),
      covered("One certificate may be an anchor and an intermediate CA.", "certificate-manager.trust-config.regional"),
    ],
    TestAccCertificateManagerTrustConfig_certificateManagerTrustConfigAllowlistedCertificatesExample: [
      covered(
        "A trust config may have two allowlisted certificates and no trust store.",
        "certificate-manager.trust-config.allowlist-only",
      ),
    ],
  }),
  ...inFile("certificatemanager/resource_certificate_manager_trust_config_test.go", {
    TestAccCertificateManagerTrustConfig_update: [
      covered("A change of the description is made in place.", "certificate-manager.trust-config.update"),
      covered(
        "A change of anchors, intermediate CAs and labels is made in place.",
        "certificate-manager.trust-config.stores-replaced",
      ),
      covered("A trust config returns its certificates.", "certificate-manager.trust-config.resource"),
    ],
  }),
];
