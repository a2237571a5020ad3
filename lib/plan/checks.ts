import { type CodeTable, error, warning } from "../findings/codes";
import { projectIdForm } from "../resource-names";

/**
 * Lists every check by its code, grouped by subject. Problems of hostnames and of certificates in files have codes of
 * their own, beginning with `hostname-` and `certificate-file-`.
 */
export const checks = {
  // The spec as a whole.
  "name-invalid": error(
    "The migration's or a certificate's name can't be used in addresses and resource names.",
    "use 1 to 63 of a-z, 0-9, '-', '_' and '.', a letter or digit at both ends",
  ),
  "name-prefix-invalid": error(
    "The name prefix would make invalid resource names.",
    "use 1 to 20 of a-z, 0-9 and '-', a letter first and no '-' last",
  ),
  "value-out-of-range": error(
    "A number lies outside what the service or Terraform takes.",
    "use a number in that range",
  ),
  "reference-not-allowed": error(
    "A value must be known before Terraform runs, because the plan depends on it.",
    "write the value itself",
  ),
  "key-repeated": error(
    "The same domain or hostname appears twice as a key in different spellings; the result would depend on their order.",
    "keep one of them",
  ),
  "project-invalid": error(
    "A Google Cloud project can't have that id.",
    `use the project's id, for example my-project-123456: ${projectIdForm}`,
  ),
  "gate-command-invalid": error(
    "The gate's command would not survive being put into a command line.",
    "give the command on one line, without control characters",
  ),

  // Labels and descriptions.
  "label-key-invalid": error(
    "A label's key is one that the API refuses, at apply and not at plan.",
    "use 1 to 63 lower-case letters, digits, '_' and '-', a letter first",
  ),
  "label-value-invalid": error(
    "A label's value is one that the API refuses, at apply and not at plan.",
    "use at most 63 lower-case letters, digits, '_' and '-'",
  ),
  "labels-too-many": error("A resource takes at most 64 labels.", "leave out some of the labels"),
  "description-too-long": error("A description has at most 1024 characters.", "shorten it"),

  // Certificates.
  "certificates-empty": error("The list of certificates is empty.", "list at least one certificate"),
  "certificate-kind-ambiguous": error(
    "A certificate has more than one origin: self-managed, existing, or issued by a private CA.",
    "keep one of 'selfManaged', 'existingCertificateId' and 'issuedBy'",
  ),
  "issued-by-ambiguous": error(
    "The private CA of a certificate is given in no way or in several ways.",
    "give 'caPool' with its settings, or 'existingIssuanceConfig' alone",
  ),
  "ca-pool-malformed": error(
    "A CA pool is named in a form that CA Service does not know.",
    "use projects/PROJECT/locations/LOCATION/caPools/POOL",
  ),
  "ca-pool-location-mismatch": error(
    "A regional certificate needs a CA pool in its region.",
    "use a CA pool in the certificate's location",
  ),
  "issuance-config-malformed": error(
    "An existing issuance config is named in a form that Certificate Manager does not know.",
    "use projects/PROJECT/locations/LOCATION/certificateIssuanceConfigs/NAME",
  ),
  "issuance-lifetime-invalid": error(
    "Certificates of a private CA are valid for 21 to 30 days.",
    "use 21d to 30d, or 1814400s to 2592000s",
  ),
  "issuance-rotation-invalid": error(
    "A certificate of a private CA is renewed at least 7 days after its issuance and 7 days before its expiry.",
    "use a whole number in between, for example 66 for 30 days, or 50",
  ),
  "private-ca-public-name": warning(
    "A private CA issues a certificate for a public name: clients that do not trust the CA refuse the connection.",
    "use a public CA without 'issuedBy', or make sure that every client trusts the CA",
  ),
  "private-ca-external": warning(
    "An external load balancer serves a certificate of a private CA: clients that do not trust the CA refuse the connection.",
    "make sure that every client trusts the CA, or use an internal load balancer",
  ),
  "certificate-domains-missing": error("The certificate has no domains.", "list its 'domains'"),
  "certificate-domain-repeated": warning("A domain is listed twice, perhaps in another spelling.", "list it once"),
  "certificate-name-repeated": error(
    "Two certificates have the same identity, so they would have the same address.",
    "give one of them another 'name'",
  ),
  "certificate-too-many-domains": error(
    "A managed certificate lists more domains than are issued in one.",
    "split it into several certificates, or raise 'maxDomainsPerCertificate' if your quota is higher",
  ),
  "wildcard-without-parent": warning(
    "A certificate has a wildcard, and no certificate of the migration has its parent domain, which a wildcard does not cover.",
    "add the parent domain, which needs no further authorization; ignore this if nothing serves the parent domain",
  ),
  "certificate-domain-long": warning(
    "A name over 64 characters does not fit a certificate's common name, which some clients still look at.",
    "put a shorter name into the same certificate, or check your clients",
  ),
  "certificate-id-malformed": error(
    "An existing certificate is named in a form that Certificate Manager does not know.",
    "use projects/PROJECT/locations/LOCATION/certificates/NAME",
  ),
  "certificate-location-mismatch": error(
    "The load balancer can't use a certificate of that location.",
    "leave 'location' out, or use a certificate in the load balancer's location",
  ),
  "certificate-scope-mismatch": error(
    "The load balancer can't use a certificate of that scope.",
    "leave 'scope' out: it depends on the load balancer",
  ),
  "certificate-awaits-traffic": error(
    "A managed certificate without DNS authorizations and without issuance config becomes ACTIVE only after traffic has moved to a load balancer that has it: the move would interrupt traffic.",
    "add 'dnsAuthorizations' to the certificate; or remove 'existingCertificateId', so that the migration creates a certificate",
  ),
  "certificate-not-gated": warning(
    "Terraform alone can't see the state of a certificate that exists elsewhere.",
    "use the gate 'wait', or make sure that it is ACTIVE before you apply",
  ),

  // Self-managed certificates.
  "private-key-missing": error(
    "A self-managed certificate needs its private key, in one way.",
    "give one of 'privateKeyPem' and 'privateKeyVariable'",
  ),
  "private-key-variable-invalid": error(
    "Terraform does not take that name for a variable.",
    "use letters, digits, '_' and '-', no digit first",
  ),
  "private-key-in-stack": warning(
    "A literal private key is written in clear into the synthesized stack.",
    "pass it through a sensitive variable: 'privateKeyVariable', or 'privateKeyPem' from a TerraformVariable",
  ),
  "private-key-write-only-unsupported": error(
    "Before version 7.45, the google provider has no write-only private keys.",
    "use google 7.45 or later, or leave 'privateKeyStorage' out",
  ),
  "private-key-in-certificate": error(
    "A key beside the certificate, as servers like to have it in one file, would go in clear into the stack, the state and what Terraform shows.",
    "leave only the certificates in 'certificatePem', and pass the key through a sensitive variable",
  ),
  "private-key-unusable": error(
    "The private key can't be read, or it is encrypted.",
    "give an unencrypted key in PEM, PKCS#8 or traditional",
  ),
  "private-key-mismatch": error(
    "The private key is not the one of the certificate.",
    "give the key that the certificate was issued for, and the leaf certificate first",
  ),
  "certificate-pem-unusable": error(
    "The certificate's PEM holds no leaf certificate that can be read.",
    "give the leaf first, then its chain, each between BEGIN CERTIFICATE and END CERTIFICATE",
  ),
  "certificate-expired": error("The certificate has expired.", "renew it before it is uploaded"),
  "certificate-expires-soon": warning(
    "The certificate expires within 30 days and is not renewed automatically.",
    "renew it, or let it be managed",
  ),
  "certificate-not-covering": error(
    "A domain that is listed for the certificate is not in it.",
    "leave the domain out, or upload a certificate that has it",
  ),

  // Authorizations and their records.
  "authorization-domain-wildcard": error(
    "An authorization is for a domain; it covers the wildcard below it as well.",
    "name the parent domain, without '*.'",
  ),
  "authorization-id-malformed": error(
    "An existing authorization is named in a form that Certificate Manager does not know.",
    "use projects/PROJECT/locations/LOCATION/dnsAuthorizations/NAME",
  ),
  "authorization-unused": warning(
    "An existing authorization is given for a domain that no managed certificate has.",
    "leave it out, or correct the domain",
  ),
  "fixed-record-in-region": error(
    "Regional certificates are authorized by a record per project.",
    "leave 'authorizationType' out, or use PER_PROJECT_RECORD",
  ),
  "zone-missing": error(
    "No zone is authoritative for a domain, so its record has nowhere to go.",
    "add the zone to 'zones', keyed by its DNS name",
  ),
  "zone-name-invalid": error(
    "A managed zone can't have that name.",
    "use the zone's resource name, which 'gcloud dns managed-zones list' prints, as in example-com",
  ),
  "zone-unused": warning("A zone is given that no domain uses.", "leave it out, or correct its DNS name"),

  // Entries of the map.
  "hostname-in-two-certificates": error(
    "Two certificates of one map claim the same hostname, and an entry can't choose.",
    "leave it in one, keep it out of the other's 'hostnames', or name one as an 'alternatives' of the other",
  ),
  "entry-not-covered": error(
    "An entry's hostname is not covered by its certificate, so every client would refuse it.",
    "add the hostname to the certificate's domains; a wildcard covers exactly one label",
  ),
  "entry-too-many-certificates": error(
    "A map entry lists at most four certificates.",
    "keep at most three 'alternatives'",
  ),
  "alternative-unknown": error(
    "A certificate is named as an alternative that this migration does not have.",
    "use the name of another certificate of the migration, or projects/PROJECT/locations/LOCATION/certificates/NAME",
  ),
  "alternatives-mutual": error(
    "Two certificates are each the alternative of the other, so neither has the entries.",
    "name the alternative on one side only",
  ),
  "primary-repeated": error("A map has one PRIMARY entry.", "set 'primary' on one certificate"),
  "must-serve-missing": error(
    "A name that the previous certificates cover would no longer be served.",
    "add it to a certificate, or take it out of 'mustServe' if it may go",
  ),

  // The load balancer.
  "region-missing": error("A regional load balancer needs its region.", "set 'region', as in europe-west1"),
  "region-not-allowed": error(
    "This kind of load balancer is not regional.",
    "leave 'region' out, or use a regional kind",
  ),
  "map-not-allowed": error(
    "Regional and cross-region internal load balancers take certificates directly and know no map.",
    "leave out 'existingCertificateMap', 'primary' and 'alternatives', or use globalExternal",
  ),
  "map-id-malformed": error(
    "An existing map is named in a form that Certificate Manager does not know.",
    "use projects/PROJECT/locations/global/certificateMaps/NAME",
  ),
  "ssl-proxy-not-allowed": error(
    "Only a global external load balancer has target SSL proxies with a map.",
    "use target HTTPS proxies, or globalExternal",
  ),
  "ssl-proxy-holds-certificates": error(
    "Before 7.19 the provider refuses a target SSL proxy with a map and direct certificates, and can't change from one to the other in place.",
    "require provider 7.19 or later in the stack, or make a new target SSL proxy with 'newTargetSslProxy' and point the forwarding rule to it",
  ),
  "proxy-holds-certificates": warning(
    "The proxy has direct certificates beside the map: the map wins and they are ignored.",
    "keep them for this apply, so that the proxy never stands without any, and remove them in the next one",
  ),
  "proxy-holds-other-map": error(
    "The proxy has a certificate map already.",
    "add the entries to that map with 'existingCertificateMap', or take the map off the proxy in your code",
  ),
  "proxy-holds-conflicting-certificates": error(
    "The proxy has certificates in a way that conflicts with the ones to attach.",
    "remove them from the proxy in your code: the change is made in place, after the gate",
  ),
  "proxy-attribute-unstated": error(
    "Terraform would reset whatever is not stated of a proxy that is adopted.",
    "state it, or null where the proxy has none",
  ),
  "proxy-attribute-not-allowed": error("This kind of proxy does not have that attribute.", "leave it out"),
  "proxy-without-certificates": error(
    "An adopted proxy would have neither a certificate map nor certificates.",
    "list its certificates in 'sslCertificates', or remove 'attachMap'",
  ),
  "serving-proxy-invalid": error(
    "A proxy that serves the hostnames today is described in a form that can't be used.",
    "use projects/PROJECT/global/targetHttpsProxies/NAME or targetSslProxies/NAME with its IP addresses, and projects/PROJECT/global/sslCertificates/NAME with its domains; a regional proxy needs a migration of its own",
  ),
  "serving-ssl-proxy": warning(
    "A target SSL proxy serves hostnames today. The google provider accepts a certificate map beside its certificates from version 7.19.",
    "require google 7.19 or later in the configuration that owns the proxy; with an earlier version, create a new target SSL proxy with the map and update the target of the forwarding rule",
  ),
  "serving-proxy-with-traffic": error(
    "The proxies serve the hostnames already and keep their addresses, so no address record changes.",
    "remove 'traffic', or remove 'loadBalancer.servingProxies' if traffic moves to another load balancer",
  ),
  "client-authentication-pem-unusable": error(
    "A certificate for the validation of clients can't be used.",
    "give X.509 certificates in PEM, each of at most 5,000 octets and without a private key; in a document also file:PATH",
  ),
  "client-authentication-expired": warning(
    "A CA certificate for the validation of clients has expired, so that no certificate below it is valid.",
    "replace it with the current certificate of the CA",
  ),
  "client-authentication-without-anchors": error(
    "Without a trust anchor no chain of a client is valid.",
    "add the root certificates of the clients to 'trustAnchors', or list only 'allowlisted' certificates",
  ),
  "client-authentication-mode-invalid": error(
    "The mode of the validation of clients is unknown.",
    "use ALLOW_INVALID_OR_MISSING_CLIENT_CERT or REJECT_INVALID",
  ),
  "client-authentication-with-policy": error(
    "An existing server TLS policy of the proxy would be replaced.",
    "keep 'serverTlsPolicy', which every change preserves, or set it to null if the new policy is to replace it",
  ),
  "client-authentication-rejects": warning(
    "The proxy accepts clients without a certificate today, and would reject them.",
    "apply ALLOW_INVALID_OR_MISSING_CLIENT_CERT first, and change the mode when the load balancer's log shows only valid client certificates",
  ),
  "server-tls-policy-mismatch": error(
    "A server TLS policy has to be in the location of the proxy: global, or the proxy's region.",
    "use projects/PROJECT/locations/LOCATION/serverTlsPolicies/NAME with the location of the load balancer",
  ),
  "proxy-many-certificates": warning(
    "A proxy takes at most 100 certificates of Certificate Manager directly.",
    "put more domains into each certificate, or use a load balancer with a certificate map",
  ),
  "proxy-name-repeated": error(
    "Two target proxies of a migration go by the same name (new ones by 'https' and 'ssl'), so that one would be taken for the other.",
    "list a proxy once, or adopt one of the two in a migration of its own",
  ),
  "proxy-in-other-stack": error(
    "Gates and entries hold only within the stack in which they are.",
    "put the migration into the proxy's stack",
  ),
  "proxy-kind-mismatch": error(
    "The proxy belongs to another kind of load balancer.",
    "use a proxy of the load balancer's kind and region, or another factory of LoadBalancer",
  ),
  "forwarding-rule-without-address": error(
    "A forwarding rule needs an address.",
    "give 'ipv4Address', 'ipv6Address' or both",
  ),
  "address-invalid": error(
    "An address is not an IP address of that family.",
    "use a literal IPv4 or IPv6 address, or a reference",
  ),

  // Traffic.
  "traffic-in-issue-phase": error(
    "In phase 'issue' nothing is served by the load balancer, so traffic may not go there.",
    "set traffic.to to 'previous' and apply, before you return to phase 'issue'",
  ),
  "traffic-not-served": error(
    "Traffic of a name would go where nothing serves it.",
    "add the name to a certificate, or leave it out of traffic",
  ),
  "traffic-previous-missing": error(
    "Without knowing a name's records of today they can neither be taken over nor restored.",
    "state them in traffic.previous; { a: [], aaaa: [] } stands for no addresses",
  ),
  "traffic-previous-invalid": error(
    "What a name's records are today can't be right.",
    "give addresses ('a', 'aaaa') or an alias ('cname'), not both",
  ),
  "traffic-previous-unused": warning(
    "Records of today are stated for a name whose traffic is not managed.",
    "add the name to traffic.hostnames, or leave it out of traffic.previous",
  ),
  "traffic-addresses-missing": error("The addresses of the load balancer are missing.", "give its 'addresses'"),
  "traffic-ipv6-missing": error(
    "A name that is reachable over IPv6 today would lose its IPv6 addresses, or keep those of the previous provider.",
    "give the load balancer an IPv6 address, or remove the AAAA record first, a full time to live ahead",
  ),
  "traffic-ipv4-missing": error(
    "A name that is reachable over IPv4 today would lose its IPv4 addresses, or keep those of the previous provider.",
    "give the load balancer an IPv4 address, or remove the A record first, a full time to live ahead",
  ),
  "traffic-ingress-taken": error(
    "The name that aliases are pointed to is one of the hostnames.",
    "choose another 'ingressLabel'",
  ),
} as const satisfies CodeTable;

declare module "../findings/codes" {
  interface Codes extends Record<keyof typeof checks, true> {}
}
