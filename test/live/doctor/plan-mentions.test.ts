import { namedCertificates } from "../../../lib/live/doctor/plan-mentions";
import { subjectOfTest } from "./subjects";

const parent = "projects/p1/locations/global/certificates";

test("names existing certificates once, without the references that only Terraform resolves", () => {
  const ids = [`${parent}/a`, "${google_certificate_manager_certificate.b.id}", `${parent}/a`, `${parent}/c`];
  const existingCertificates = ids.map((id) => ({ id, domains: [] }));
  expect(namedCertificates(subjectOfTest({ certificates: { existing: existingCertificates } }), undefined)).toEqual([
    `${parent}/a`,
    `${parent}/c`,
  ]);
});
