import {
  chain,
  clientOnly,
  forServersAndClients,
  intermediatePem,
  leaf,
  rsa,
  selfSigned,
  weak,
} from "../check-plan/chains";
import { at, classicId, cm, createFirst, type Fields, id, parent, planOf } from "../check-plan/plans";
import { testPlans } from "./check-plan-reported";

const address = at.certificate;
const managerOf = (pem: string): Fields => ({ id: id("shop"), name: "shop", self_managed: [{ pem_certificate: pem }] });
const served = chain("example.com");

/** An uploaded certificate that an entry presents, and that changes in place. */
const toPem = (pem: string, { was = served, there = {} }: { was?: string; there?: Record<string, Fields> } = {}) =>
  planOf([{ address, actions: ["update"], after: { self_managed: [{ pem_certificate: pem }] } }], {
    there: { [address]: managerOf(was), ...there },
  });

const classicAt = "google_compute_ssl_certificate.old";
const regionalClassicAt = "google_compute_region_ssl_certificate.old";
const classicOf = (name: string, pem: string): Fields => ({ name, self_link: classicId(name), certificate: pem });

/** A certificate of Compute Engine that is replaced for a proxy without a map. */
const replaced = (pem: string, at_ = classicAt) =>
  planOf(
    [
      { address: at_, actions: createFirst, after: classicOf("next", pem) },
      { address: at.proxy, actions: ["update"], after: { ssl_certificates: [classicId("next")] } },
    ],
    {
      there: {
        [at_]: classicOf("old", served),
        [at.proxy]: { name: "web", ssl_certificates: [classicId("old")] },
      },
    },
  );

const refused = "uploaded-certificate-refused example.com";

/** Uploaded certificates that plans change in place or replace, and what `check-plan` reports of each. */
testPlans([
  [
    "finds an uploaded certificate that is changed in place to another name",
    toPem(chain("example.net")),
    "uploaded-certificate-loses-names example.com",
  ],
  [
    "finds an uploaded certificate that is changed in place while the state has its previous names",
    toPem(chain("example.net"), { there: { [address]: { ...managerOf(served), san_dnsnames: ["example.com"] } } }),
    "uploaded-certificate-loses-names example.com",
  ],
  [
    "finds a wildcard certificate that is changed in place to the wildcard's domain alone",
    toPem(chain("example.com"), {
      was: chain("*.example.com"),
      there: { [at.entry]: { hostname: "*.example.com", map: "main", certificates: [id("shop")], state: "ACTIVE" } },
    }),
    "uploaded-certificate-loses-names *.example.com",
  ],
  [
    "finds an uploaded certificate of a regional proxy that is changed in place to another name",
    toPem(chain("example.net"), {
      there: {
        "google_compute_region_target_https_proxy.r": { name: "r", certificate_manager_certificates: [id("shop")] },
        [at.entry]: { hostname: "www.example.com", map: "other", certificates: [] },
      },
    }),
    "uploaded-certificate-loses-names example.com",
  ],
  [
    "finds an uploaded certificate in a module under 'for_each' that is changed in place to another name",
    planOf(
      [
        {
          address: `module.tls["eu"].${cm}_certificate.up["shop"]`,
          actions: ["update"],
          after: { self_managed: [{ pem_certificate: chain("example.net") }] },
        },
      ],
      { there: { [address]: {}, [`module.tls["eu"].${cm}_certificate.up["shop"]`]: managerOf(served) } },
    ),
    "uploaded-certificate-loses-names example.com",
  ],
  ["finds an uploaded certificate that loses its intermediate", toPem(leaf(["example.com"])), refused],
  [
    "finds an uploaded certificate whose chain is in a wrong order",
    toPem(intermediatePem + leaf(["example.com"])),
    refused,
  ],
  [
    "finds an uploaded certificate with an intermediate of another CA",
    toPem(leaf(["example.com"]) + selfSigned("other.example.org")),
    refused,
  ],
  ["finds an uploaded certificate that becomes self-signed", toPem(selfSigned("example.com")), refused],
  ["finds an uploaded certificate that becomes one for clients only", toPem(clientOnly("example.com")), refused],
  ["finds an uploaded certificate that gets a key of RSA 1024", toPem(weak("example.com")), refused],
  ["finds a certificate of Compute Engine replaced without its intermediate", replaced(leaf(["example.com"])), refused],
  ["finds a certificate of Compute Engine replaced by a self-signed one", replaced(selfSigned("example.com")), refused],
  ["finds a certificate of Compute Engine replaced by one for clients", replaced(clientOnly("example.com")), refused],
  [
    "finds a regional certificate of Compute Engine replaced by one with RSA 1024",
    replaced(weak("example.com"), regionalClassicAt),
    refused,
  ],
  [
    "finds a new self-signed certificate for an entry that has a certificate of a CA",
    planOf(
      [
        {
          address: `${cm}_certificate.up`,
          actions: ["create"],
          after: {
            name: "up",
            project: "p",
            location: "global",
            self_managed: [{ pem_certificate: selfSigned("example.com") }],
          },
        },
        { address: at.entry, actions: ["update"], after: { certificates: [`${parent}/certificates/up`] } },
      ],
      { there: { [address]: managerOf(served) } },
    ),
    refused,
  ],
  [
    "warns of an uploaded certificate whose new PEM is unknown",
    planOf(
      [
        {
          address,
          actions: ["update"],
          after: { self_managed: [{}] },
          unknown: { self_managed: [{ pem_certificate: true }] },
        },
      ],
      { there: { [address]: managerOf(served) } },
    ),
    "uploaded-certificate-unknown example.com",
  ],
  ["accepts an uploaded certificate that is renewed in place", toPem(chain("example.com"))],
  ["accepts an uploaded certificate that gets a name in place", toPem(chain("example.com", "www.example.com"))],
  ["accepts an uploaded certificate that gets an RSA key in place", toPem(rsa("example.com"))],
  ["accepts an uploaded certificate for servers and clients", toPem(forServersAndClients("example.com"))],
  [
    "accepts a self-signed certificate that is renewed in place",
    toPem(selfSigned("example.com"), { was: selfSigned("example.com") }),
  ],
  [
    "accepts a certificate of a CA without intermediates that is renewed in place",
    toPem(leaf(["example.com"]), { was: leaf(["example.com"]) }),
  ],
  [
    "accepts an uploaded certificate that loses a name without an entry",
    toPem(chain("example.com"), { was: chain("example.com", "old.example.com") }),
  ],
  [
    "accepts another name for an uploaded certificate that no entry and no proxy uses",
    planOf(
      [
        {
          address: `${cm}_certificate.idle`,
          actions: ["update"],
          after: { self_managed: [{ pem_certificate: chain("example.net") }] },
        },
      ],
      {
        there: {
          [`${cm}_certificate.idle`]: {
            id: id("idle"),
            name: "idle",
            self_managed: [{ pem_certificate: chain("example.org") }],
          },
        },
      },
    ),
  ],
  ["accepts an uploaded certificate whose labels change", toPem(served)],
  ["accepts a certificate of Compute Engine that is replaced by its renewal", replaced(chain("example.com"))],
]);
