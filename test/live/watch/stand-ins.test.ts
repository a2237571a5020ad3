import { findStandIns, type ResolverAnswer } from "../../../lib/live/watch";

const { signal } = new AbortController();
/** A wait that ends as soon as every responsive resolver has answered. */
const sleep = () => new Promise<void>((resolve) => setImmediate(resolve));
const here: ResolverAnswer = { ok: true, addresses: ["203.0.113.7"] };
const nowhere: ResolverAnswer = { ok: false, code: "dns-no-address", detail: "NXDOMAIN" };
const failed: ResolverAnswer = { ok: false, code: "dns-failed", detail: "SERVFAIL" };
const answers = (answer: ResolverAnswer) => ({ resolve: async () => answer });
const silent = { resolve: () => new Promise<ResolverAnswer>(() => undefined) };

const find = (...resolvers: Parameters<typeof findStandIns>[1]["resolvers"]) =>
  findStandIns(["*.example.com"], { resolvers, random: () => 0.5, sleep, signal });

const watched = { watched: new Map([["probe-i0000000.example.com", "*.example.com"]]), left: [] };
const left = (why: string) => ({ watched: new Map(), left: [{ wildcard: "*.example.com", why }] });

test.each([
  ["one resolver has an address", [answers(nowhere), answers(here)], watched],
  ["one has an address and one is silent", [silent, answers(here)], watched],
  ["no resolver has an address", [answers(nowhere), answers(nowhere)], left("no-address")],
  ["one has no address and one is silent", [silent, answers(nowhere)], left("no-address")],
  ["the only resolver fails", [answers(failed)], left("unanswered")],
  ["the only resolver is silent", [silent], left("unanswered")],
])("selects a label for a wildcard if %s", async (_, resolvers, expected) => {
  expect(await find(...resolvers)).toEqual(expected);
});

test("uses a given label under each wildcard", async () => {
  const wildcards = ["*.example.com", "*.shop.example.com"];
  const found = await findStandIns(wildcards, {
    resolvers: [answers(here)],
    label: "a",
    random: () => 0,
    sleep,
    signal,
  });
  expect([...found.watched]).toEqual([
    ["a.example.com", "*.example.com"],
    ["a.shop.example.com", "*.shop.example.com"],
  ]);
});
