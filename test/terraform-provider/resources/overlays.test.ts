import { openCatalogue } from "../../../lib/terraform-provider/catalogue";
import { openBindings, type SchemaBlock } from "../../../lib/terraform-provider/schema";
import { unknownNames } from "../../support/checked-rows";

const catalogue = openCatalogue(openBindings(), []);

const resources = [...catalogue.resources.values()].map((each) => [each.kind.type, each] as const);

test.each(resources)("describes only existing attributes of %s", (_, { kind: { overlay }, schema }) => {
  expect(unknownNames(overlay, schema)).toEqual([]);
});

test.each(resources)("sets defaults only for computed attributes of %s", (_, { kind: { overlay }, schema }) => {
  const open = Object.keys(overlay.defaults ?? {}).filter((name) => {
    const parts = name.split(".");
    const block = parts.slice(0, -1).reduce<SchemaBlock | undefined>((at, part) => at?.blocks.get(part)?.block, schema);
    return block?.attributes.get(parts.at(-1) ?? "")?.computed !== true;
  });

  expect(open).toEqual([]);
});

test("never forces replacement for an attribute that the provider computes", () => {
  const forced = resources.flatMap(([type, { kind, schema }]) =>
    kind.overlay.forceNew
      .filter((name) => {
        const attribute = schema.attributes.get(name);
        return attribute?.computed === true && !attribute.optional;
      })
      .map((name) => `${type}.${name}`),
  );

  expect(forced).toEqual([]);
});

test("marks private keys as sensitive", () => {
  const attribute = (type: string, block: string | undefined, name: string) => {
    const schema = catalogue.resources.get(type)?.schema;
    return (block === undefined ? schema : schema?.blocks.get(block)?.block)?.attributes.get(name)?.sensitive;
  };

  expect(attribute("google_compute_ssl_certificate", undefined, "private_key")).toBe(true);
  expect(attribute("google_certificate_manager_certificate", "self_managed", "pem_private_key")).toBe(true);
});
