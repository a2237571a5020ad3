import { type CodeTable, error, warning } from "../findings/codes";
import { projectIdForm } from "../resource-names";

/**
 * Lists every check by its code, grouped by subject. Problems of hostnames and of certificates in files have codes of
 * their own, beginning with `hostname-` and `certificate-file-`.
 */
export const checks = {
  // The spec as a whole.
  "name-invalid": error(
    "The name of the migration or of a certificate is invalid in Terraform addresses and resource names.",
    "use 1 to 63 characters of a-z, 0-9, '-', '_' and '.', with a letter or digit first and last",
  ),
  "name-prefix-invalid": error(
    "Resource names with this prefix would be invalid.",
    "use 1 to 20 characters of a-z, 0-9 and '-', with a letter first and no '-' last",
  ),
  "naming-invalid": error(
    "'naming' is not an object with a method 'name'.",
    "pass an object such as { name: (kind, suggested) => `acme-${suggested.slice(-12)}` }",
  ),
  "resource-name-invalid": error(
    "'naming' returned a text that is not valid as the name of a resource, or another type.",
    "return 1 to 63 characters of a-z, 0-9 and '-', with a letter first and no '-' last",
  ),
  "resource-name-repeated": error(
    "Resources of the same kind have the same name in the same project and location.",
    "give each its own name: in 'naming', keep the last 12 characters of the suggestion",
  ),
  "resource-name-without-digest": warning(
    "A replaced certificate, issuance config or server TLS policy would have the name of its predecessor, and Google would refuse to create it.",
    "keep the last 12 characters of the suggestion in 'naming', which differ for the replacement",
  ),
  "property-missing": error("A required property is missing.", "add the property that the message names"),
  "property-unknown": error("A property is not part of a migration.", "use a property that the message lists"),
  "value-wrong-type": error("A value has the wrong type.", "use the type that the message names"),
  "value-not-allowed": error("A value is not one of the allowed values.", "use a value that the message lists"),
  "value-out-of-range": error("The service or Terraform does not accept the number.", "use a number in the range"),
  "list-empty": error("A list that needs an item is empty.", "add an item, or remove the property"),
  "reference-not-allowed": error(
    "A reference is used where the plan needs the value before Terraform runs, or in a form that the field does not accept.",
    "write the value itself, or the form that the message names",
  ),
  "expression-not-allowed": error(
    "A text contains an expression or a directive, which Terraform would evaluate on the machine that runs it.",
    "use a reference that the message names, or write '$${' and '%%{' for the characters themselves",
  ),
  "key-repeated": error(
    "The same domain or hostname appears twice as a key in different spellings; the result would depend on their order.",
    "keep one of the two",
  ),
  "project-invalid": error(
    "The id is not a valid id of a Google Cloud project.",
    `use the project's id, for example my-project-123456: ${projectIdForm}`,
  ),
  "gate-command-invalid": error(
    "The gate's command can't be part of a command line, or contains a reference, whose value a shell would read.",
    "give constant text on one line, without control characters",
  ),

  // Labels and descriptions.
  "label-key-invalid": error(
    "The key of a label is invalid: the API would refuse it at apply.",
    "use 1 to 63 lowercase letters, digits, '_' and '-', with a letter first",
  ),
  "label-value-invalid": error(
    "The value of a label is invalid: the API would refuse it at apply.",
    "use at most 63 lowercase letters, digits, '_' and '-'",
  ),
  "labels-too-many": error("A resource has more than 64 labels.", "remove some of the labels"),
  "description-too-long": error("A description has more than 1024 characters.", "shorten it"),

  // Certificates.
  "certificate-kind-ambiguous": error(
    "A certificate without 'kind' is self-managed, existing and issued by a private CA at once, or two of these.",
    "set 'kind' to 'selfManaged', 'existing' or 'privateCa', with the members of that kind",
  ),
  "issued-by-ambiguous": error(
    "A certificate of a private CA names no private CA, or names several.",
    "set 'caPool' with its settings, or only 'existingIssuanceConfig'",
  ),
  "ca-pool-malformed": error(
    "The name of a CA pool has an invalid format.",
    "use projects/PROJECT/locations/LOCATION/caPools/POOL",
  ),
  "ca-pool-location-mismatch": error(
    "A regional certificate needs a CA pool in its region.",
    "use a CA pool in the certificate's location",
  ),
  "issuance-config-malformed": error(
    "The id of an existing issuance config has an invalid format.",
    "use projects/PROJECT/locations/LOCATION/certificateIssuanceConfigs/NAME",
  ),
  "issuance-lifetime-invalid": error(
    "The lifetime of a certificate of a private CA is not between 21 and 30 days.",
    "use 21d to 30d, or 1814400s to 2592000s",
  ),
  "issuance-rotation-invalid": error(
    "A certificate of a private CA would be renewed less than 7 days after its issuance or before its expiry.",
    "use another whole number, for example 66 for 30 days; 50 fits every lifetime",
  ),
  "private-ca-public-name": warning(
    "A private CA issues a certificate for a public name: clients that do not trust the CA refuse the connection.",
    "use a managed certificate, or make sure that every client trusts the CA",
  ),
  "private-ca-external": warning(
    "An external load balancer serves a certificate of a private CA: clients that do not trust the CA refuse the connection.",
    "make sure that every client trusts the CA, or use an internal load balancer",
  ),
  "certificate-domains-missing": error("The certificate has no domains.", "list its 'domains'"),
  "certificate-domain-repeated": warning(
    "A certificate lists the same domain twice, possibly in different spellings.",
    "list it once",
  ),
  "certificate-name-repeated": error(
    "Two certificates have the same name, so that their Terraform addresses would be the same.",
    "set a different 'name' on one of the two",
  ),
  "certificate-too-many-domains": error(
    "A managed certificate lists more domains than Google issues in one certificate.",
    "split it into several certificates, or raise 'maxDomainsPerCertificate' if your quota is higher",
  ),
  "wildcard-without-parent": warning(
    "A certificate has a wildcard, but no certificate of the migration has the parent domain, which the wildcard does not cover.",
    "add the parent domain, which needs no further authorization; ignore this if nothing serves the parent domain",
  ),
  "certificate-domain-long": warning(
    "Every name of a certificate exceeds the 64 characters of a common name, which some clients still read.",
    "add a shorter name to the certificate, or check your clients",
  ),
  "certificate-id-malformed": error(
    "The id of an existing certificate has an invalid format.",
    "use projects/PROJECT/locations/LOCATION/certificates/NAME",
  ),
  "certificate-location-mismatch": error(
    "The load balancer can't use certificates of this location.",
    "remove 'location', or use a certificate in the load balancer's location",
  ),
  "certificate-scope-mismatch": error(
    "The load balancer can't use certificates of this scope.",
    "remove 'scope', whose default depends on the load balancer",
  ),
  "certificate-awaits-traffic": error(
    "An existing managed certificate without DNS authorizations and issuance config becomes ACTIVE only after traffic has moved: the move would interrupt traffic.",
    "add 'dnsAuthorizations' to the certificate; or use a managed certificate of the migration in its place",
  ),
  "certificate-not-gated": warning(
    "Terraform can't read the state of an existing certificate, so the gate does not check it.",
    "use the gate 'wait', or make sure that the certificate is ACTIVE before you apply",
  ),

  // Self-managed certificates.
  "private-key-missing": error(
    "A self-managed certificate has no private key, or its private key is set twice.",
    "set exactly one of 'privateKeyPem' and 'privateKeyVariable'",
  ),
  "private-key-variable-invalid": error(
    "The name is not a valid name of a Terraform variable.",
    "use letters, digits, '_' and '-', without a digit first",
  ),
  "private-key-in-stack": warning(
    "The private key is a literal, so the synthesized stack contains it in plain text.",
    "pass the key in a sensitive variable: 'privateKeyVariable', or 'privateKeyPem' from a TerraformVariable",
  ),
  "private-key-write-only-unsupported": error(
    "The google provider supports write-only private keys from version 7.45.",
    "use google 7.45 or later, or remove 'privateKeyStorage'",
  ),
  "private-key-in-certificate": error(
    "'certificatePem' contains a private key: the stack, the state and the output of Terraform would contain the key in plain text.",
    "remove the key from 'certificatePem', and pass it in a sensitive variable",
  ),
  "private-key-unusable": error(
    "The private key can't be read, or it is encrypted.",
    "use an unencrypted PEM key, as PKCS#8, PKCS#1 or SEC 1",
  ),
  "private-key-mismatch": error(
    "The private key does not match the certificate.",
    "use the key that the certificate was issued for, and put the leaf certificate first in the PEM",
  ),
  "certificate-pem-unusable": error(
    "The certificate's PEM contains no readable leaf certificate.",
    "write the leaf first, then its chain, each between BEGIN CERTIFICATE and END CERTIFICATE",
  ),
  "certificate-expired": error("The certificate has expired.", "renew it before the upload"),
  "certificate-expired-without-traffic": warning(
    "The certificate has expired while the traffic of its hostnames goes to the previous provider.",
    "upload a renewed certificate before traffic moves to the load balancer",
  ),
  "certificate-expires-soon": warning(
    "The certificate expires within 30 days, or has used two thirds of a shorter lifetime, and is not renewed automatically.",
    "renew it, or use a managed certificate",
  ),
  "certificate-lifetime-exceeded": warning(
    "A certificate of a public CA is valid for longer than public CAs may issue: browsers may refuse it.",
    "check the chain, and upload a certificate with a shorter lifetime, or use a managed certificate",
  ),
  "certificate-not-covering": error(
    "A domain is listed for a certificate that does not contain it.",
    "remove the domain, or upload a certificate that contains it",
  ),

  // Authorizations and their records.
  "authorization-domain-wildcard": error(
    "The key of an existing authorization is a wildcard; authorizations are for domains and cover their wildcards.",
    "use the parent domain, without '*.'",
  ),
  "authorization-id-malformed": error(
    "The id of an existing authorization has an invalid format.",
    "use projects/PROJECT/locations/LOCATION/dnsAuthorizations/NAME",
  ),
  "authorization-unused": warning(
    "An existing authorization is listed for a domain that no managed certificate has.",
    "remove it, or correct the domain",
  ),
  "fixed-record-in-region": error(
    "FIXED_RECORD is not available for regional certificates.",
    "remove 'authorizationType', or use PER_PROJECT_RECORD",
  ),
  "zone-missing": error(
    "No listed zone contains the domain, so that its record can't be created.",
    "add the zone to 'zones', with its DNS name as key",
  ),
  "zone-name-invalid": error(
    "The name is not a valid name of a managed zone.",
    "use the zone's resource name, for example example-com; 'gcloud dns managed-zones list' prints it",
  ),
  "zone-unused": warning("A zone is listed that no domain uses.", "remove it, or correct its DNS name"),

  // Entries of the map.
  "hostname-in-two-certificates": error(
    "Two certificates of a map have the same hostname, and neither is an alternative of the other.",
    "remove the hostname from one certificate or from its 'hostnames', or list one certificate in 'alternatives' of the other",
  ),
  "entry-not-covered": error(
    "The certificate of an entry does not cover its hostname: every client would refuse the certificate.",
    "add the hostname to the certificate's domains; a wildcard covers exactly one label",
  ),
  "entry-too-many-certificates": error(
    "A map entry would have more than four certificates.",
    "list at most three 'alternatives'",
  ),
  "alternative-unknown": error(
    "'alternatives' names a certificate that this migration does not have.",
    "use the name of another certificate of the migration, or projects/PROJECT/locations/LOCATION/certificates/NAME",
  ),
  "alternatives-mutual": error(
    "Two certificates list each other in 'alternatives'.",
    "remove one of the two alternatives",
  ),
  "primary-repeated": error(
    "Several certificates are PRIMARY, but a map has one PRIMARY entry.",
    "set 'primary' on one certificate only",
  ),
  "must-serve-missing": error(
    "No certificate of the migration serves a name that is listed in 'mustServe'.",
    "add the name to a certificate, or remove it from 'mustServe' if clients no longer use it",
  ),

  // The load balancer.
  "region-missing": error(
    "The region of a regional load balancer is missing or invalid.",
    "set 'region', for example to europe-west1",
  ),
  "region-not-allowed": error(
    "'region' is set, but this kind of load balancer is not regional.",
    "remove 'region', or use a regional kind",
  ),
  "map-not-allowed": error(
    "Regional and cross-region internal load balancers don't support certificate maps; their proxies use certificates directly.",
    "remove 'existingCertificateMap', 'primary' and 'alternatives', or use globalExternal",
  ),
  "map-id-malformed": error(
    "The id of an existing map has an invalid format.",
    "use projects/PROJECT/locations/global/certificateMaps/NAME",
  ),
  "ssl-proxy-not-allowed": error(
    "Only global external load balancers have target SSL proxies with a certificate map.",
    "use target HTTPS proxies, or globalExternal",
  ),
  "ssl-proxy-holds-certificates": error(
    "Before 7.19, the google provider refuses a target SSL proxy with a map and direct certificates, and can't replace one with the other in place.",
    "require google 7.19 or later in the stack, or create a target SSL proxy with 'newTargetSslProxy' and update the target of the forwarding rule",
  ),
  "proxy-holds-certificates": warning(
    "The proxy has a map and direct certificates: Google ignores the direct certificates.",
    "keep them in this apply, so that the proxy always has a certificate, and remove them in the next apply",
  ),
  "proxy-holds-other-map": error(
    "The proxy has a certificate map already.",
    "add the entries to this map with 'existingCertificateMap', or remove the map from the proxy in your code",
  ),
  "proxy-holds-conflicting-certificates": error(
    "The proxy already has certificates that conflict with the certificates of the migration.",
    "remove them from the proxy in your code; Terraform changes the proxy in place, after the gate",
  ),
  "proxy-attribute-unstated": error(
    "An attribute of an adopted proxy is missing: Terraform would reset it.",
    'set it to its current value; for no value, use "", [], 0 or "UNSET"',
  ),
  "proxy-attribute-not-allowed": error("This kind of proxy or load balancer does not have the attribute.", "remove it"),
  "proxy-without-certificates": error(
    "An adopted proxy would have neither a certificate map nor certificates.",
    "list its certificates in 'sslCertificates', or remove 'attachMap'",
  ),
  "serving-proxy-invalid": error(
    "The description of a proxy that serves the hostnames today is invalid.",
    "use projects/PROJECT/global/targetHttpsProxies/NAME or targetSslProxies/NAME with its IP addresses, and projects/PROJECT/global/sslCertificates/NAME with its domains; write a separate migration for a regional proxy",
  ),
  "serving-ssl-proxy": warning(
    "A target SSL proxy serves hostnames today. The google provider accepts a certificate map beside its certificates from version 7.19.",
    "require google 7.19 or later in the configuration that owns the proxy; with an earlier version, create a new target SSL proxy with the map and update the target of the forwarding rule",
  ),
  "serving-proxy-with-traffic": error(
    "'traffic' is set, but the proxies already serve the hostnames and keep their addresses, so that no record changes.",
    "remove 'traffic', or remove 'loadBalancer.servingProxies' if traffic moves to another load balancer",
  ),
  "client-authentication-pem-unusable": error(
    "A CA certificate or client certificate in 'clientAuthentication' is invalid.",
    "use X.509 certificates in PEM, each with at most 5,000 bytes and without a private key; in YAML and JSON also file:PATH",
  ),
  "client-authentication-expired": warning(
    "A CA certificate in 'clientAuthentication' has expired: all client certificates below it are invalid.",
    "replace it with the current certificate of the CA",
  ),
  "client-authentication-without-anchors": error(
    "'clientAuthentication' has no trust anchor, so that no chain of a client is valid.",
    "add the root certificates of the clients to 'trustAnchors', or list only 'allowlisted' certificates",
  ),
  "client-authentication-with-policy": error(
    "'clientAuthentication' would replace the existing server TLS policy of the proxy.",
    "remove 'clientAuthentication', so that the policy is kept, or set 'serverTlsPolicy' to '' to replace the policy",
  ),
  "client-authentication-rejects": warning(
    "The proxy accepts clients without a certificate today and would reject them.",
    "apply ALLOW_INVALID_OR_MISSING_CLIENT_CERT first; change the mode when the load balancer's log shows only valid client certificates",
  ),
  "server-tls-policy-mismatch": error(
    "The id of a server TLS policy is invalid, or the policy is not in the proxy's location.",
    "use projects/PROJECT/locations/LOCATION/serverTlsPolicies/NAME with the location of the load balancer",
  ),
  "proxy-many-certificates": warning(
    "A proxy would have more than 100 certificates of Certificate Manager directly.",
    "use fewer certificates with more domains, or a load balancer with a certificate map",
  ),
  "proxy-name-repeated": error(
    "Two target proxies of a migration have the same name. New proxies have the names 'https' and 'ssl'.",
    "list each proxy once, or adopt one of the two in a separate migration",
  ),
  "proxy-in-other-stack": error(
    "The proxy is in another stack, so that it can't depend on gates and entries.",
    "move the migration to the proxy's stack",
  ),
  "proxy-kind-mismatch": error(
    "The proxy belongs to another kind of load balancer.",
    "use a proxy of the load balancer's kind and region, or another factory of LoadBalancer",
  ),
  "forwarding-rule-without-address": error(
    "'forwardingRules' has no address.",
    "set 'ipv4Address', 'ipv6Address' or both",
  ),
  "address-invalid": error(
    "The address is not an IP address, or has the wrong address family.",
    "use a literal IPv4 or IPv6 address, or a reference",
  ),
  "ipv6-not-generally-available": warning(
    "The load balancer has an IPv6 address, which Google documents only in Preview, or not at all, for this kind.",
    "use IPv4 addresses, or check that your project has access to the Preview",
  ),

  // Traffic.
  "traffic-in-issue-phase": error(
    "In the phase 'issue', the load balancer serves no hostname, but traffic goes to it.",
    "set 'traffic.to' to 'previous' and apply, before you return to the phase 'issue'",
  ),
  "traffic-not-served": error(
    "Traffic of a hostname would move, but no certificate of the migration serves the hostname.",
    "add the hostname to a certificate, or remove it from 'traffic'",
  ),
  "traffic-previous-missing": error(
    "The current address records of a hostname are missing, so that they can't be imported or restored.",
    "add them to 'traffic.previous'; use { a: [], aaaa: [] } for a hostname without addresses",
  ),
  "traffic-previous-invalid": error(
    "The current address records of a hostname are invalid.",
    "set addresses ('a', 'aaaa') or an alias ('cname'), not both",
  ),
  "traffic-previous-unused": warning(
    "'traffic.previous' has records of a hostname whose traffic is not managed.",
    "add the hostname to 'traffic.hostnames', or remove it from 'traffic.previous'",
  ),
  "traffic-addresses-missing": error("The addresses of the load balancer are missing.", "set 'loadBalancer.addresses'"),
  "traffic-ipv6-missing": error(
    "A hostname has an AAAA record, but the load balancer has no IPv6 address: IPv6 clients would fail or reach the previous provider.",
    "add an IPv6 address to the load balancer, or remove the AAAA record at least its TTL before traffic moves",
  ),
  "traffic-ipv4-missing": error(
    "A hostname has an A record, but the load balancer has no IPv4 address: IPv4 clients would fail or reach the previous provider.",
    "add an IPv4 address to the load balancer, or remove the A record at least its TTL before traffic moves",
  ),
  "traffic-ingress-taken": error(
    "The target name of the aliases is itself one of the hostnames.",
    "choose another 'ingressLabel'",
  ),

  // Alerts.
  "notification-channels-missing": warning(
    "Alerts have no recipient: incidents appear only in Monitoring.",
    "set 'notificationChannels'",
  ),
  "notification-channels-too-many": error("There are more than 16 notification channels.", "use at most 16"),
  "notification-channel-invalid": error(
    "A notification channel is not valid.",
    "use projects/PROJECT/notificationChannels/NUMBER",
  ),
  "alert-choice-ambiguous": error(
    "'alerts' says twice which hostnames have an uptime check.",
    "keep 'uptimeChecks' or 'hostnames'",
  ),
  "alert-hostname-unknown": error(
    "An uptime check is wanted for a hostname that the migration does not serve.",
    "use a hostname of a certificate of the migration",
  ),
  "alert-probe-invalid": error(
    "A name in 'wildcardProbes' can't test its wildcard.",
    "use a wildcard of the migration as the key, and a name that it covers as the value; a wildcard covers exactly one label",
  ),
  "alert-probe-served-itself": error(
    "A name in 'wildcardProbes' is served with another certificate than its wildcard.",
    "use a name below the wildcard that has no certificate of its own, and that resolves to the load balancer",
  ),
  "alert-hostname-unchecked": warning(
    "A hostname or an alternative certificate has no uptime check, because uptime checks can't reach, trust or choose it.",
    "test it with 'cert-migration monitor', or add a name to 'wildcardProbes' for a wildcard",
  ),
  "alert-before-renewal": warning(
    "An alert on the days until expiry would begin before the usual renewal or replacement of each certificate.",
    "use less than 30 days for certificates that Google renews",
  ),
  "alert-checks-above-quota": warning(
    "There are more uptime checks than the default quota of a project.",
    "ask for a higher quota before the apply, or use 'onePerCertificate'",
  ),
  "alert-checks-charged": warning(
    "The uptime checks run more often in a month than is free of charge.",
    "use a longer 'checkIntervalSeconds' or fewer hostnames, or accept the price in docs/permissions.md#costs",
  ),
} as const satisfies CodeTable;

declare module "../findings/codes" {
  interface Codes extends Record<keyof typeof checks, true> {}
}
