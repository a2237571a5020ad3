import { compareDescriptions, type DescriptionChange, type MethodDocument } from "../../../lib/discovery";
import { description, differences, withMethod } from "./description";

const subject = "shop.carts.get";
const schemas = {
  Cart: { type: "object", properties: { x: { type: "string" } } },
  Same: { type: "object", properties: { x: { type: "string" } } },
  Less: { type: "object", properties: {} },
  Needy: { type: "object", properties: { x: { type: "string", annotations: { required: [subject] } } } },
};

test.each<[string, MethodDocument, MethodDocument, readonly string[]]>([
  ["another HTTP method", { httpMethod: "POST" }, { httpMethod: "PUT" }, ["breaking http-method-changed"]],
  ["the HTTP method in small letters", { httpMethod: "POST" }, { httpMethod: "post" }, []],
  ["another path", { path: "carts" }, { path: "v2/carts" }, ["breaking path-changed"]],
  ["another name for a variable", { path: "carts/{a}" }, { path: "carts/{b}" }, ["noise path-changed"]],
  ["a variable of several segments", { path: "carts/{a}" }, { path: "carts/{+a}" }, ["breaking path-changed"]],
  [
    "a path written in another way, with the same flat path",
    { path: "carts/{a}", flatPath: "carts/{a}" },
    { path: "{+name}", flatPath: "carts/{cartsId}" },
    ["noise flat-path-changed", "noise path-changed"],
  ],
  [
    "another flat path",
    { path: "{+name}", flatPath: "carts/{a}" },
    { path: "{+name}", flatPath: "baskets/{a}" },
    ["breaking flat-path-changed"],
  ],
  ["a new flat path", { path: "{+name}" }, { path: "{+name}", flatPath: "carts/{a}" }, ["noise flat-path-changed"]],
  [
    "another path, though the flat path stayed",
    { path: "v1/{x}", flatPath: "v1/{x}" },
    { path: "v2/{x}", flatPath: "v1/{x}" },
    ["breaking path-changed"],
  ],
  [
    "another path of several segments, which the flat path contradicts",
    { path: "v1/{+name}", flatPath: "v1/carts/{a}" },
    { path: "v2/{+name}", flatPath: "v1/carts/{a}" },
    ["breaking path-changed"],
  ],
  [
    "variables split in another way, at the same addresses",
    { path: "v1/{+name}", flatPath: "v1/shops/{a}/carts/{b}" },
    { path: "v1/{+parent}/carts/{id}", flatPath: "v1/shops/{a}/carts/{b}" },
    ["noise path-changed"],
  ],
  ["swapped variables", { path: "v1/{a}/{b}" }, { path: "v1/{b}/{a}" }, ["breaking path-changed"]],
  ["a variable at the place of another one", { path: "v1/{a}/{b}" }, { path: "v1/{b}/{c}" }, ["breaking path-changed"]],
  [
    "swapped variables, at the same addresses",
    { path: "v1/{a}/x/{b}" },
    { path: "v1/{+b}/x/{a}", flatPath: "v1/{a}/x/{b}" },
    ["breaking path-changed", "noise flat-path-changed"],
  ],
  ["other words", { description: "a" }, { description: "b" }, ["noise description-changed"]],
  ["another API version", { apiVersion: "2026-01-01" }, { apiVersion: "2026-11-01" }, ["noise api-version-changed"]],
  ["no API version", { apiVersion: "2026-01-01" }, {}, ["noise api-version-changed"]],
  ["deprecated", {}, { deprecated: true }, ["compatible deprecation-gained"]],
  ["deprecated no longer", { deprecated: true }, {}, ["compatible deprecation-lost"]],
  ["a scope more", { scopes: ["a"] }, { scopes: ["b", "a"] }, ["compatible scope-added"]],
  ["a scope less", { scopes: ["a", "b"] }, { scopes: ["b"] }, ["breaking scope-removed"]],
  ["a scope where none was needed", {}, { scopes: ["a"] }, ["breaking scope-added"]],
  ["no scope needed", { scopes: ["a"] }, {}, ["compatible scope-removed"]],
  ["scopes in another order", { scopes: ["a", "b"] }, { scopes: ["b", "a"] }, []],
  [
    "parameters in another order",
    { parameterOrder: ["a", "b"] },
    { parameterOrder: ["b", "a"] },
    ["compatible parameter-order-changed"],
  ],
  ["one parameter more in the order", { parameterOrder: ["a", "b"] }, { parameterOrder: ["a", "c", "b"] }, []],
  ["a request", {}, { request: { $ref: "Cart" } }, ["compatible request-added"]],
  ["a request that is needed", {}, { request: { $ref: "Needy" } }, ["breaking request-added"]],
  ["no request", { request: { $ref: "Cart" } }, {}, ["breaking request-removed"]],
  ["another request", { request: { $ref: "Cart" } }, { request: { $ref: "Less" } }, ["breaking request-changed"]],
  [
    "another request of the same form",
    { request: { $ref: "Cart" } },
    { request: { $ref: "Same" } },
    ["noise request-changed"],
  ],
  ["a response", {}, { response: { $ref: "Cart" } }, ["compatible response-added"]],
  ["no response", { response: { $ref: "Cart" } }, {}, ["breaking response-removed"]],
  [
    "a larger response",
    { response: { $ref: "Less" } },
    { response: { $ref: "Cart" } },
    ["compatible response-changed"],
  ],
  [
    "another response of the same form",
    { response: { $ref: "Cart" } },
    { response: { $ref: "Same" } },
    ["noise response-changed"],
  ],
  ["a response in place", { response: { $ref: "Cart" } }, { response: schemas.Less }, ["breaking response-changed"]],
  [
    "a body's parameter name",
    { request: { $ref: "Cart" } },
    { request: { $ref: "Cart", parameterName: "cart" } },
    ["noise field-changed"],
  ],
  ["subscription", {}, { supportsSubscription: true }, ["compatible subscription-added"]],
  ["no subscription", { supportsSubscription: true }, {}, ["breaking subscription-removed"]],
  ["a field that isn't known", {}, { useMediaDownloadService: true }, ["noise field-changed"]],
])("members of a method %s", (_, before, after, expected) => {
  expect(differences(withMethod(before, { schemas }), withMethod(after, { schemas }))).toEqual(
    expected.map((line) => `${line} ${subject}`),
  );
});

