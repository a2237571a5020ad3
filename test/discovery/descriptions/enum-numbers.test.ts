import { readFileSync } from "node:fs";
import { documentFile, readDocument } from "./documents";

type Numbers = Readonly<Record<string, number>>;

interface ProtoMessage {
  readonly fields?: Readonly<Record<string, { readonly type: string }>>;
  readonly values?: Numbers;
  readonly nested?: Readonly<Record<string, ProtoMessage>>;
}

const enums: Readonly<Record<string, Readonly<Record<string, Numbers>>>> = JSON.parse(
  readFileSync(documentFile("enum-numbers"), "utf8"),
);
const document = readDocument("certificatemanager.v1");

/** The messages and enums of the service's interface in the client library, by their own name. */
function interfaceOf(): ReadonlyMap<string, ProtoMessage> {
  const root = require("@google-cloud/certificate-manager/build/protos/protos.json") as ProtoMessage;
  const path = ["google", "cloud", "certificatemanager", "v1"];
  const v1 = path.reduce<ProtoMessage>((inner, step) => inner.nested?.[step] ?? {}, root);
  const found = new Map<string, ProtoMessage>();
  const walk = (message: ProtoMessage, owner: string) => {
    for (const [name, inner] of Object.entries(message.nested ?? {})) {
      found.set(inner.values === undefined ? name : `${owner}${name}`, inner);
      walk(inner, `${name}.`);
    }
  };
  walk(v1, "");
  return found;
}

const published = interfaceOf();

test("only Certificate Manager's clients send numbers", () => {
  expect(Object.keys(enums)).toEqual([document.id]);
});

describe.each(Object.entries(enums[document.id] ?? {}))("%s", (place, numbers) => {
  const [schema = "", property = ""] = place.split(".");

  test("has a number for each value of the description, and no others", () => {
    const described = document.schemas[schema]?.properties?.[property];

    expect(Object.keys(numbers)).toEqual(described?.enum ?? described?.items?.enum);
    expect(new Set(Object.values(numbers)).size).toBe(Object.keys(numbers).length);
  });

  test("has the client library's numbers for the values that the library knows", () => {
    const type = published.get(schema)?.fields?.[property]?.type;
    const known = Object.entries(published.get(`${schema}.${type}`)?.values ?? published.get(type ?? "")?.values ?? {});

    expect(known.map(([value]) => [value, numbers[value]])).toEqual(known);
  });
});

test("every enum that a client can send is covered", () => {
  const sendable = Object.entries(document.schemas).flatMap(([id, schema]) =>
    Object.entries(schema.properties ?? {})
      .filter(([, property]) => property.enum !== undefined && property.readOnly !== true)
      .map(([name]) => `${id}.${name}`),
  );

  expect(sendable.filter((place) => !Object.hasOwn(enums[document.id] ?? {}, place))).toEqual([]);
});

test("the description has every field that the client library knows", () => {
  const camelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const lacking = [...published]
    .filter(([name]) => Object.hasOwn(document.schemas, name))
    .flatMap(([name, message]) =>
      Object.keys(message.fields ?? {})
        .map(camelCase)
        .filter((field) => !Object.hasOwn(document.schemas[name]?.properties ?? {}, field))
        .map((field) => `${name}.${field}`),
    );

  expect(lacking).toEqual([]);
  expect([...published.keys()].filter((name) => Object.hasOwn(document.schemas, name))).toContain("Certificate");
});
