import { CertificateManagerClient } from "@google-cloud/certificate-manager";
import { startCertificateManager } from "../../support/certificate-manager";

const parent = "projects/p1/locations/global";

/** Creates a client of the published library with this address. */
function client(url: string) {
  const { hostname, port } = new URL(url);
  const { PassThroughClient } = require("google-auth-library") as typeof import("google-auth-library");
  return new CertificateManagerClient({
    fallback: true,
    apiEndpoint: hostname,
    port: Number(port),
    protocol: "http",
    // The library loads fetch with a dynamic import, which Jest does not support.
    authClient: new PassThroughClient({ transporterOptions: { fetchImplementation: fetch } }),
  } as ConstructorParameters<typeof CertificateManagerClient>[0]);
}

it("Google's client library for Certificate Manager creates everything from an authorization to an ACTIVE entry", async () => {
  await using cloud = await startCertificateManager();
  const service = client(cloud.url);
  const [authorizing] = await service.createDnsAuthorization({
    parent,
    dnsAuthorizationId: "a1",
    dnsAuthorization: { domain: "example.com", labels: { env: "x" } },
  });
  await cloud.clock.advance(1_000);
  const [authorization] = await authorizing.promise();
  const record = authorization.dnsResourceRecord;
  expect(record).toMatchObject({ name: "_acme-challenge.example.com.", type: "CNAME" });

  cloud.publish(record?.name ?? "", record?.data ?? "");
  const [creating] = await service.createCertificate({
    parent,
    certificateId: "c1",
    certificate: {
      managed: { domains: ["example.com", "*.example.com"], dnsAuthorizations: [`${parent}/dnsAuthorizations/a1`] },
    },
  });
  await cloud.clock.advance(1_000);
  const [created] = await creating.promise();
  // The library returns the response of an operation with enum numbers instead of names.
  expect(created.managed?.state).toBe(1);
  await cloud.clock.advance(10_000);
  const [certificate] = await service.getCertificate({ name: `${parent}/certificates/c1` });
  expect(certificate.managed).toMatchObject({
    state: "ACTIVE",
    authorizationAttemptInfo: [
      { domain: "example.com", state: "AUTHORIZED" },
      { domain: "*.example.com", state: "AUTHORIZED" },
    ],
  });
  expect(certificate.sanDnsnames).toEqual(["example.com", "*.example.com"]);
});

it("Google's client library for Certificate Manager reads the pages of a list, and patches with a mask", async () => {
  await using cloud = await startCertificateManager();
  const service = client(cloud.url);
  for (const id of ["m1", "m2", "m3"]) {
    await service.createCertificateMap({ parent, certificateMapId: id, certificateMap: { description: id } });
  }
  const names: string[] = [];
  for await (const map of service.listCertificateMapsAsync({ parent, pageSize: 2 })) names.push(map.description ?? "");
  expect(names).toEqual(["m1", "m2", "m3"]);

  const [patching] = await service.updateCertificateMap({
    certificateMap: { name: `${parent}/certificateMaps/m1`, description: "first", labels: {} },
    updateMask: { paths: ["description"] },
  });
  await cloud.clock.advance(1_000);
  const [patched] = await patching.promise();
  expect(patched).toMatchObject({ name: `${parent}/certificateMaps/m1`, description: "first" });
});

it("Google's client library for Certificate Manager reports a missing resource with the service's code", async () => {
  await using cloud = await startCertificateManager();
  await expect(client(cloud.url).getCertificate({ name: `${parent}/certificates/none` })).rejects.toMatchObject({
    code: 404,
    message: expect.stringContaining(`Resource '${parent}/certificates/none' was not found`),
  });
});