test("match methods by ID: one is removed, one is added", () => {
  const before = description({ methods: { a: { id: "shop.a", path: "a" }, b: { id: "shop.b", path: "b" } } });
  const after = description({ methods: { b: { id: "shop.b", path: "b" }, c: { id: "shop.c", path: "c" } } });

  expect(compareDescriptions(before, after).changes).toEqual<DescriptionChange[]>([
    { kind: "method-removed", class: "breaking", subject: "shop.a", message: "'shop.a' was removed" },
    { kind: "method-added", class: "compatible", subject: "shop.c", message: "'shop.c' is new" },
  ]);
});

test("match a method that moved to another resource by its ID", () => {
  const get = { id: "shop.get", path: "carts" };
  const before = description({ resources: { carts: { methods: { get } } } });
  const after = description({ resources: { shop: { resources: { carts: { methods: { get } } } } } });

  expect(compareDescriptions(before, after).changes).toEqual<DescriptionChange[]>([
    {
      kind: "resource-changed",
      class: "breaking",
      subject: "shop.get",
      before: "carts.get",
      after: "shop.carts.get",
      message: "'shop.get' is at 'shop.carts.get' among the resources instead of 'carts.get'",
    },
  ]);
});

test("report the methods of a deprecated resource as deprecated", () => {
  const methods = { get: { id: "shop.get", path: "carts" } };
  const before = description({ resources: { carts: { methods } } });
  const after = description({ resources: { carts: { methods, deprecated: true } } });

  expect(differences(before, after)).toEqual(["compatible deprecation-gained shop.get"]);
});

test("report another body with both schemas, its class and its method", () => {
  const before = withMethod({ request: { $ref: "Cart" } }, { schemas });
  const after = withMethod({ request: { $ref: "Less" } }, { schemas });

  expect(compareDescriptions(before, after).changes).toEqual<DescriptionChange[]>([
    {
      kind: "request-changed",
      class: "breaking",
      subject,
      before: "Cart",
      after: "Less",
      message: "'shop.carts.get' takes 'Less' instead of 'Cart', which is not compatible with it: 'Cart.x' was removed",
      reaches: { request: [subject], response: [] },
    },
  ]);
});
