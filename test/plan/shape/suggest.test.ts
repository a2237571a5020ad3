import { nearestCandidate } from "../../../lib/plan/shape/suggest";

test.each([
  ["domain", "domains"],
  ["Domains", "domains"],
  ["doamins", "domains"],
  ["load_balancer", "loadBalancer"],
  ["load-balancer", "loadBalancer"],
  ["loadbalancers", "loadBalancer"],
  ["ttlSecond", "ttlSeconds"],
  ["a", "a"],
  ["b", undefined],
  ["sandwich", undefined],
  ["", undefined],
  ["x".repeat(10_000), undefined],
])("for %s: %s", (word, expected) => {
  expect(nearestCandidate(word, ["a", "domains", "loadBalancer", "ttlSeconds"])).toBe(expected);
});
