import { fieldsOf, listOf } from "../json/fields";
import type { IssuancePolicy } from "./policy";

/** Reads an issuance policy from an answer of CA Service. Fields of an unexpected type are absent. */
export function readIssuancePolicy(value: unknown): IssuancePolicy {
  const { allowedKeyTypes, maximumLifetime, identityConstraints } = fieldsOf(value);
  return {
    allowedKeyTypes: listOf(allowedKeyTypes).map((type) => {
      const { rsa, ellipticCurve } = fieldsOf(type);
      return {
        ...(rsa === undefined ? {} : { rsa: textFields(rsa) }),
        ...(ellipticCurve === undefined ? {} : { ellipticCurve: textFields(ellipticCurve) }),
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
