import { beyond, covered, inFile, type ProviderAssumption } from "./assumption";

/** Tests of URL maps and backend services. */
export const backendAssumptions: readonly ProviderAssumption[] = [
  ...inFile("compute/resource_compute_url_map_test.go", {
    TestAccComputeUrlMap_update_path_matcher: [
      covered("Path matchers, paths and tests of a URL map change in place.", "compute-engine.url-maps.host-rules"),
    ],
    TestAccComputeUrlMap_advanced: [
      covered("Several host rules and path matchers change in place.", "compute-engine.url-maps.host-rules"),
    ],
    TestAccComputeUrlMap_defaultRouteActionPathUrlRewrite: [
      covered("The rewriting of a path matcher changes in place.", "compute-engine.url-maps.rewrite"),
    ],
    TestAccComputeUrlMap_defaultRouteActionUrlRewrite: [
      covered("The rewriting of the default action changes in place.", "compute-engine.url-maps.rewrite"),
    ],
    TestAccComputeUrlMap_noPathRulesWithUpdate: [
      covered(
        "A path matcher may have no path rules, and gets some in place.",
        "compute-engine.url-maps.matcher-without-rules",
        "compute-engine.url-maps.host-rules",
      ),
    ],
    TestAccComputeUrlMap_defaultRouteActionTrafficDirectorPathUpdate: [
      beyond("The default action of a path matcher of a service mesh changes in place.", "mesh"),
    ],
    TestAccComputeUrlMap_defaultRouteActionTrafficDirectorUpdate: [
      beyond("The default action of a service mesh changes in place.", "mesh"),
    ],
    TestAccComputeUrlMap_trafficDirectorUpdate: [beyond("Route rules of a service mesh change in place.", "mesh")],
    TestAccComputeUrlMap_trafficDirectorPathUpdate: [
      beyond("Actions of path rules of a service mesh change in place.", "mesh"),
    ],
    TestAccComputeUrlMap_trafficDirectorRemoveRouteRule: [
      beyond("The last route rule of a service mesh is removed in place.", "mesh"),
    ],
    TestAccComputeUrlMap_defaultUrlRedirect: [
      covered("A URL map may redirect everything, without a backend service.", "compute-engine.url-maps.redirect"),
    ],
    TestAccComputeUrlMap_cachePolicyMultiLevelUpdate: [beyond("Policies of the cache change in place.", "cdn")],
  }),
  ...inFile("compute/resource_compute_url_map_generated_test.go", {
    TestAccComputeUrlMap_urlMapBucketAndServiceExample: [
      beyond("A URL map leads to backend buckets and backend services.", "buckets"),
    ],
    TestAccComputeUrlMap_urlMapTrafficDirectorRouteExample: [
      beyond("A URL map of a service mesh keeps its route rules.", "mesh"),
    ],
    TestAccComputeUrlMap_urlMapTrafficDirectorRoutePartialExample: [
      beyond("A route rule of a service mesh may leave out members.", "mesh"),
    ],
    TestAccComputeUrlMap_urlMapTrafficDirectorPathExample: [
      beyond("A URL map of a service mesh keeps actions of paths.", "mesh"),
    ],
    TestAccComputeUrlMap_urlMapTrafficDirectorPathPartialExample: [
      beyond("An action of a service mesh may leave out members.", "mesh"),
    ],
    TestAccComputeUrlMap_urlMapHeaderBasedRoutingExample: [beyond("A URL map routes by headers.", "routing")],
    TestAccComputeUrlMap_urlMapParameterBasedRoutingExample: [beyond("A URL map routes by parameters.", "routing")],
    TestAccComputeUrlMap_urlMapCachePolicyBasicExample: [beyond("A URL map has a policy of the cache.", "cdn")],
    TestAccComputeUrlMap_urlMapCachePolicyMultiLevelExample: [
      beyond("A URL map has policies of the cache on three levels.", "cdn"),
    ],
    TestAccComputeUrlMap_urlMapTestHeadersExample: [beyond("A test of a URL map keeps its headers.", "routing")],
    TestAccComputeUrlMap_urlMapTestExpectedOutputUrlExample: [
      beyond("A test of a URL map keeps its expected URL.", "routing"),
    ],
    TestAccComputeUrlMap_urlMapTestRedirectResponseCodeExample: [
      beyond("A test of a URL map keeps its expected redirect.", "routing"),
    ],
    TestAccComputeUrlMap_urlMapPathTemplateMatchExample: [beyond("A URL map matches templates of paths.", "routing")],
    TestAccComputeUrlMap_urlMapCustomErrorResponsePolicyExample: [
      beyond("A URL map has policies of error pages.", "buckets"),
    ],
  }),
  ...inFile("compute/list_compute_region_url_map_generated_test.go", {
    TestAccComputeRegionUrlMapListQuery_generated: [
      covered("The list of a region has a created URL map.", "compute-engine.regional-backends.list"),
    ],
  }),
  ...inFile("compute/resource_compute_region_url_map_test.go", {
    TestAccComputeRegionUrlMap_headerAction: [
      beyond("Header actions of a regional URL map change in place.", "routing"),
    ],
    TestAccComputeRegionUrlMap_update_path_matcher: [
      covered("Path matchers of a regional URL map change in place.", "compute-engine.regional-backends.host-rules"),
    ],
    TestAccComputeRegionUrlMap_advanced: [
      covered(
        "Several host rules of a regional URL map change in place.",
        "compute-engine.regional-backends.host-rules",
      ),
    ],
    TestAccComputeRegionUrlMap_noPathRulesWithUpdate: [
      covered(
        "A path matcher of a regional URL map gets path rules in place.",
        "compute-engine.regional-backends.host-rules",
      ),
    ],
    TestAccComputeRegionUrlMap_ilbPathUpdate: [
      beyond("Actions of path rules of a regional URL map change in place.", "routing"),
    ],
    TestAccComputeRegionUrlMap_ilbRouteUpdate: [
      beyond("Route rules of a regional URL map change in place.", "routing"),
    ],
    TestAccComputeRegionUrlMap_defaultUrlRedirect: [
      covered("A regional URL map may redirect everything.", "compute-engine.regional-backends.redirects"),
    ],
    TestAccComputeRegionUrlMap_defaultUrlRedirectWithinPathMatcher: [
      covered(
        "A path matcher of a regional URL map may redirect everything.",
        "compute-engine.regional-backends.redirects",
      ),
    ],
    TestAccComputeRegionUrlMap_defaultRouteAction_full_update: [
      beyond("The default action of a regional URL map changes in place.", "routing"),
    ],
  }),
  ...inFile("compute/resource_compute_region_url_map_generated_test.go", {
    TestAccComputeRegionUrlMap_regionUrlMapBasicExample: [
      covered(
        "A regional URL map keeps its link to a regional backend service.",
        "compute-engine.regional-proxies.links",
      ),
    ],
    TestAccComputeRegionUrlMap_regionUrlMapDefaultRouteActionExample: [
      beyond("A regional URL map keeps its default action.", "routing"),
    ],
    TestAccComputeRegionUrlMap_regionUrlMapL7IlbPathExample: [
      beyond("A regional URL map keeps actions of paths.", "routing"),
    ],
    TestAccComputeRegionUrlMap_regionUrlMapL7IlbPathPartialExample: [
      beyond("An action of a regional URL map may leave out members.", "routing"),
    ],
    TestAccComputeRegionUrlMap_regionUrlMapL7IlbRouteExample: [
      beyond("A regional URL map keeps route rules.", "routing"),
    ],
    TestAccComputeRegionUrlMap_regionUrlMapL7IlbRoutePartialExample: [
      beyond("A route rule of a regional URL map may leave out members.", "routing"),
    ],
    TestAccComputeRegionUrlMap_regionUrlMapPathTemplateMatchExample: [
      beyond("A regional URL map matches templates of paths.", "routing"),
    ],
    TestAccComputeRegionUrlMap_regionUrlMapPathMatcherDefaultRouteActionExample: [
      beyond("A path matcher of a regional URL map has a default action.", "routing"),
    ],
  }),
  ...inFile("compute/data_source_google_compute_backend_service_test.go", {
    TestAccDataSourceComputeBackendService_basic: [
      covered(
        "A backend service is read by its name, with the defaults of its settings.",
        "compute-engine.backend-services.defaults",
      ),
    ],
  }),
  ...inFile("compute/resource_compute_backend_service_signed_url_key_test.go", {
    TestAccComputeBackendServiceSignedUrlKey_basic: [
      beyond("A backend service lists the names of its keys for signed URLs.", "cdn"),
    ],
  }),
  ...inFile("compute/resource_compute_backend_service_test.go", {
    TestAccComputeBackendService_basic: [
      covered(
        "The health check of a backend service changes in place.",
        "compute-engine.backend-services.health-check",
      ),
    ],
    TestAccComputeBackendService_withBackend: [
      covered("The timeout of a backend service changes in place.", "compute-engine.backend-services.timeout"),
      beyond("A backend service keeps its backends.", "backends"),
    ],
    TestAccComputeBackendService_withBackendAndMaxUtilization: [
      beyond("A backend has a limit of its utilization.", "backends"),
    ],
    TestAccComputeBackendService_withBackendAndIAP: [beyond("The settings of IAP change in place.", "iap")],
    TestAccComputeBackendService_withBackendAndPreferenceInternalManaged: [
      beyond("The preference of an internal backend changes in place.", "backends"),
    ],
    TestAccComputeBackendService_withBackendAndPreferenceInternalSelfManaged: [
      beyond("The preference of a backend of a service mesh changes in place.", "mesh"),
    ],
    TestAccComputeBackendService_withBackendAndPreferenceExternalManaged: [
      beyond("The preference of an external backend changes in place.", "backends"),
    ],
    TestAccComputeBackendService_updateIAPEnabled: [beyond("IAP is switched off in place.", "iap")],
    TestAccComputeBackendService_updatePreservesOptionalParameters: [
      covered(
        "A change of the description keeps the session affinity.",
        "compute-engine.backend-services.other-settings-kept",
      ),
    ],
    TestAccComputeBackendService_withConnectionDraining: [
      covered("A backend service keeps its time for draining.", "compute-engine.backend-services.draining"),
    ],
    TestAccComputeBackendService_withConnectionDrainingAndUpdate: [
      covered("The time for draining changes in place.", "compute-engine.backend-services.draining"),
    ],
    TestAccComputeBackendService_withHttpsHealthCheck: [
      covered("A backend service keeps the protocol HTTPS.", "compute-engine.backend-services.protocol"),
    ],
    TestAccComputeBackendService_withCdnPolicy: [beyond("Policies of the CDN change in place.", "cdn")],
    TestAccComputeBackendService_withSecurityPolicy: [
      beyond("Security policies are attached and detached in place.", "armor"),
    ],
    TestAccComputeBackendService_withCDNEnabled: [beyond("A backend service has the CDN switched on.", "cdn")],
    TestAccComputeBackendService_withSessionAffinity: [
      covered("The session affinity changes in place.", "compute-engine.backend-services.affinity"),
    ],
    TestAccComputeBackendService_withAffinityCookieTtlSec: [
      covered("A backend service keeps the time to live of its cookie.", "compute-engine.backend-services.affinity"),
    ],
    TestAccComputeBackendService_withMaxConnections: [
      beyond("The limit of connections of a backend changes in place.", "backends"),
    ],
    TestAccComputeBackendService_withMaxConnectionsPerInstance: [
      beyond("The limit of connections of an instance changes in place.", "backends"),
    ],
    TestAccComputeBackendService_withMaxRatePerEndpoint: [
      beyond("The limit of requests of an endpoint changes in place.", "backends"),
    ],
    TestAccComputeBackendService_withMaxConnectionsPerEndpoint: [
      beyond("The limit of connections of an endpoint changes in place.", "backends"),
    ],
    TestAccComputeBackendService_withCustomHeaders: [
      covered("Custom headers are set and removed in place.", "compute-engine.backend-services.headers"),
    ],
    TestAccComputeBackendService_internalLoadBalancing: [
      beyond("A backend service of a service mesh has backends.", "mesh"),
    ],
    TestAccComputeBackendService_withLogConfig: [
      covered("The logging of requests and its rate change in place.", "compute-engine.backend-services.logging"),
    ],
    TestAccComputeBackendService_withLogConfigMode: [
      beyond("The optional fields of the log change in place.", "logFields"),
    ],
    TestAccComputeBackendService_withLogConfigRequestResponseHeaders: [
      beyond("The headers in the log change in place.", "logFields"),
    ],
    TestAccComputeBackendService_trafficDirectorUpdateBasic: [
      beyond("The balancing of a service mesh changes in place.", "mesh"),
    ],
    TestAccComputeBackendService_withCompressionMode: [beyond("The compression of the CDN changes in place.", "cdn")],
    TestAccComputeBackendService_trafficDirectorUpdateLbPolicies: [
      beyond("The policies of a service mesh change in place.", "mesh"),
    ],
    TestAccComputeBackendService_withPrivateOriginAuth: [
      beyond("The access to a private origin changes in place.", "backends"),
    ],
    TestAccComputeBackendService_withClientTlsPolicy: [
      beyond("The TLS policy of a service mesh changes in place.", "mesh"),
    ],
    TestAccComputeBackendService_backendServiceMaxDuration: [
      beyond("The limit of streams of a service mesh changes in place.", "mesh"),
    ],
    TestAccComputeBackendService_resourceManagerTags: [beyond("A backend service is created with tags.", "tags")],
    TestAccComputeBackendService_withWriteOnlyValues: [beyond("Arguments of IAP are not stored.", "writeOnly")],
    TestAccComputeBackendService_backendServiceCustomMetrics_update: [
      beyond("Custom metrics of backends change in place.", "backends"),
    ],
    TestAccComputeBackendService_updateCanaryMigration: [
      beyond("A classic backend service changes its state of migration in place.", "classicMigration"),
    ],
    TestAccComputeBackendService_iapOauthClientIdPermadiff: [
      beyond("An empty client of IAP is returned as a blank.", "iap"),
    ],
  }),
  ...inFile("compute/resource_compute_backend_service_generated_test.go", {
    TestAccComputeBackendService_backendServiceBasicExample: [
      covered("A backend service needs a name and a health check only.", "compute-engine.backend-services.defaults"),
    ],
    TestAccComputeBackendService_backendServiceExternalIapExample: [beyond("No answer has the secret of IAP.", "iap")],
    TestAccComputeBackendService_backendServiceCacheSimpleExample: [
      beyond("A backend service has the CDN with signed URLs.", "cdn"),
    ],
    TestAccComputeBackendService_backendServiceCacheIncludeHttpHeadersExample: [
      beyond("The key of the cache has headers.", "cdn"),
    ],
    TestAccComputeBackendService_backendServiceCacheIncludeNamedCookiesExample: [
      beyond("The key of the cache has cookies.", "cdn"),
    ],
    TestAccComputeBackendService_backendServiceCacheExample: [
      beyond("A backend service has times of its cache.", "cdn"),
    ],
    TestAccComputeBackendService_backendServiceCacheBypassCacheOnRequestHeadersExample: [
      beyond("Headers bypass the cache.", "cdn"),
    ],
    TestAccComputeBackendService_backendServiceExternalManagedExample: [
      covered(
        "A backend service keeps the scheme EXTERNAL_MANAGED and the protocol H2C.",
        "compute-engine.backend-services.protocol",
      ),
    ],
    TestAccComputeBackendService_backendServiceIpAddressSelectionPolicyExample: [
      beyond("A backend service prefers IPv6 to its backends.", "backends"),
    ],
    TestAccComputeBackendService_backendServiceCustomMetricsExample: [
      beyond("A backend service has custom metrics.", "backends"),
    ],
    TestAccComputeBackendService_backendServiceTlsSettingsExample: [
      beyond("A backend service has settings of TLS to its backends.", "backends"),
    ],
  }),
  ...inFile("compute/data_source_google_compute_region_backend_service_test.go", {
    TestAccDataSourceComputeRegionBackendService_basic: [
      covered("A regional backend service is read by its name.", "compute-engine.regional-backends.backend-service"),
    ],
    TestAccDataSourceComputeRegionBackendService_withProject: [
      covered(
        "A regional backend service is read in a given project.",
        "compute-engine.regional-backends.backend-service",
      ),
    ],
  }),
  ...inFile("compute/resource_compute_region_backend_service_ha_policy_manual_leader_update_test.go", {
    TestAccComputeRegionBackendService_regionBackendServiceHaPolicyManualLeader_update: [
      beyond("The leader of a passthrough load balancer changes in place.", "passthrough"),
    ],
  }),
  ...inFile("compute/resource_compute_region_backend_service_generated_test.go", {
    TestAccComputeRegionBackendService_regionBackendServiceBasicExample: [
      beyond("A backend service of a passthrough load balancer keeps its settings.", "passthrough"),
    ],
    TestAccComputeRegionBackendService_regionBackendServiceExternalIapExample: [
      beyond("A regional backend service has IAP.", "iap"),
    ],
    TestAccComputeRegionBackendService_regionBackendServiceIlbRoundRobinExample: [
      beyond("A regional backend service balances in turn.", "balancing"),
    ],
    TestAccComputeRegionBackendService_regionBackendServiceExternalWeightedExample: [
      beyond("A regional backend service balances by weights.", "passthrough"),
    ],
    TestAccComputeRegionBackendService_regionBackendServiceIlbRingHashExample: [
      beyond("A regional backend service balances by hashes.", "balancing"),
    ],
    TestAccComputeRegionBackendService_regionBackendServiceBalancingModeExample: [
      beyond("A regional backend service has a mode for its backends.", "backends"),
    ],
    TestAccComputeRegionBackendService_regionBackendServiceConnectionTrackingExample: [
      beyond("A passthrough load balancer tracks connections.", "passthrough"),
    ],
    TestAccComputeRegionBackendService_regionBackendServiceIpAddressSelectionPolicyExample: [
      beyond("A regional backend service prefers an IP version to its backends.", "backends"),
    ],
    TestAccComputeRegionBackendService_regionBackendServiceIlbCustomMetricsExample: [
      beyond("A regional backend service has custom metrics.", "backends"),
    ],
    TestAccComputeRegionBackendService_regionBackendServiceHaPolicyExample: [
      beyond("A passthrough load balancer has a policy of availability.", "passthrough"),
    ],
    TestAccComputeRegionBackendService_regionBackendServiceHaPolicyManualLeaderExample: [
      beyond("A passthrough load balancer has a leader.", "passthrough"),
    ],
    TestAccComputeRegionBackendService_regionBackendServiceTlsSettingsExample: [
      beyond("A regional backend service has settings of TLS to its backends.", "backends"),
    ],
  }),
  ...inFile("compute/resource_compute_region_backend_service_test.go", {
    TestAccComputeRegionBackendService_basic: [
      beyond("A backend service of a passthrough load balancer changes its health check in place.", "passthrough"),
    ],
    TestAccComputeRegionBackendService_ilbBasic_withUnspecifiedProtocol: [
      beyond("A passthrough load balancer may leave the protocol open.", "passthrough"),
    ],
    TestAccComputeRegionBackendService_withBackendInternal: [
      beyond("A backend service of a passthrough load balancer keeps its backends.", "passthrough"),
    ],
    TestAccComputeRegionBackendService_withBackendInternalManaged: [
      beyond("A regional backend service has several backends.", "backends"),
    ],
    TestAccComputeRegionBackendService_withBackendMultiNic: [
      beyond("A passthrough load balancer has a network of its backends.", "passthrough"),
    ],
    TestAccComputeRegionBackendService_withConnectionDrainingAndUpdate: [
      beyond("The time for draining of a passthrough load balancer changes in place.", "passthrough"),
    ],
    TestAccComputeRegionBackendService_ilbUpdateBasic: [
      beyond("The balancing of a regional backend service changes in place.", "balancing"),
    ],
    TestAccComputeRegionBackendService_withBackendAndIAP: [
      beyond("A regional backend service gets IAP in place.", "iap"),
    ],
    TestAccComputeRegionBackendService_updateIAPEnabled: [
      beyond("IAP of a regional backend service is switched off in place.", "iap"),
    ],
    TestAccComputeRegionBackendService_UDPFailOverPolicyUpdate: [
      beyond("The failover of a passthrough load balancer changes in place.", "passthrough"),
    ],
    TestAccComputeRegionBackendService_withLogConfig: [
      covered(
        "The logging of a regional backend service changes in place.",
        "compute-engine.regional-backends.logging",
      ),
    ],
    TestAccComputeRegionBackendService_withLogConfigRequestResponseHeaders: [
      beyond("The headers in the log of a regional backend service change in place.", "logFields"),
    ],
    TestAccComputeRegionBackendService_zonalILB: [
      beyond("A passthrough load balancer has endpoints of a zone.", "passthrough"),
    ],
    TestAccComputeRegionBackendService_withDynamicBackendCount: [
      beyond("The number of backends changes in place.", "backends"),
    ],
    TestAccComputeRegionBackendService_withTags: [beyond("A regional backend service is created with tags.", "tags")],
    TestAccComputeRegionBackendService_withNetworkPassThroughLbTrafficPolicy: [
      beyond("The traffic policy of a passthrough load balancer changes in place.", "passthrough"),
    ],
  }),
];
