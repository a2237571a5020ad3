import {
  ApiDescription,
  compareDescriptions,
  type DescriptionChange,
  ownDescription,
  ownDescriptionIds,
  type SchemaDocument,
} from "../../../lib/discovery";
import { codesOf } from "../../support/descriptions";
import { description, outline, reverseKeys, withMethod, withSchemas } from "./description";

describe("does not trust the revision", () => {
  const cart = (revision: string | undefined, title = "Shop") =>
    description({ title, ...(revision === undefined ? {} : { revision }) });

  test.each([
    ["20260101", "20260102", "Shop", []],
    ["20260101", "20260101", "Shop", []],
    [undefined, undefined, "Store", []],
    ["20260101", undefined, "Store", []],
    ["beta", "alpha", "Store", []],
    ["9", "10", "Store", []],
    ["20260101", "20260101", "Store", ["revision-unchanged"]],
    ["20260102", "20260101", "Shop", ["revision-backwards"]],
    ["10", "09", "Store", ["revision-backwards"]],
  ])("%s → %s, title %s: %j", (before, after, title, codes) => {
    expect(compareDescriptions(cart(before), cart(after, title)).findings.map(({ code }) => code)).toEqual(codes);
  });

  test("treats the revisions of each API version separately", () => {
    const alpha = description({ version: "v1alpha", revision: "20261101" });
    const { findings } = compareDescriptions(alpha, description({ version: "v1", revision: "20261101" }));

    expect(findings).toEqual([]);
  });

  test("reports differences under the same revision as a conflict", () => {
    const before = withMethod({ httpMethod: "GET" }, { revision: "20261109" });
    const after = withMethod({ httpMethod: "POST" }, { revision: "20261109" });

    expect(compareDescriptions(before, after)).toEqual({
      from: { id: "shop:v1", revision: "20261109" },
      to: { id: "shop:v1", revision: "20261109" },
      changes: [
        {
          kind: "http-method-changed",
          class: "breaking",
          subject: "shop.carts.get",
          before: "GET",
          after: "POST",
          message: "'shop.carts.get' is called with 'POST' instead of 'GET'",
        },
      ],
      breaking: 1,
      compatible: 0,
      noise: 0,
      findings: [
        {
          code: "revision-unchanged",
          severity: "warning",
          subject: "shop:v1",
          remedy: "check where they come from",
          meaning: "two different descriptions have the same revision",
          message: "both descriptions carry the revision '20261109', and they are different",
        },
      ],
    });
  });
});

test("accepts descriptions unchanged, as documents and as texts", () => {
  const [old, now] = [withMethod({ httpMethod: "GET" }), withMethod({ httpMethod: "PUT" })];
  const expected = ["breaking http-method-changed shop.carts.get"];

  expect(outline(compareDescriptions(old.document, now))).toEqual(expected);
  expect(outline(compareDescriptions(JSON.stringify(old.document), now.document))).toEqual(expected);
  expect(codesOf(() => compareDescriptions(old, "{}"))).toEqual(["description-kind"]);
});

test("distinguishes two APIs", () => {
  const { findings } = compareDescriptions(description(), description({ name: "store" }));

  expect(findings).toEqual([
    {
      code: "other-api",
      severity: "warning",
      subject: "store:v1",
      message: "the descriptions are of different APIs, 'shop' and 'store'",
      remedy: "compare two versions of one API",
      meaning: "the descriptions are of different APIs",
    },
  ]);
});

test("fails if a schema that no method uses is invalid", () => {
  const broken = () => description({ schemas: { A: JSON.parse('{"type": 1}') } });

  expect(() => compareDescriptions(description(), broken())).toThrow("'/schemas/A/type' must be a text, got number");
  expect(() => compareDescriptions(broken(), description())).toThrow("'/schemas/A/type' must be a text, got number");
});

test("lists breaking changes first, each class by subject", () => {
  const before = withSchemas({ Sent: { type: "object", properties: { b: {}, a: {} } } });
  const after = withSchemas({ Sent: { type: "object", properties: { d: {}, c: {} }, description: "Sent." } });

  expect(outline(compareDescriptions(before, after))).toEqual([
    "breaking property-removed Sent.a",
    "breaking property-removed Sent.b",
    "compatible property-added Sent.c",
    "compatible property-added Sent.d",
    "noise description-changed Sent",
  ]);
});

test("escapes messages for the terminal", () => {
  const name = "\u001b[2J\u202e\n";
  const before = withSchemas({ Sent: { type: "object", properties: { [name]: {} } } });
  const [change] = compareDescriptions(before, withSchemas({ Sent: { type: "object", properties: {} } })).changes;

  expect(change).toMatchObject({ subject: `Sent.${name}`, message: "'Sent.\\u{1b}[2J\\u{202e}\\u{a}' was removed" });
});

describe("the project's own descriptions", () => {
  test.each(ownDescriptionIds)("%s equals itself, whatever the order of its keys", (id) => {
    const { document } = ownDescription(id);
    const reordered = ApiDescription.parse(reverseKeys(document));

    expect(compareDescriptions(ownDescription(id), reordered)).toEqual({
      from: { id, revision: document.revision },
      to: { id, revision: document.revision },
      changes: [],
      breaking: 0,
      compatible: 0,
      noise: 0,
      findings: [],
    });
  });

  test("reports a removed property of compute with the methods that send and receive it", () => {
    const document = structuredClone(ownDescription("compute:v1").document);
    const properties = document.schemas?.TargetHttpsProxy?.properties as Record<string, SchemaDocument>;
    delete properties.certificateMap;
    const { changes, findings } = compareDescriptions(ownDescription("compute:v1"), ApiDescription.parse(document));

    expect(changes).toEqual<DescriptionChange[]>([
      {
        kind: "property-removed",
        class: "breaking",
        subject: "TargetHttpsProxy.certificateMap",
        message: "'TargetHttpsProxy.certificateMap' was removed",
        reaches: {
          request: [
            "compute.regionTargetHttpsProxies.insert",
            "compute.regionTargetHttpsProxies.patch",
            "compute.targetHttpsProxies.insert",
            "compute.targetHttpsProxies.patch",
          ],
          response: [
            "compute.regionTargetHttpsProxies.get",
            "compute.regionTargetHttpsProxies.list",
            "compute.targetHttpsProxies.aggregatedList",
            "compute.targetHttpsProxies.get",
            "compute.targetHttpsProxies.list",
          ],
        },
      },
    ]);
    expect(findings.map(({ code }) => code)).toEqual(["revision-unchanged"]);
  });
});
