import { explainError, explainRejection, explainTrust } from "../../../lib/live/verify/explain";

test.each([
  ["ECONNREFUSED", "connection-refused"],
  ["ETIMEDOUT", "timeout"],
  ["EHOSTUNREACH", "unreachable"],
  ["ENETUNREACH", "unreachable"],
  ["EADDRNOTAVAIL", "unreachable"],
  ["EACCES", "unreachable"],
  ["ENOTFOUND", "unreachable"],
  ["ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE", "handshake-refused"],
  ["ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE", "handshake-refused"],
  ["ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE", "handshake-failed"],
  ["ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION", "protocol-refused"],
  ["ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR", "handshake-failed"],
  ["ERR_OSSL_SOMETHING_NEW", "handshake-failed"],
])("explains %s as %s", (code, expected) => {
  expect(explainError(Object.assign(new Error("it failed"), { code }), "203.0.113.7")).toEqual({
    code: expected,
    detail: code,
  });
});

test.each(["ENETUNREACH", "EADDRNOTAVAIL", "EAFNOSUPPORT"])(
  "explains %s to an IPv6 address as missing IPv6 on this machine",
  (code) => {
    expect(explainError(Object.assign(new Error(), { code }), "2001:db8::7").code).toBe("ipv6-not-here");
  },
);

test("prints the message of an error without a code", () => {
  expect(explainError(new Error("odd"), "203.0.113.7")).toEqual({ code: "handshake-failed", detail: "odd" });
});

test.each([
  ["CERT_HAS_EXPIRED", "certificate-expired"],
  ["CERT_NOT_YET_VALID", "certificate-not-yet-valid"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "self-signed"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "chain-incomplete"],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "untrusted-chain"],
  ["SELF_SIGNED_CERT_IN_CHAIN", "untrusted-chain"],
])("explains a chain for which OpenSSL reports %s as %s", (reason, code) => {
  expect(explainTrust(reason)).toEqual({ code, detail: reason });
});

test.each([
  ["ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED", "accepting", "client-certificate-required"],
  ["ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE", "accepting", "client-certificate-required"],
  ["ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE", "probe", "client-certificate-required"],
  ["ERR_SSL_TLSV1_ALERT_UNKNOWN_CA", "asking", "client-certificate-required"],
  ["ERR_SSL_TLSV1_ALERT_ACCESS_DENIED", "accepting", "rejected-after-handshake"],
  ["ERR_SSL_TLSV1_ALERT_ACCESS_DENIED", "asking", "rejected-after-handshake"],
  ["ECONNRESET", "accepting", "rejected-after-handshake"],
  ["ECONNRESET", "asking", undefined],
  ["ECONNRESET", "probe", undefined],
  ["ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION", "probe", undefined],
] as const)("explains %s while %s, behind a certificate, as %s", (code, stage, expected) => {
  expect(explainRejection(Object.assign(new Error("it failed"), { code }), stage)?.code).toBe(expected);
});
