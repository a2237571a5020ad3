import { endpointOf } from "../../lib/cli/options";

const [given, named] = ["http://127.0.0.1:1", "http://127.0.0.1:2"];

test.each([
  ["nothing, Google is asked", {}, {}, undefined],
  ["the variable, that", {}, { CERT_MIGRATION_ENDPOINT: named }, named],
  ["the option, that rather than the variable", { endpoint: given }, { CERT_MIGRATION_ENDPOINT: named }, given],
  ["an empty variable, as a pipeline sets one, Google is asked", {}, { CERT_MIGRATION_ENDPOINT: "" }, undefined],
  ["an empty option, it is there to be refused", { endpoint: "" }, {}, ""],
])("with %s", (_, options, env, expected) => {
  expect(endpointOf(options, { env })).toBe(expected);
});
