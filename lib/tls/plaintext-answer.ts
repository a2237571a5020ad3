/**
 * Node's error codes for OpenSSL errors if the server answers in plain text. Examples are an HTTP server, or a mail
 * server that sends a probe first and starts TLS later (STARTTLS).
 */
export const plaintextAnswers: ReadonlySet<string> = new Set([
  "ERR_SSL_WRONG_VERSION_NUMBER",
  "ERR_SSL_HTTP_REQUEST",
  "ERR_SSL_PACKET_LENGTH_TOO_LONG",
  "ERR_SSL_UNKNOWN_PROTOCOL",
]);
