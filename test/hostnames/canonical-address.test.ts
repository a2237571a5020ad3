import { canonicalAddress } from "../../lib/hostnames";

test.each([
  ["2001:DB8:0:0::7", "2001:db8::7"],
  ["0:0:0:0:0:0:0:1", "::1"],
  ["fe80:0::1%eth0", "fe80::1%eth0"],
  ["::ffff:192.0.2.1", "::ffff:c000:201"],
  ["192.0.2.1", "192.0.2.1"],
  ["example.com", "example.com"],
  ["not:an:address", "not:an:address"],
])("spells %s as %s", (address, expected) => {
  expect(canonicalAddress(address)).toBe(expected);
});
