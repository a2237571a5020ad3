import { isReading } from "./read-only";

test.each([
  ["GET", "/v1/projects/p1/locations/global/certificates?pageSize=1000", true],
  ["HEAD", "/", true],
  ["POST", "/v1/projects/p1:testIamPermissions", true],
  ["POST", "/v3/projects/p1:testIamPermissions?alt=json", true],
  ["POST", "/dns/v1/projects/p1/managedZones/z:testIamPermissions", true],
  ["POST", "/compute/v1/projects/p1/global/backendServices/b/testIamPermissions", true],
  ["POST", "/v1/projects/p1/locations/global/certificates?certificateId=testIamPermissions", false],
  ["POST", "/v1/projects/p1/locations/global/certificates?x=/testIamPermissions", false],
  ["PATCH", "/v1/projects/p1/locations/global/certificates/c", false],
  ["DELETE", "/v1/projects/p1:testIamPermissions", false],
])("%s %s reads alone: %s", (httpMethod, target, expected) => {
  expect(isReading({ httpMethod, target })).toBe(expected);
});
