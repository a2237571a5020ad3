import { beyond, covered, inFile, type ProviderAssumption } from "./assumption";

/** Tests of target proxies, SSL certificates and SSL policies. */
export const proxyAssumptions: readonly ProviderAssumption[] = [
  ...inFile("compute/data_source_compute_region_target_https_proxy_test.go", {
    TestAccDataSourceComputeRegionTargetHttpsProxy_basic: [
      covered(
        "A regional proxy is read by its name, with links to regional certificates.",
        "compute-engine.regional-proxies.links",
      ),
    ],
  }),
  ...inFile("compute/data_source_compute_target_https_proxy_test.go", {
    TestAccDataSourceComputeTargetHttpsProxy_basic: [
      covered("A proxy is read by its name, with links to its certificates.", "compute-engine.target-proxies.links"),
    ],
  }),
  ...inFile("compute/resource_compute_target_https_proxy_generated_test.go", {
    TestAccComputeTargetHttpsProxy_targetHttpsProxyBasicExample: [
      covered("A proxy returns full links to its URL map and certificates.", "compute-engine.target-proxies.links"),
      beyond("The import compares links by their resource only.", "importLinks"),
    ],
    TestAccComputeTargetHttpsProxy_targetHttpsProxyHttpKeepAliveTimeoutExample: [
      covered(
        "A proxy keeps its keep-alive time of 610 seconds.",
        "compute-engine.target-proxies.settings-of-creation",
      ),
    ],
    TestAccComputeTargetHttpsProxy_targetHttpsProxyCertificateManagerCertificateExample: [
      covered(
        "An internal proxy returns certificates of Certificate Manager with `//`.",
        "compute-engine.target-proxies.manager-certificates",
      ),
    ],
    TestAccComputeTargetHttpsProxy_targetHttpsProxyFingerprintExample: [
      covered("A proxy has a fingerprint.", "compute-engine.target-proxies.fingerprint"),
    ],
  }),
  ...inFile("compute/resource_compute_target_https_proxy_test.go", {
    TestAccComputeTargetHttpsProxy_update: [
      covered(
        "A proxy keeps its description, QUIC and early data.",
        "compute-engine.target-proxies.settings-of-creation",
      ),
      covered(
        "A proxy keeps two certificates, as full links.",
        "compute-engine.target-proxies.order-of-certificates",
        "compute-engine.target-proxies.map-detached",
      ),
      covered("A proxy returns the full link of its SSL policy.", "compute-engine.target-proxies.ssl-policy"),
      covered(
        "A proxy returns its server TLS policy with `//`, and none after its removal.",
        "compute-engine.target-proxies.server-tls-policy",
      ),
      covered(
        "A server TLS policy may name its trust config with the number of the project.",
        "network-security.server-tls-policies.stored",
      ),
      covered("A URL map keeps host rules, path matchers and tests.", "compute-engine.url-maps.host-rules"),
    ],
    TestAccComputeTargetHttpsProxy_certificateMap: [
      covered(
        "A proxy with a map and without certificates returns its map with `//`.",
        "compute-engine.target-proxies.map-only",
      ),
      covered(
        "A map may be attached while the certificate of its entry is not issued.",
        "certificate-manager.map-entry.provisioning-certificate",
      ),
    ],
    TestAccComputeTargetHttpsProxyServerTlsPolicy_update: [
      covered(
        "A server TLS policy is attached to and detached from a proxy in place.",
        "compute-engine.target-proxies.server-tls-policy",
      ),
    ],
  }),
  ...inFile("compute/list_compute_target_ssl_proxy_generated_test.go", {
    TestAccComputeTargetSslProxyListQuery_generated: [
      covered("The list of target SSL proxies has a created proxy.", "compute-engine.ssl-proxies.list"),
    ],
  }),
  ...inFile("compute/resource_compute_target_ssl_proxy_generated_test.go", {
    TestAccComputeTargetSslProxy_targetSslProxyBasicExample: [
      covered(
        "A target SSL proxy may be created with a map and certificates.",
        "compute-engine.ssl-proxies.created-with-both",
      ),
      beyond("The import compares links by their resource only.", "importLinks"),
    ],
  }),
  ...inFile("compute/resource_compute_target_ssl_proxy_test.go", {
    TestAccComputeTargetSslProxy_update: [
      covered(
        "The header for backends is NONE, and changes in place.",
        "compute-engine.ssl-proxies.links",
        "compute-engine.ssl-proxies.header",
      ),
      covered(
        "The certificates of a target SSL proxy change in place.",
        "compute-engine.ssl-proxies.other-certificates",
      ),
      covered("The SSL policy of a target SSL proxy is detached in place.", "compute-engine.ssl-proxies.ssl-policy"),
      covered(
        "The backend service of a target SSL proxy changes in place, and has the protocol SSL.",
        "compute-engine.ssl-proxies.other-backend",
      ),
      covered(
        "The map of a target SSL proxy without certificates changes in place.",
        "compute-engine.ssl-proxies.other-map",
      ),
      beyond("The configuration may name a certificate without a path.", "links"),
    ],
  }),
  ...inFile("compute/resource_compute_region_target_https_proxy_generated_test.go", {
    TestAccComputeRegionTargetHttpsProxy_regionTargetHttpsProxyBasicExample: [
      covered("A regional proxy returns full links to regional resources.", "compute-engine.regional-proxies.links"),
    ],
    TestAccComputeRegionTargetHttpsProxy_regionTargetHttpsProxyHttpKeepAliveTimeoutExample: [
      covered(
        "A regional proxy keeps its keep-alive time of 600 seconds.",
        "compute-engine.regional-proxies.keep-alive",
      ),
    ],
    TestAccComputeRegionTargetHttpsProxy_regionTargetHttpsProxyCertificateManagerCertificateExample: [
      covered(
        "A regional proxy returns certificates of Certificate Manager with `//`.",
        "compute-engine.regional-proxies.manager-certificates",
      ),
    ],
  }),
  ...inFile("compute/resource_compute_region_target_https_proxy_test.go", {
    TestAccComputeRegionTargetHttpsProxy_update: [
      covered(
        "Certificates and URL map of a regional proxy change in place.",
        "compute-engine.regional-proxies.several-certificates",
      ),
      covered(
        "An SSL policy is attached to a regional proxy in place.",
        "compute-engine.regional-proxies.patch-with-fingerprint",
      ),
    ],
    TestAccComputeRegionTargetHttpsProxy_addSslPolicy_withForwardingRule: [
      covered(
        "An SSL policy is attached to a regional proxy that a forwarding rule uses.",
        "compute-engine.regional-proxies.patch-with-fingerprint",
      ),
      beyond("A rule in a network has an internal address of a subnet.", "subnets"),
    ],
  }),
  ...inFile("compute/data_source_google_compute_region_ssl_certificate_test.go", {
    TestAccDataSourceComputeRegionSslCertificate: [
      covered(
        "A regional certificate is read with description and certificate, and without its key.",
        "compute-engine.regional-proxies.private-key",
      ),
    ],
  }),
  ...inFile("compute/data_source_google_compute_ssl_certificate_test.go", {
    TestAccDataSourceComputeSslCertificate: [
      covered(
        "A certificate is read with description and certificate, and without its key.",
        "compute-engine.ssl-certificates.upload-at-top-level",
        "compute-engine.ssl-certificates.private-key",
      ),
    ],
  }),
  ...inFile("compute/resource_compute_managed_ssl_certificate_generated_test.go", {
    TestAccComputeManagedSslCertificate_managedSslCertificateBasicExample: [
      covered(
        "The domain of a managed certificate may end with a dot.",
        "compute-engine.ssl-certificates.managed-final-dot",
      ),
      covered(
        "A proxy may use a managed certificate that is not issued.",
        "compute-engine.ssl-certificates.managed-on-proxy",
      ),
      covered("A managed certificate has the type MANAGED and its domains.", "compute-engine.ssl-certificates.managed"),
    ],
    TestAccComputeManagedSslCertificate_managedSslCertificateRecreationExample: [
      beyond("The domains of a managed certificate change by a new certificate with another name.", "replacement"),
      covered(
        "A proxy may use a managed certificate without a forwarding rule.",
        "compute-engine.ssl-certificates.managed-on-proxy",
      ),
    ],
  }),
  ...inFile("compute/resource_compute_region_ssl_certificate_generated_test.go", {
    TestAccComputeRegionSslCertificate_regionSslCertificateBasicExample: [
      covered(
        "A regional certificate is made of a certificate and a key beside its name.",
        "compute-engine.regional-proxies.private-key",
      ),
      covered("No answer has the key.", "compute-engine.regional-proxies.private-key"),
      beyond("The name begins with a prefix.", "names"),
    ],
    TestAccComputeRegionSslCertificate_regionSslCertificateBasicWriteonlyExample: [
      beyond("The key may come from an argument that is not stored.", "writeOnly"),
    ],
    TestAccComputeRegionSslCertificate_regionSslCertificateRandomProviderExample: [
      beyond("The name has random digits.", "names"),
    ],
    TestAccComputeRegionSslCertificate_regionSslCertificateTargetHttpsProxiesExample: [
      covered("A regional proxy uses a regional certificate.", "compute-engine.regional-proxies.links"),
    ],
  }),
  ...inFile("compute/resource_compute_ssl_certificate_generated_test.go", {
    TestAccComputeSslCertificate_sslCertificateBasicExample: [
      covered(
        "A certificate is made of a certificate and a key beside its name.",
        "compute-engine.ssl-certificates.upload-at-top-level",
      ),
      covered("No answer has the key.", "compute-engine.ssl-certificates.private-key"),
      beyond("The name begins with a prefix.", "names"),
    ],
    TestAccComputeSslCertificate_sslCertificateBasicWriteonlyExample: [
      beyond("The key may come from an argument that is not stored.", "writeOnly"),
    ],
    TestAccComputeSslCertificate_sslCertificateRandomProviderExample: [beyond("The name has random digits.", "names")],
    TestAccComputeSslCertificate_sslCertificateTargetHttpsProxiesExample: [
      covered("A proxy uses an uploaded certificate.", "compute-engine.target-proxies.links"),
    ],
  }),
  ...inFile("compute/resource_compute_ssl_certificate_test.go", {
    TestAccComputeSslCertificate_no_name: [
      beyond("A certificate gets a name if the configuration has none.", "names"),
      covered("A certificate is read by its name after its creation.", "compute-engine.ssl-certificates.uploaded"),
    ],
    TestUnitComputeManagedSslCertificate_AbsoluteDomainSuppress: [
      covered(
        "A final dot of a domain makes no difference to what is returned.",
        "compute-engine.ssl-certificates.managed-final-dot",
      ),
    ],
  }),
  ...inFile("compute/data_source_google_compute_region_ssl_policy_test.go", {
    TestAccDataSourceComputeRegionSslPolicy: [
      covered(
        "A regional policy is read by its name, with profile and minimum version.",
        "compute-engine.regional-ssl-policies.resource",
      ),
    ],
  }),
  ...inFile("compute/data_source_google_compute_ssl_policy_test.go", {
    TestAccDataSourceGoogleSslPolicy: [
      covered(
        "A policy is read by its name, with link, description, profile, version and features.",
        "compute-engine.ssl-policies.created-custom",
      ),
    ],
  }),
  ...inFile("compute/resource_compute_region_ssl_policy_generated_test.go", {
    TestAccComputeRegionSslPolicy_regionSslPolicyBasicExample: [
      covered("A regional policy needs a profile only.", "compute-engine.regional-ssl-policies.version-default"),
    ],
    TestAccComputeRegionSslPolicy_regionSslPolicyPostQuantumExample: [
      covered(
        "A regional policy keeps its post-quantum key exchange.",
        "compute-engine.regional-ssl-policies.post-quantum",
      ),
    ],
  }),
  ...inFile("compute/resource_compute_region_ssl_policy_test.go", {
    TestAccComputeRegionSslPolicy_regionInherit: [
      beyond("The region of a policy may come from the provider.", "region"),
    ],
    TestAccComputeRegionSslPolicy_update: [
      covered(
        "Profile and minimum version of a regional policy change in place.",
        "compute-engine.regional-ssl-policies.profiles",
      ),
    ],
    TestAccComputeRegionSslPolicy_update_to_custom: [
      covered("A regional policy changes to custom features in place.", "compute-engine.regional-ssl-policies.custom"),
    ],
    TestAccComputeRegionSslPolicy_update_from_custom: [
      covered(
        "A regional policy changes from custom features in place.",
        "compute-engine.regional-ssl-policies.custom",
      ),
    ],
    TestAccComputeRegionSslPolicy_postQuantumKeyExchange: [
      covered(
        "The post-quantum key exchange of a regional policy changes in place.",
        "compute-engine.regional-ssl-policies.post-quantum",
      ),
    ],
  }),
  ...inFile("compute/resource_compute_ssl_policy_generated_test.go", {
    TestAccComputeSslPolicy_sslPolicyBasicExample: [
      covered(
        "A policy may have a profile of Google's or custom features.",
        "compute-engine.ssl-policies.created-custom",
        "compute-engine.ssl-policies.custom-features",
      ),
      covered("A policy without a minimum version has TLS 1.0.", "compute-engine.ssl-policies.defaults"),
    ],
    TestAccComputeSslPolicy_sslPolicyPostQuantumExample: [
      covered("A policy keeps its post-quantum key exchange.", "compute-engine.ssl-policies.post-quantum"),
    ],
  }),
  ...inFile("compute/resource_compute_ssl_policy_test.go", {
    TestAccComputeSslPolicy_update: [
      covered(
        "Profile and minimum version of a policy change in place.",
        "compute-engine.ssl-policies.restricted",
        "compute-engine.ssl-policies.fips",
      ),
      covered(
        "The profile FIPS_202205 goes with TLS 1.2.",
        "compute-engine.ssl-policies.fips",
        "compute-engine.ssl-policies.version-of-fips",
      ),
      covered(
        "The post-quantum key exchange is missing if it was not set.",
        "compute-engine.ssl-policies.post-quantum",
      ),
    ],
    TestAccComputeSslPolicy_update_to_custom: [
      covered("A policy changes to custom features in place.", "compute-engine.ssl-policies.custom-features"),
    ],
    TestAccComputeSslPolicy_update_from_custom: [
      covered("A policy changes from custom features in place.", "compute-engine.ssl-policies.from-custom"),
    ],
    TestAccComputeSslPolicy_postQuantumKeyExchange: [
      covered(
        "The post-quantum key exchange of a policy changes in place.",
        "compute-engine.ssl-policies.post-quantum",
      ),
    ],
  }),
];
