/**
 * Reads OCSP responses (RFC 6960), as far as a client that requires a response needs them. Signatures are not checked.
 */
import { type DerElement, derTag, latin1, readElements } from "./der";

/** Values of `responseStatus`; any except the first is an error. */
const responseStatuses: Readonly<Record<number, string>> = {
  0: "successful",
  1: "malformedRequest",
  2: "internalError",
  3: "tryLater",
  5: "sigRequired",
  6: "unauthorized",
};
const enumerated = 0x0a;
const explicitTag = 0xa0;
const certificateStatuses: Readonly<Record<number, string>> = { 128: "good", 161: "revoked", 130: "unknown" };

/**
 * Returns why a client would refuse an OCSP response for a certificate; undefined if it would accept the response.
 *
 * @param serialNumber of the certificate, in lower-case hexadecimal without leading zeros
 */
export function ocspFault(response: Uint8Array, serialNumber: string, now: Date): string | undefined {
  const answerOfSerial = ownAnswer(response, serialNumber);
  return typeof answerOfSerial === "string" ? answerOfSerial : faultOf(response, answerOfSerial, now);
}

/** Returns whether an OCSP response reports a certificate as revoked, whenever the response was or will be valid. */
export function reportsRevocation(response: Uint8Array, serialNumber: string): boolean {
  const answerOfSerial = ownAnswer(response, serialNumber);
  return typeof answerOfSerial !== "string" && certificateStatuses[answerOfSerial.children[1]?.tag ?? 0] === "revoked";
}

/** Returns the part of the response about the certificate, or why there is none. */
function ownAnswer(response: Uint8Array, serialNumber: string): DerElement | string {
  const fields = readElements(response, 0, response.length)[0]?.children ?? [];
  const status = fields[0]?.tag === enumerated ? response[fields[0].start] : undefined;
  if (status === undefined) return "the OCSP response can't be read";
  if (status !== 0) return `the OCSP response is the error ${responseStatuses[status] ?? status}`;
  const basic = fields[1]?.children[0]?.children[1];
  if (basic?.tag !== derTag.octetString) return "the OCSP response can't be read";
  const data = readElements(response, basic.start, basic.end)[0]?.children[0]?.children ?? [];
  const singles = data.find(({ tag, children }) => tag === 0x30 && children.length > 0)?.children ?? [];
  const single = singles.find(({ children }) => serialOf(response, children[0]) === serialNumber);
  return single ?? "the OCSP response is for another certificate";
}

function faultOf(response: Uint8Array, { children }: DerElement, now: Date): string | undefined {
  const [, status, thisUpdate, next] = children;
  const verdict = certificateStatuses[status?.tag ?? 0];
  if (verdict !== "good") return `the state of the certificate in the OCSP response is ${verdict ?? "unknown"}`;
  const from = timeOf(response, thisUpdate);
  if (from === undefined) return "the OCSP response can't be read";
  if (from > now) return `the OCSP response is valid from ${from.toISOString()} on`;
  const until = next?.tag === explicitTag ? timeOf(response, next.children[0]) : undefined;
  return until !== undefined && until < now ? `the OCSP response expired at ${until.toISOString()}` : undefined;
}

function serialOf(response: Uint8Array, certificateId: DerElement | undefined): string | undefined {
  const serial = certificateId?.children.at(-1);
  if (serial?.tag !== derTag.integer) return undefined;
  return Buffer.from(response.subarray(serial.start, serial.end))
    .toString("hex")
    .replace(/^0+(?=.)/, "");
}

function timeOf(response: Uint8Array, element: DerElement | undefined): Date | undefined {
  if (element?.tag !== derTag.generalizedTime) return undefined;
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(latin1(response, element));
  if (parts === null) return undefined;
  const [, year, month, day, hour, minute, second] = parts;
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}
