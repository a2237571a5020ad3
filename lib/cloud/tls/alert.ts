/** Alerts that the front end sends before any keys are agreed (RFC 8446, section 6), by name. */
const alertNumbers = {
  unexpected_message: 10,
  handshake_failure: 40,
  illegal_parameter: 47,
  decode_error: 50,
  protocol_version: 70,
  internal_error: 80,
} as const;

export type AlertName = keyof typeof alertNumbers;

/** Returns the record of a fatal alert, with the record version that all clients accept. */
export function alertRecord(name: AlertName): Buffer {
  const [alert, major, minor, fatal] = [21, 3, 1, 2];
  return Buffer.from([alert, major, minor, 0, 2, fatal, alertNumbers[name]]);
}
