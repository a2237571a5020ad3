import type { MigrationSpec } from "../../../lib/plan";
import { type CheckCase, certificate, names, with_ } from "./case";

/** Returns a spec with values that the types refuse, as JSON or context may contain them. */
const wrong = (values: Readonly<Record<string, unknown>>) => with_(values as Partial<MigrationSpec>);

export const generalCases: readonly CheckCase[] = [
  {
    code: "name-invalid",
    refused: certificate({ name: "Shop 1", domains: ["example.com"] }),
    accepted: certificate({ name: "shop-1", domains: ["example.com"] }),
  },
  { code: "name-prefix-invalid", refused: with_({ namePrefix: "1st" }), accepted: with_({ namePrefix: "first" }) },
  {
    code: "property-missing",
    refused: wrong({ certificates: [{ domains: ["example.com"] }], name: undefined }),
    accepted: with_({ name: "shop" }),
  },
  { code: "property-unknown", refused: wrong({ mustserve: [] }), accepted: with_({ mustServe: [] }) },
  { code: "value-wrong-type", refused: wrong({ enableApis: "true" }), accepted: with_({ enableApis: true }) },
  { code: "value-not-allowed", refused: wrong({ gate: "Wait" }), accepted: with_({ gate: "wait" }) },
  { code: "list-empty", refused: with_({ certificates: [] }), accepted: with_({}) },
  {
    code: "expression-not-allowed",
    refused: with_({ description: '${file("secret.txt")}' }),
    accepted: with_({ description: '$${file("secret.txt")}' }),
  },
  { code: "value-out-of-range", refused: with_({ gateTimeoutMinutes: 0 }), accepted: with_({ gateTimeoutMinutes: 1 }) },
  {
    code: "reference-not-allowed",
    refused: certificate({ name: "${var.name}", domains: ["example.com"] }),
    accepted: certificate({ name: "name", domains: ["example.com"] }),
  },
  {
    code: "key-repeated",
    refused: with_({ dns: { kind: "cloudDns", zones: { "example.com": "a", "EXAMPLE.com.": "b" } } }),
    accepted: with_({ dns: { kind: "cloudDns", zones: { "EXAMPLE.com.": "b" } } }),
  },
  {
    code: "project-invalid",
    refused: with_({ project: "My_Project" }),
    accepted: with_({ project: "example.com:shop" }),
  },
  { code: "gate-command-invalid", refused: with_({ gateCommand: "a\nb" }), accepted: with_({ gateCommand: "a b" }) },
  {
    code: "label-key-invalid",
    refused: with_({ labels: { Team: "web" } }),
    accepted: with_({ labels: { team: "web" } }),
  },
  {
    code: "label-value-invalid",
    refused: with_({ labels: { team: "Web" } }),
    accepted: with_({ labels: { team: "über_1" } }),
  },
  {
    code: "labels-too-many",
    refused: with_({ labels: Object.fromEntries(names(65).map((name) => [name.split(".")[0], "x"])) }),
    accepted: with_({ labels: Object.fromEntries(names(64).map((name) => [name.split(".")[0], "x"])) }),
  },
  {
    code: "description-too-long",
    refused: with_({ description: "x".repeat(1025) }),
    accepted: with_({ description: "x".repeat(1024) }),
  },
];
