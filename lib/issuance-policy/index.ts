import { fieldsOf, listOf } from "../json/fields";
import { isAllowedBy } from "./cel";

export { type IdentityRequest, isAllowedBy } from "./cel";

/** The part of a pool's issuance policy that decides on certificates for servers, as CA Service returns it. */
export interface IssuancePolicy {
  /** Empty allows all kinds of keys. */
  readonly allowedKeyTypes?: readonly {
    readonly rsa?: { readonly minModulusSize?: string; readonly maxModulusSize?: string };
    readonly ellipticCurve?: { readonly signatureAlgorithm?: string };
  }[];
  /** For example `2592000s`. */
  readonly maximumLifetime?: string;
  readonly identityConstraints?: {
    readonly allowSubjectAltNamesPassthrough?: boolean;
    readonly celExpression?: { readonly expression?: string };
  };
}

/** A certificate that Certificate Manager requests from a pool. */
export interface LeafRequest {
  readonly dnsNames: readonly string[];
  readonly keyAlgorithm: "RSA_2048" | "ECDSA_P256";
}

/** Returns why a policy refuses a certificate; undefined if it allows the certificate, or if that can't be decided. */
export function refusalOfPolicy(policy: IssuancePolicy, request: LeafRequest): string | undefined {
  const { allowedKeyTypes = [], identityConstraints } = policy;
  if (allowedKeyTypes.length > 0 && !allowedKeyTypes.some((type) => isKeyAllowed(type, request.keyAlgorithm)))
    return `the issuance policy allows no ${request.keyAlgorithm} keys`;
  if (identityConstraints === undefined) return undefined;
  if (identityConstraints.allowSubjectAltNamesPassthrough !== true)
    return "the issuance policy does not allow requests to choose names (allowSubjectAltNamesPassthrough)";
  const { expression = "" } = identityConstraints.celExpression ?? {};
  if (expression === "" || isAllowedBy(expression, request) !== false) return undefined;
  const refused = request.dnsNames.filter((name) => isAllowedBy(expression, { dnsNames: [name] }) === false);
  const names = refused.length === 0 ? request.dnsNames : refused;
  return `the issuance policy refuses ${names.join(", ")}: ${expression}`;
}

function isKeyAllowed(
  { rsa, ellipticCurve }: NonNullable<IssuancePolicy["allowedKeyTypes"]>[number],
  algorithm: LeafRequest["keyAlgorithm"],
): boolean {
  if (algorithm === "RSA_2048") {
    if (rsa === undefined) return false;
    const most = Number(rsa.maxModulusSize ?? 0);
    return Number(rsa.minModulusSize ?? 0) <= 2_048 && (most === 0 || most >= 2_048);
  }
  const curve = ellipticCurve?.signatureAlgorithm;
  return ellipticCurve !== undefined && (curve === undefined || /^(?:ECDSA_P256|EC_\w+_UNSPECIFIED)$/.test(curve));
}

/** Returns the lifetime that a pool grants, in milliseconds: longer requests are shortened. */
export function limitedLifetimeMs({ maximumLifetime }: IssuancePolicy, lifetimeMs: number): number {
  const mostMs = durationMs(maximumLifetime ?? "");
  return mostMs === undefined ? lifetimeMs : Math.min(mostMs, lifetimeMs);
}

/** Reads a duration of Google's APIs in milliseconds, for example `1814400s`; undefined for any other text. */
export function durationMs(text: string): number | undefined {
  const seconds = /^(\d+(?:\.\d{1,9})?)s$/.exec(text)?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1_000;
}

/** Reads an issuance policy from an answer of CA Service. Fields of an unexpected type are absent. */
export function readIssuancePolicy(value: unknown): IssuancePolicy {
  const { allowedKeyTypes, maximumLifetime, identityConstraints } = fieldsOf(value);
  return {
    allowedKeyTypes: listOf(allowedKeyTypes).map((type) => {
      const { rsa, ellipticCurve } = fieldsOf(type);
      return {
        ...(rsa !== undefined && { rsa: textFields(rsa) }),
        ...(ellipticCurve !== undefined && { ellipticCurve: textFields(ellipticCurve) }),
      };
    }),
    ...(typeof maximumLifetime === "string" ? { maximumLifetime } : {}),
    ...(identityConstraints === undefined ? {} : { identityConstraints: readConstraints(identityConstraints) }),
  };
}

function readConstraints(value: unknown): NonNullable<IssuancePolicy["identityConstraints"]> {
  const { allowSubjectAltNamesPassthrough, celExpression } = fieldsOf(value);
  return {
    allowSubjectAltNamesPassthrough: allowSubjectAltNamesPassthrough === true,
    ...(celExpression === undefined ? {} : { celExpression: textFields(celExpression) }),
  };
}

/** Returns the members of an object that are texts; numbers of 64 bits are texts as well. */
function textFields(value: unknown): Readonly<Record<string, string>> {
  const texts = Object.entries(fieldsOf(value)).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return Object.fromEntries(texts);
}
