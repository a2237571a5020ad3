import { withOtherStacks } from "../../lib/rehearsal/other-stacks";
import { openKnownTypes } from "../../lib/terraform-provider";

const network = {
  provider: { google: [{ project: "p1", region: "europe-west1" }] },
  resource: {
    google_compute_global_address: { ip: { name: "shared" } },
    google_compute_address: { regional: { name: "regional", project: "p2" } },
    google_pubsub_topic: { topic: { name: "topic" } },
    google_dns_managed_zone: { zone: { name: "example-com", dns_name: "example.com." } },
  },
  output: {
    address: { value: "${google_compute_global_address.ip.address}" },
    regional: { value: "${google_compute_address.regional.self_link}" },
    zone: { value: "${google_dns_managed_zone.zone.dns_name}" },
    text: { value: "shop" },
    number: { value: 3 },
    topic: { value: "${google_pubsub_topic.topic.id}" },
    joined: { value: '${join("-", ["a"])}' },
  },
};
const id = "cross-stack-reference-input-network";
const state = { backend: "local", config: { path: "x" } };
const taken = (output: string, others = new Map([["network", network]])) => {
  const text = `\${data.terraform_remote_state.${id}.outputs.${output}}`;
  const stack = { data: { terraform_remote_state: { [id]: state } }, resource: { a: { b: { text } } } };
  const made = withOtherStacks(stack, others, openKnownTypes()) as unknown as typeof stack;
  return { text: made.resource.a.b.text, data: made.data };
};

test.each<[string, string, unknown, object]>([
  ["an output that the other stack states", "text", "shop", {}],
  ["a number", "number", "${3}", {}],
  ["an argument of a resource", "zone", "example.com.", {}],
  [
    "a looked-up attribute that only the service knows",
    "address",
    "${data.google_compute_global_address.ip.address}",
    { google_compute_global_address: { ip: { name: "shared", project: "p1" } } },
  ],
  [
    "a looked-up regional attribute in another project",
    "regional",
    "${data.google_compute_address.regional.self_link}",
    { google_compute_address: { regional: { name: "regional", project: "p2", region: "europe-west1" } } },
  ],
])("resolves a reference to another stack: %s", (_, output, text, data) => {
  expect(taken(output)).toEqual({ text, data });
});

test.each(["topic", "joined", "no-such"])("keeps a reference to '%s' as a reference to the state", (output) => {
  expect(taken(output)).toEqual({
    text: `\${data.terraform_remote_state.${id}.outputs.${output}}`,
    data: { terraform_remote_state: { [id]: state } },
  });
});

test("changes nothing if the other stack is missing", () => {
  expect(taken("text", new Map())).toEqual({
    text: `\${data.terraform_remote_state.${id}.outputs.text}`,
    data: { terraform_remote_state: { [id]: state } },
  });
});
