import { publishProof } from "../../../support/cloud";
import type { Place, SpecOfTest, World } from "../world";
import { answering, type DoctorProblem, wwwOf } from "./make";

/** Issues the certificate of a spec with its authorizations, publishes their CNAMEs, and returns these records. */
async function issue(
  { cloud, planned }: World,
  place: Place,
  spec: SpecOfTest,
  nameOf: (planned: string) => string = (planned) => planned,
) {
  const { project, zone } = place;
  const { certificates, authorizations } = planned(spec, place);
  const changes = `/dns/v1/projects/${project}/managedZones/${zone}/changes`;
  const collection = `/v1/projects/${project}/locations/global`;
  for (const { id = "", resourceName, domain } of authorizations) {
    await cloud.make("POST", `${collection}/dnsAuthorizations?dnsAuthorizationId=${resourceName}`, { domain });
    await publishProof(cloud, id, zone, project);
  }
  for (const { resourceName, domains } of certificates) {
    await cloud.make("POST", `${collection}/certificates?certificateId=${nameOf(resourceName ?? "")}`, {
      managed: { domains, dnsAuthorizations: authorizations.map(({ id }) => id) },
    });
  }
  await cloud.clock.advance(60_000);
  const proof = `_acme-challenge.${place.domain}.`;
  const { rrsets } = await cloud.make("GET", `/dns/v1/projects/${project}/managedZones/${zone}/rrsets?name=${proof}`);
  return { changes, rrset: (rrsets as readonly object[])[0] };
}

/** Problems that the next renewal of a certificate would have, long before the service tries. */
export const renewals: readonly DoctorProblem[] = [
  {
    title: "the CNAME of a certificate that serves was deleted",
    make: async (world, place, spec) => {
      const { changes, rrset } = await issue(world, place, spec);
      await world.cloud.make("POST", changes, { deletions: [rrset] });
      await world.cloud.clock.advance(60_000);
      return undefined;
    },
    found: (_place, { certificates = [] }) => certificates.map(({ id }) => `renewal-at-risk ${id}`),
    says: [/^shop\d+\.com: the CNAME record _acme-challenge\.shop\d+\.com is missing; \d\d days left, until \S+$/],
  },
  {
    title: "the CNAME of a certificate that serves leads elsewhere",
    make: async (world, place, spec) => {
      const { changes, rrset } = await issue(world, place, spec);
      const additions = [{ ...rrset, rrdatas: ["elsewhere.example."] }];
      await world.cloud.make("POST", changes, { deletions: [rrset], additions });
      await world.cloud.clock.advance(60_000);
      return undefined;
    },
    found: ({ domain }, { certificates }) => [
      `challenge-cname-elsewhere _acme-challenge.${domain}`,
      `renewal-at-risk ${certificates?.[0]?.id}`,
    ],
    says: [/leads elsewhere: elsewhere\.example; \d\d days left/],
  },
  {
    title: "CAA records exclude the CA of a certificate that serves, which stops only its renewal",
    make: async (world, place, spec) => {
      await issue(world, place, spec);
      await world.publish(place, [[place.domain, "CAA", 300, '0 issue "other-ca.com"']]);
      return undefined;
    },
    found: (_place, { certificates }) => Array(2).fill(`renewal-at-risk ${certificates?.[0]?.id}`),
    says: [
      /^www\.shop\d+\.com: the CAA records of shop\d+\.com are 0 issue "other-ca\.com"; \d\d days left, until \S+$/,
    ],
  },
  {
    title: "the name server can't give the CNAME of a certificate that serves",
    make: async (world, place, spec) => {
      await issue(world, place, spec);
      return answering(({ domain }) => ({ name: `_acme-challenge.${domain}.`, rcode: "SERVFAIL" }))(world, place, spec);
    },
    found: (_place, { certificates }) => [`renewal-at-risk ${certificates?.[0]?.id}`],
    says: [/: the CNAME record _acme-challenge\.shop\d+\.com can't be read \(SERVFAIL\); \d\d days left/],
  },
  {
    title: "the name server can't give the CAA records of a certificate that serves",
    make: async (world, place, spec) => {
      await issue(world, place, spec);
      return answering(({ domain }) => ({ name: `${domain}.`, type: "CAA", rcode: "SERVFAIL" }))(world, place, spec);
    },
    found: (_place, { certificates }) => Array(2).fill(`renewal-at-risk ${certificates?.[0]?.id}`),
    says: [/: the CAA records of shop\d+\.com can't be read \(SERVFAIL\); \d\d days left/],
  },
  {
    title: "CAA records exclude the CA, although a certificate of others has the names already",
    make: async (world, place, spec) => {
      await issue(world, place, spec, (name) => `other-${name}`);
      await world.publish(place, [[place.domain, "CAA", 300, '0 issue "other-ca.com"']]);
      return undefined;
    },
    found: ({ domain }) => [`caa-forbids ${domain}`, `caa-forbids ${wwwOf({ domain })}`],
    says: [/^the CAA records of shop\d+\.com are 0 issue "other-ca\.com"$/],
  },
];
