/**
 * Node's names of what OpenSSL says where the other side answers in plain text: a server of HTTP, or one of mail that greets first and begins TLS
 * later (STARTTLS).
 */
export const plaintextAnswers: ReadonlySet<string> = new Set([
  "ERR_SSL_WRONG_VERSION_NUMBER",
  "ERR_SSL_HTTP_REQUEST",
  "ERR_SSL_PACKET_LENGTH_TOO_LONG",
  "ERR_SSL_UNKNOWN_PROTOCOL",
]);
