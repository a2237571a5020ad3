import { hostname, makeCertificates, startListener } from "../../support/tls-front-end";

test("serves 500 clients at once", async () => {
  const certificates = await makeCertificates();
  await using listener = await startListener(certificates, [certificates.ecdsa]);
  const { client, reported } = listener;

  const seen = await Promise.all(Array.from({ length: 500 }, () => client()));

  expect(seen).toEqual(Array.from({ length: 500 }, () => ({ commonName: hostname, protocol: "TLSv1.3" })));
  expect((await reported(500)).filter(({ ok }) => ok)).toHaveLength(500);
}, 30_000);
