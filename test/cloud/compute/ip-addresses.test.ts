import { isIP } from "node:net";
import fc from "fast-check";
import { drawIpAddress, readIpAddress } from "../../../lib/cloud/compute/addresses";
import { createIds } from "../../../lib/cloud/compute/links";
import { openStore } from "../../../lib/cloud/state";

describe("parsing an address", () => {
  it("writes each address in one spelling", () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
        const read = readIpAddress(text);
        expect(read).toEqual({ ipAddress: expect.any(String), ipVersion: isIP(text) === 4 ? "IPV4" : "IPV6" });
        expect(readIpAddress(read?.ipAddress ?? "")).toEqual(read);
        expect(readIpAddress(text.toUpperCase())).toEqual(read);
      }),
    );
  });

  it.each(["", "example.com", "203.0.113.7/32", "[2001:db8::7]", "fe80::1%eth0", "1.2.3", "01.2.3.4"])(
    "fails with '%s'",
    (text) => {
      expect(readIpAddress(text)).toBeUndefined();
    },
  );
});

describe("choosing an address", () => {
  it("finds each of the 762 documentation addresses, and then fails", () => {
    const ids = createIds(openStore(), "seed");
    const drawn = new Set<string>();
    const draw = () => drawIpAddress({ ipVersion: "IPV4", internal: false }, ids, (address) => !drawn.has(address));
    for (let count = 0; count < 762; count++) drawn.add(draw());
    expect(drawn.size).toBe(762);
    expect(
      [...drawn].every((address) => /^(?:192\.0\.2|198\.51\.100|203\.0\.113)\.(?!0$|255$)\d+$/.test(address)),
    ).toBe(true);
    expect(draw).toThrow("Quota 'STATIC_ADDRESSES' exceeded.  Limit: 762.0 globally.");
  });

  it.each([
    ["IPV4", true, /^10\.128\.\d+\.(?!0$|255$)\d+$/],
    ["IPV6", false, /^2001:db8:/],
    ["IPV6", true, /^fd20:/],
  ] as const)("of %s, internal %s, stays in its range", (ipVersion, internal, range) => {
    const ids = createIds(openStore(), "seed");
    for (let count = 0; count < 500; count++) {
      const drawn = drawIpAddress({ ipVersion, internal }, ids, () => true);
      expect(drawn).toMatch(range);
      expect(readIpAddress(drawn)).toEqual({ ipAddress: drawn, ipVersion });
    }
  });
});
