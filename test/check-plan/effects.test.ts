import { at, createFirst, destroyFirst, gone, judged, planOf, type Step, toBalancer, toMap } from "./plans";

const effectsOf = (...steps: readonly Step[]) => judged(planOf(steps)).effects;
const address = { hostname: "example.com", part: "address", before: ["198.51.100.1"], protectedBy: [], address: at.a };

test.each<[string, Step, object]>([
  [
    "new data of an address record",
    toBalancer,
    { ...address, after: ["203.0.113.7"], when: "when Terraform updates it in place" },
  ],
  [
    "the deletion of an address record, under the name that it had",
    { address: at.a, actions: gone },
    { ...address, after: [], when: "when Terraform deletes it" },
  ],
  [
    "the replacement of an address record, under the name that it gets",
    { address: at.a, actions: destroyFirst, after: { name: "www.example.com." } },
    { ...address, hostname: "www.example.com", after: ["198.51.100.1"], when: "deleted first, then created" },
  ],
  [
    "other certificates of an entry",
    {
      address: at.entry,
      actions: ["update"],
      after: { certificates: ["projects/p/locations/global/certificates/b"] },
    },
    {
      hostname: "example.com",
      part: "certificates",
      before: ["shop"],
      after: ["b"],
      when: "when Terraform updates it in place",
      protectedBy: [],
      address: at.entry,
    },
  ],
  [
    "the replacement of an entry, under the hostname that it gets",
    { address: at.entry, actions: createFirst, after: { hostname: "www.example.com" } },
    {
      hostname: "www.example.com",
      part: "certificates",
      before: ["shop"],
      after: ["shop"],
      when: "created first, then deleted",
      protectedBy: [],
      address: at.entry,
    },
  ],
  [
    "another map of a proxy, for each hostname of the map",
    toMap("next"),
    {
      hostname: "example.com",
      part: "map",
      before: ["main"],
      after: ["next"],
      when: "when Terraform updates it in place",
      protectedBy: [],
      address: at.proxy,
    },
  ],
])("the effects of a plan contain %s", (_, step, expected) => {
  expect(effectsOf(step)).toEqual([expected]);
});

test("the effects of a plan are sorted by hostname, and leave out records that have no name of the load balancer", () => {
  const www = { address: "google_dns_record_set.www", before: { name: "www.example.com.", type: "A" } };
  const mail = { address: "google_dns_record_set.mail", before: { name: "example.com.", type: "MX" } };
  expect(
    effectsOf({ ...www, actions: gone }, { ...mail, actions: gone }, toBalancer, {
      address: at.entry,
      actions: gone,
    }).map(({ hostname, part }) => `${hostname} ${part}`),
  ).toEqual(["example.com address", "example.com certificates"]);
});
