import { foreignProvisioners } from "../../../lib/rehearsal/terraform-dir/plan-provisioners";

const gateCommand = "node main.js";
const gates = { names: new Set(["migration_gate"]), gateCommand };
const gate = {
  type: "local-exec",
  expressions: {
    command: { constant_value: `${gateCommand} wait --from-environment` },
    environment: { references: ["google_a.b.id"] },
  },
};
const resource = (change: object = {}) => ({
  address: "terraform_data.migration_gate",
  type: "terraform_data",
  name: "migration_gate",
  provisioners: [gate],
  ...change,
});

const withCommand = (command: object) =>
  resource({ provisioners: [{ ...gate, expressions: { ...gate.expressions, command } }] });

/** A plan whose module `certificates` has a resource. */
const planWith = (one: object) => ({
  configuration: { root_module: { module_calls: { certificates: { module: { resources: [one] } } } } },
});

test.each([
  ["a gate", resource()],
  ["a resource without provisioners", { address: "google_dns_record_set.a", type: "google_dns_record_set", name: "a" }],
])("accepts %s", (_, one) => {
  expect(foreignProvisioners(planWith(one), gates)).toEqual([]);
});

test.each([
  ["another command", resource({ provisioners: [{ ...gate, expressions: { command: { constant_value: "rm" } } }] })],
  [
    "a command that only begins like the gate's",
    withCommand({ constant_value: `${gateCommand} wait --from-environment; true` }),
  ],
  ["a command with a reference", withCommand({ references: ["path.module"] })],
  [
    "a gate's command without variables",
    resource({ provisioners: [{ ...gate, expressions: { command: gate.expressions.command } }] }),
  ],
  [
    "another argument",
    resource({
      provisioners: [{ ...gate, expressions: { ...gate.expressions, interpreter: { constant_value: ["sh"] } } }],
    }),
  ],
  ["another kind", resource({ provisioners: [gate, { type: "remote-exec", expressions: {} }] })],
  ["another resource", resource({ name: "own", address: "terraform_data.own" })],
  ["another type of resource", resource({ type: "null_resource" })],
])("refuses a provisioner with %s, in a module as well", (_, one) => {
  expect(foreignProvisioners(planWith(one), gates)).toEqual([
    {
      address: expect.stringMatching(/^provisioner '(?:local|remote)-exec' of module\.certificates\.terraform_data\./),
      what: "a command of your own; only gates of generated modules run",
    },
  ]);
  const inRoot = { configuration: { root_module: { resources: [one] } } };
  expect(foreignProvisioners(inRoot, gates)).toHaveLength(1);
});
