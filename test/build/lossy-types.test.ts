import { type Assembly, lossyTypes } from "../../build/lossy-types";

const text = { primitive: "string" };
const alias = { fqn: "p.Alias" };
const addresses = { fqn: "p.Addresses" };
const construct = { fqn: "p.Construct" };
const union = { union: { types: [alias, addresses] } };
const listOf = (elementtype: object) => ({ collection: { kind: "array", elementtype } });
const mapOf = (elementtype: object) => ({ collection: { kind: "map", elementtype } });

/** Returns an assembly with a data type `Props`, and a class whose method has parameters, by default `Props`. */
function assembly(ofProps: object, parameters: readonly object[] = [{ fqn: "p.Props" }]): Assembly {
  return {
    types: {
      "p.Alias": { name: "Alias", datatype: true },
      "p.Addresses": { name: "Addresses", datatype: true },
      "p.Construct": { name: "Construct" },
      "p.Props": { name: "Props", datatype: true, properties: [{ name: "records", type: ofProps }] },
      "p.Maker": {
        name: "Maker",
        methods: [{ name: "make", parameters: parameters.map((type, index) => ({ name: `p${index}`, type })) }],
      },
    },
  };
}

test.each([
  ["a data type itself, whose keys are named arguments", assembly(alias), []],
  ["a list of texts", assembly(listOf(text)), []],
  ["a union of a text and a class", assembly({ union: { types: [text, construct] } }), []],
  ["a union of data types", assembly(union), ["Props.records"]],
  [
    "a map of unions of a text and a data type",
    assembly(mapOf({ union: { types: [text, alias] } })),
    ["Props.records"],
  ],
  ["a list of data types", assembly(listOf(alias)), ["Props.records"]],
  ["a list of data types that the user reads only", assembly(listOf(alias), []), []],
  ["a union of data types that the user reads only", assembly(listOf(union), []), ["Props.records"]],
  ["a data type before the last parameter", assembly(text, [alias, construct]), ["Maker.make(p0)"]],
  ["a data type as the last parameter", assembly(text, [construct, alias]), []],
])("judges %s", (_, given, expected) => {
  expect(lossyTypes(given)).toEqual(expected);
});
