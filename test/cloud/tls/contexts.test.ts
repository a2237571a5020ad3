import { createSecureContexts } from "../../../lib/cloud/tls";
import { makeCertificates } from "../../support/tls-front-end";

const certificates = makeCertificates();

test("creates the context of a certificate once", async () => {
  const { ecdsa } = await certificates;
  const contexts = createSecureContexts(2);

  expect(contexts({ ...ecdsa })).toBe(contexts(ecdsa));
});

test("creates another context for a renewed certificate, whatever its name", async () => {
  const { ecdsa, primary } = await certificates;
  const contexts = createSecureContexts(2);

  expect(contexts({ ...primary, name: ecdsa.name })).not.toBe(contexts(ecdsa));
});

test("evicts the least recently used context first", async () => {
  const { ecdsa, rsa, primary } = await certificates;
  const contexts = createSecureContexts(2);
  const [first, second] = [contexts(ecdsa), contexts(rsa)];

  contexts(ecdsa);
  contexts(primary);

  expect(contexts(ecdsa)).toBe(first);
  expect(contexts(rsa)).not.toBe(second);
});

test("fails with the key of another certificate, each time", async () => {
  const { ecdsa, primary } = await certificates;
  const contexts = createSecureContexts(2);
  const mixed = { ...ecdsa, privateKeyPem: primary.privateKeyPem };

  expect(() => contexts(mixed)).toThrow("key values mismatch");
  expect(() => contexts(mixed)).toThrow("key values mismatch");
});
