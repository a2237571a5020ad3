import { exchangeKit } from "../../build/exchange-kit";

test.each([
  ['const a = require("cdktf");', 'const a = require("cdktn");'],
  ["import type { App } from 'cdktf';", "import type { App } from 'cdktn';"],
  [
    'import { X } from "@cdktf/provider-google/lib/dns-record-set";',
    'import { X } from "@cdktn/provider-google/lib/dns-record-set";',
  ],
  ['let a: import("cdktf").App;', 'let a: import("cdktn").App;'],
  ['exports.kitName = "cdktf";', 'exports.kitName = "cdktn";'],
  ['var b = require("./constructs");', 'var b = require("./cdktn-constructs");'],
])("exchanges the package in %s", (text, expected) => {
  expect(exchangeKit(text)).toBe(expected);
});

test.each([
  'const a = require("cdktf-google-cert-migration/plan");',
  'const a = require("constructs");',
  'const a = require("../plan");',
  "throw new Error(\"an app of cdktf: install 'cdktf-cli'\");",
  'Symbol.for("cdktf/TerraformStack");',
  'require("@cdktf/provider-google-beta/lib/provider");',
  "cdktf_1.Lazy.anyValue({});",
])("leaves %s unchanged", (text) => {
  expect(exchangeKit(text)).toBe(text);
});
