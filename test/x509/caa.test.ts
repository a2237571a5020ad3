import { caaConditions } from "../../lib/x509";

test.each<[string, string, readonly string[], readonly object[]]>([
  ["no parameters", "example.com", ['0 issue "pki.goog"'], [{}]],
  [
    "parameters of each property",
    "example.com",
    ['0 issue "pki.goog; ValidationMethods=dns-01,http-01"', '0 issue "pki.goog;accounturi=https://a/?b=c"'],
    [{ validationmethods: "dns-01,http-01" }, { accounturi: "https://a/?b=c" }],
  ],
  ["another CA", "example.com", ['0 issue "ca.example; accounturi=x"'], []],
  [
    "properties for wildcards",
    "*.example.com",
    ['0 issue "pki.goog"', '0 issuewild "pki.goog; validationmethods=http-01"'],
    [{ validationmethods: "http-01" }],
  ],
])("reads the conditions of CAA records with %s", (_, name, records, conditions) => {
  expect(caaConditions(name, records).map((one) => Object.fromEntries(one))).toEqual(conditions);
});
