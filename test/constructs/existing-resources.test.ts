import { CertificateManagerDnsAuthorization } from "@cdktf/provider-google/lib/certificate-manager-dns-authorization";
import { TerraformStack, Testing } from "cdktf";
import {
  Certificate,
  CertificateMap,
  DnsAuthorization,
  DnsPublication,
  InputError,
  ManagedCertMigration,
  type ManagedCertMigrationProps,
  WildcardCertWithAuth,
} from "../../lib";

const mapId = "projects/p/locations/global/certificateMaps/web";
const authorizationId = "projects/p/locations/global/dnsAuthorizations/example-com";

function newStack(): TerraformStack {
  return new TerraformStack(Testing.app(), "prod");
}

function planOf(stack: TerraformStack, props: Partial<ManagedCertMigrationProps>) {
  return new ManagedCertMigration(stack, "shop", {
    certificates: [Certificate.managed({ domains: ["example.com"] })],
    dns: DnsPublication.external(),
    ...props,
  }).plan;
}

test("a map and an authorization that exist elsewhere have the effect of their ids", () => {
  const references = planOf(newStack(), {
    existingCertificateMap: CertificateMap.fromId(mapId),
    existingAuthorizations: { "example.com": DnsAuthorization.fromId(authorizationId) },
  });
  const ids = planOf(newStack(), {
    existingCertificateMap: mapId,
    existingAuthorizations: { "example.com": authorizationId },
  });
  expect(references).toEqual(ids);
  expect(references.authorizations).toEqual([]);
});

test("an authorization of the app is a reference to its id", () => {
  const stack = newStack();
  const authorization = new CertificateManagerDnsAuthorization(stack, "a", { name: "a", domain: "example.com" });
  const { certificates } = planOf(stack, { existingAuthorizations: { "example.com": authorization } });
  expect(certificates).toMatchObject([
    { authorizations: [{ existingId: `\${google_certificate_manager_dns_authorization.a.id}` }] },
  ]);
});

test("WildcardCertWithAuth adds its entries to a map that exists elsewhere", () => {
  const wildcard = new WildcardCertWithAuth(newStack(), "wild", {
    domain: "example.com",
    dns: DnsPublication.external(),
    certificateMap: CertificateMap.fromId(mapId),
  });
  expect(wildcard.rootEntry?.mapInput).toBe(mapId);
});

test.each(["${google_certificate_manager_certificate_map.web.id}", `//certificatemanager.googleapis.com/${mapId}`])(
  "accepts the id %s",
  (id) => expect(CertificateMap.fromId(id).id).toBe(id),
);

test.each([
  [
    () => CertificateMap.fromId("web"),
    "map-id-malformed",
    "CertificateMap.fromId: invalid id 'web'; use projects/PROJECT/locations/global/certificateMaps/NAME",
  ],
  [
    () => DnsAuthorization.fromId(mapId),
    "authorization-id-malformed",
    `DnsAuthorization.fromId: invalid id '${mapId}'; use projects/PROJECT/locations/LOCATION/dnsAuthorizations/NAME`,
  ],
  [
    () => CertificateMap.fromId(undefined as unknown as string),
    "map-id-malformed",
    "CertificateMap.fromId: invalid id undefined; use projects/PROJECT/locations/global/certificateMaps/NAME",
  ],
] as const)("refuses an invalid id: %#", (act, code, message) => {
  expect(act).toThrow(new InputError(code, message));
});

test("refuses the reference to a resource of another type", () => {
  const authorization = DnsAuthorization.fromId(authorizationId) as unknown as CertificateMap;
  expect(() => planOf(newStack(), { existingCertificateMap: authorization })).toThrow("existingCertificateMap");
});
