import { tableOf } from "./markdown";

/** Rows of the table: what, how a spec states it, resources of Terraform, checks, and rehearsal. */
const rows: readonly (readonly string[])[] = [
  [
    "certificate of a private CA",
    "[`Certificate.privateCa`](#certificate), or [`kind: privateCa`](#privatecacertificatespec)",
    "`google_certificate_manager_certificate_issuance_config`, a certificate without DNS authorization",
    "names, location, lifetime of 21 to 30 days and rotation window at synth; the CA pool in `doctor`; `check-plan` refuses to delete an issuance config in use; `verify --trust-pool`",
    "a pool with an enabled CA; names in private domains",
  ],
  [
    "mutual TLS",
    "[`clientAuthentication`](#clientauthenticationspec) or `serverTlsPolicy` of a target HTTPS proxy",
    "`google_certificate_manager_trust_config`, `google_network_security_server_tls_policy`",
    "certificates, location and an existing policy at synth; `check-plan` refuses to remove a policy in use, to add a policy that rejects clients, and to delete a trust config in use; `verify --client-certificate`",
    "[clients with and without a certificate](rehearsal.md#mutual-tls)",
  ],
  [
    "load balancer authorization: a managed certificate without DNS authorization",
    "[`Certificate.existing`](#certificate), or [`kind: existing`](#existingcertificatespec)",
    "none",
    "refused at synth if the app creates the certificate (`certificate-awaits-traffic`), because it becomes ACTIVE only after traffic has moved; `existing-awaits-traffic` in `doctor`",
    "the cloud issues the certificate when its names lead to a proxy that has the certificate",
  ],
  [
    "scope of certificates",
    "`loadBalancer.kind`; `scope` of a certificate states the expected scope",
    "`scope` of `google_certificate_manager_certificate`",
    "`certificate-scope-mismatch` at synth; `check-plan` refuses a scope that the resource can't use (`certificate-scope-unusable`)",
    "each kind of load balancer",
  ],
  [
    "key of an uploaded certificate",
    "[`PrivateKey.variable`](#privatekey), or [`privateKeyVariable`](#selfmanagedcertificatespec)",
    "a sensitive variable; from google 7.45 on it is ephemeral and the key is write-only (`storage`, `privateKeyStorage`), before, Terraform's state contains the key",
    "`private-key-in-stack` warns about a key in the stack; `private-key-write-only-unsupported`",
    "`TF_VAR_…` supplies the key; evidence contains no key",
  ],
];

/** Returns the section about certificates other than public certificates with DNS authorization. */
export function specialCertificatesSection(): string {
  return [
    "## Private CAs, mutual TLS and scopes\n",
    "[An example](examples.md#private-ca-and-mutual-tls) has a public, a private and an uploaded certificate on a proxy with mutual TLS.\n",
    tableOf(["What", "In a spec", "Terraform resources", "Checks", "Rehearsal"], rows),
  ].join("\n");
}
