import {
  at,
  createFirst,
  destroyFirst,
  entry,
  entryOf,
  mapId,
  newMap,
  other,
  planOf,
  proxy,
  targetOf,
  toMap,
} from "../check-plan/plans";
import { testPlans } from "./check-plan-reported";
import { certificateAt, configured, entryAt, managedFor, regional, regionalAt } from "./check-plan-resources";

const toNext = { address: at.rule, actions: ["update"], after: { target: targetOf("bare") } };

/**
 * A switch to a new map with two entries, of which the proxy names one. @param more of the proxy in the configuration
 */
const namingOneEntry = (more: object) =>
  planOf(
    [
      newMap,
      { address: `${other.entry}["a"]`, actions: ["create"], after: entryOf("next", "shop") },
      {
        address: `${other.entry}["b"]`,
        actions: ["create"],
        after: { ...entryOf("next", "shop"), hostname: "www.example.com" },
      },
      toMap("next"),
    ],
    {
      there: {
        [at.certificate]: managedFor("shop", "ACTIVE", "example.com", "*.example.com"),
        [entryAt("www")]: entry("www.example.com", "shop"),
      },
      more: configured({
        address: at.proxy,
        expressions: {
          certificate_map: { references: [`${other.entry}["a"].map`, `${other.entry}["a"]`, other.entry] },
        },
        ...more,
      }),
    },
  );

/** Proxies and addresses that plans switch to other maps and certificates, and what `check-plan` reports of each. */
testPlans([
  [
    "finds a switch to an existing map whose entry is made in the same apply",
    planOf([{ address: other.entry, actions: ["create"], after: entryOf("next", "shop") }, toMap("next")], {
      there: { [other.map]: { name: "next" } },
    }),
    "map-switched-early example.com",
  ],
  [
    "finds a switch to a map whose entry is deleted and recreated",
    planOf([{ address: other.entry, actions: destroyFirst }, toMap("next")], {
      there: { [other.map]: { name: "next" }, [other.entry]: entryOf("next", "shop") },
    }),
    "map-switched-early example.com",
  ],
  [
    "accepts a switch to a map whose entries were there before",
    planOf([toMap("next")], { there: { [other.map]: { name: "next" }, [other.entry]: entryOf("next", "shop") } }),
  ],
  [
    "finds a switch to a map whose entry for the hostname has a certificate for another one",
    planOf([toMap("next")], {
      there: {
        [other.map]: { name: "next" },
        [other.entry]: entryOf("next", "net"),
        [certificateAt("net")]: managedFor("net", "ACTIVE", "example.net"),
      },
    }),
    "map-switched-incomplete example.com",
  ],
  [
    "accepts a switch to a map whose PRIMARY entry has a certificate for the hostname",
    planOf([toMap("next")], {
      there: {
        [other.map]: { name: "next" },
        [other.entry]: { ...entryOf("next", "shop"), hostname: undefined, matcher: "PRIMARY" },
      },
    }),
  ],
  [
    "finds an address whose rule gets a proxy whose map gets its entry in the same apply",
    planOf([{ address: other.entry, actions: ["create"], after: entryOf("next", "shop") }, toNext], {
      there: {
        [other.proxy]: { ...proxy, name: "bare", certificate_map: mapId("next") },
        [other.map]: { name: "next" },
      },
    }),
    "map-switched-early example.com",
  ],
  [
    "finds an address whose rule gets a proxy with certificates that are not issued",
    planOf([toNext], {
      there: {
        [other.proxy]: { ...regional("slow"), name: "bare" },
        [certificateAt("slow")]: managedFor("slow", "PROVISIONING", "example.com"),
      },
    }),
    "repointed-to-inactive example.com",
  ],
  [
    "finds a proxy replaced by one with a certificate that is not issued",
    planOf([{ address: regionalAt, actions: createFirst, after: { ...regional("slow"), name: "r2" } }], {
      there: {
        [regionalAt]: regional("shop"),
        [certificateAt("slow")]: managedFor("slow", "PROVISIONING", "example.com"),
      },
    }),
    "repointed-to-inactive example.com",
  ],
  [
    "accepts a switch that names one entry of the new map and depends on all of them",
    namingOneEntry({ depends_on: [other.entry] }),
  ],
  [
    "finds a switch that names one entry of the new map and not the others",
    namingOneEntry({}),
    "map-switched-early www.example.com",
  ],
]);
