import fc from "fast-check";
import { hostLabel, readHost, readHostList } from "../../../lib/inventory/live/hosts";
import { isSafeToShow } from "../../../lib/text/quote";

describe("a host", () => {
  test.each([
    ["shop.example.com", "shop.example.com:443"],
    ["Shop.Example.COM.", "shop.example.com:443"],
    [" shop.example.com:8443 ", "shop.example.com:8443"],
    ["bücher.example:1", "xn--bcher-kva.example:1"],
    ["192.0.2.1", "192.0.2.1:443"],
    ["192.0.2.1:65535", "192.0.2.1:65535"],
    ["2001:DB8:0::1", "[2001:db8::1]:443"],
    ["[2001:db8::1]", "[2001:db8::1]:443"],
    ["[2001:db8::1]:8443", "[2001:db8::1]:8443"],
    // A private host, which can have a certificate from a private CA.
    ["intranet", "intranet:443"],
    ["shop.corp.internal:8443", "shop.corp.internal:8443"],
    ["under_score.example.com", "under_score.example.com:443"],
  ])("%j is %s", (text, label) => {
    const read = readHost(text);
    expect("target" in read && hostLabel(read.target)).toBe(label);
  });

  test.each([
    ["", "hostname-empty"],
    ["https://shop.example.com/", "hostname-has-scheme"],
    ["shop.example.com/path", "hostname-has-path"],
    ["*.example.com", "host-is-wildcard"],
    ["*.example.com:443", "host-is-wildcard"],
    ["shop..example.com", "hostname-empty-label"],
    ["-shop.example.com", "hostname-hyphen-at-edge"],
    ["shop.example.com:0", "host-port-malformed"],
    ["shop.example.com:65536", "host-port-malformed"],
    ["shop.example.com:", "host-port-malformed"],
    ["shop.example.com:https", "host-port-malformed"],
    ["shop.example.com:1e3", "host-port-malformed"],
    ["[2001:db8::1]:x", "host-port-malformed"],
    ["[2001:db8::1]:0x10", "host-port-malformed"],
    ["[shop.example.com]:443", "host-malformed"],
    ["[]", "host-malformed"],
    ["sh\u0007op.example.com", "hostname-control-character"],
  ])("%j is refused as %s", (text, code) => {
    expect(readHost(text)).toMatchObject({ problem: { code } });
  });

  test("in any text is a target or a problem, and a target parses to itself", () => {
    const pieces = fc.constantFrom("a", "example.com", ":", "[", "]", "443", "::1", "127.0.0.1", "*.", ".", "-", " ");
    const text = fc.oneof(
      fc.string(),
      fc.array(pieces, { maxLength: 6 }).map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(text, (given) => {
        const read = readHost(given);
        if ("problem" in read) expect(isSafeToShow(read.problem.message)).toBe(true);
        else expect(readHost(hostLabel(read.target))).toEqual(read);
      }),
    );
  });
});

describe("a list of hosts", () => {
  test("may contain comments, blank lines, several hosts on a line, and repeated hosts", () => {
    const text =
      "\ufeff# ours\r\nshop.example.com\n\n  pay.example.com:8443, www.example.com # old\nSHOP.example.com.\t[::1]:1\n#";
    expect(readHostList(text, "hosts.txt").map(hostLabel)).toEqual([
      "shop.example.com:443",
      "pay.example.com:8443",
      "www.example.com:443",
      "[::1]:1",
    ]);
  });

  test("reports all mistakes at once, each with its line", () => {
    expect(() =>
      readHostList("good.example.com\n*.example.com, x.example.com:0\n\nhttps://a.example.com", "hosts.txt"),
    ).toThrow(
      expect.objectContaining({
        problems: [
          {
            code: "host-is-wildcard",
            message: expect.stringMatching(/^hosts\.txt, line 2: '\*\.example\.com' is a wildcard/),
          },
          {
            code: "host-port-malformed",
            message: expect.stringMatching(/^hosts\.txt, line 2: the port of 'x\.example\.com:0'/),
          },
          { code: "hostname-has-scheme", message: expect.stringMatching(/^hosts\.txt, line 4: /) },
        ],
      }),
    );
  });

  test("without a host is empty", () => {
    expect(readHostList("# nothing\n\n", "hosts.txt")).toEqual([]);
  });

  test("is refused with more hosts than one run may check", () => {
    const text = Array.from({ length: 100_001 }, (_, number) => `h${number}.example.com`).join("\n");
    expect(() => readHostList(text, "hosts.txt")).toThrow(expect.objectContaining({ code: "hosts-too-many" }));
  });
});
