import { type DoctorProblem, oldCertificate, withOld, wwwOf } from "./make";

/** Problems that affect clients of the load balancer. */
export const clients: readonly DoctorProblem[] = [
  {
    title: "clients without SNI would get no certificate",
    spec: (spec, { domain }) => ({ ...spec, certificates: [{ domains: [domain, wwwOf({ domain })] }] }),
    found: (_place, { map }) => [`clients-without-sni ${map?.id}`],
    says: ["the map has no PRIMARY entry", "set primary"],
  },
  {
    title: "a previous certificate requires a stapled response",
    make: withOld((place) => [{ ...oldCertificate(place), mustStaple: true }]),
    found: () => ["must-staple old.pem"],
    says: ["the certificate of old.pem is must-staple"],
  },
  {
    title: "a previous certificate has a name that is missing from the migration",
    make: withOld((place) => [{ ...oldCertificate(place), domains: [place.domain, `shop.${place.domain}`] }]),
    found: ({ domain }) => [`name-not-served shop.${domain}`],
    says: ["and no hostname serves it", "add the name"],
  },
  {
    title: "a previous certificate contains its owner",
    make: withOld((place) => [{ ...oldCertificate(place), validation: "EV" }]),
    found: () => ["validation-lost old.pem"],
    says: ["shows EV validation"],
  },
  {
    title: "a previous certificate is for an IP address",
    make: withOld((place) => [{ ...oldCertificate(place), ipAddresses: ["198.51.100.1"] }]),
    found: () => ["address-clients 198.51.100.1"],
    says: ["change these clients to a hostname"],
  },
];
