import { challengeOf, type DoctorProblem, ownTarget, publishing } from "./make";

/** Problems with the DNS authorization records. */
export const challenges: readonly DoctorProblem[] = [
  {
    title: "another provider validates the domain by the record's name",
    make: publishing((place) => [challengeOf(place), "CNAME", 300, "shop.dcv.old-cdn.net."]),
    found: (place) => [`challenge-cname-elsewhere ${challengeOf(place)}`],
    says: ["leads to shop.dcv.old-cdn.net", "PER_PROJECT_RECORD"],
  },
  {
    title: "another project validates the domain by the record's name",
    make: publishing((place) => [challengeOf(place), "CNAME", 300, ownTarget]),
    found: (place) => [`challenge-of-other-project ${challengeOf(place)}`],
    says: ["abc.1.authorize.certificatemanager.goog", "existingAuthorizations"],
  },
  {
    title: "the record is published with the data of another authorization",
    make: async (world, place, spec) => {
      const [authorization] = world.planned(spec, place).authorizations;
      const id = authorization?.resourceName;
      const path = `/v1/projects/${place.project}/locations/global/dnsAuthorizations?dnsAuthorizationId=${id}`;
      await world.cloud.make("POST", path, { domain: place.domain });
      await world.publish(place, [[challengeOf(place), "CNAME", 300, ownTarget]]);
      return undefined;
    },
    found: (place) => [`challenge-wrong ${challengeOf(place)}`],
    says: [
      /and has to lead to .*\.authorize\.certificatemanager\.goog/,
      /^publish _acme-challenge\.shop\d+\.com\. CNAME/,
    ],
  },
  {
    title: "the record is published under a name that has the zone twice",
    make: publishing((place) => [`${challengeOf(place)}.${place.domain}`, "CNAME", 300, ownTarget]),
    found: (place) => [`challenge-doubled ${challengeOf(place)}`],
    says: [/is published as _acme-challenge\.(shop\d+\.com)\.\1$/, "keep the trailing dot"],
  },
  {
    title: "a record that is published manually has the registered domain twice",
    spec: (spec) => ({ ...spec, dns: { kind: "external" } }),
    make: publishing((place) => [`${challengeOf(place)}.${place.domain}`, "CNAME", 300, ownTarget]),
    found: (place) => [`challenge-doubled ${challengeOf(place)}`, `dns-host-recognized ${place.domain}`],
    says: [/is published as _acme-challenge\.(shop\d+\.com)\.\1$/],
  },
  {
    title: "a TXT record stands where the CNAME has to be",
    make: publishing((place) => [challengeOf(place), "TXT", 60, '"left-by-the-old-authority"']),
    found: (place) => [`challenge-txt ${challengeOf(place)}`],
    says: ["has TXT records", "remove the TXT record"],
  },
  {
    title: "the record's name is delegated to another provider",
    make: publishing((place) => [challengeOf(place), "NS", 300, "ns1.acme-dns.net."]),
    found: (place) => [`challenge-delegated ${challengeOf(place)}`],
    says: ["is delegated to ns1.acme-dns.net"],
  },
  {
    title: "other records stand where the CNAME has to be",
    make: publishing((place) => [challengeOf(place), "A", 60, "198.51.100.1"]),
    found: (place) => [`challenge-not-alone ${challengeOf(place)}`],
    says: ["has A records"],
  },
  {
    title: "the project has an authorization for the domain already",
    make: async (world, place) => {
      const path = `/v1/projects/${place.project}/locations/global/dnsAuthorizations`;
      await world.cloud.make("POST", `${path}?dnsAuthorizationId=old`, { domain: place.domain });
      await world.cloud.clock.advance(1_000);
      const { dnsResourceRecord } = (await world.cloud.make("GET", `${path}/old`)) as {
        dnsResourceRecord: { data: string };
      };
      await world.publish(place, [[challengeOf(place), "CNAME", 300, dnsResourceRecord.data]]);
      return undefined;
    },
    found: ({ domain }) => [`authorization-exists ${domain}`],
    says: [/^set existingAuthorizations to \{ shop\d+\.com: projects\/p\d+\/.*\/dnsAuthorizations\/old \}$/],
  },
];
