import {
  at,
  type Case,
  certificate,
  classic,
  classicId,
  classicProxy,
  cm,
  gone,
  id,
  mapId,
  other,
  planOf,
  proxy,
  toMap,
} from "../plans";

const both = { ...proxy, ...classicProxy("old"), certificate_map: proxy.certificate_map };
const detach = { address: at.proxy, actions: ["update"], after: { ssl_certificates: [] } };
const mapped = { [at.proxy]: both, [other.classic]: classic("old", "example.com") };

export const refused: readonly Case[] = [
  [
    "a proxy with a map loses a direct certificate for a name that the map does not serve",
    planOf([detach], { there: { ...mapped, [other.classic]: classic("old", "example.com", "www.example.com") } }),
    [`certificate-detached-unmapped ${at.proxy}`],
  ],
  [
    "a proxy with a map loses a direct certificate for a name whose entry is pending",
    planOf([detach], {
      there: {
        ...mapped,
        [at.entry]: { hostname: "example.com", map: "main", certificates: [id("shop")], state: "PENDING" },
      },
    }),
    [`certificate-detached-unmapped ${at.proxy}`],
  ],
  [
    "a proxy gets a map and loses its direct certificate in one apply",
    planOf([{ ...toMap("main"), after: { ...toMap("main").after, ssl_certificates: [] } }], {
      there: { [at.proxy]: classicProxy("old"), [other.classic]: classic("old", "example.com") },
    }),
    [`certificate-detached-with-switch ${at.proxy}`],
  ],
  [
    "a direct certificate is deleted in the apply that detaches it",
    planOf([detach, { address: other.classic, actions: gone }], { there: mapped }),
    [`certificate-deleted-with-detachment ${other.classic}`],
  ],
  [
    "a direct certificate is deleted while a proxy with a map still has it",
    planOf([{ address: other.classic, actions: gone }], { there: mapped }),
    [`certificate-destroyed-early ${other.classic}`],
  ],
  [
    "a proxy with a map loses a certificate whose names the plan does not contain",
    planOf([detach], { there: { [at.proxy]: { ...both, ssl_certificates: [classicId("theirs")] } } }),
    [`certificate-detached-unchecked ${at.proxy}`],
  ],
  [
    "a proxy with the map of another configuration loses a direct certificate",
    planOf([detach], { there: { ...mapped, [at.proxy]: { ...both, certificate_map: mapId("theirs") } } }),
    [`certificate-detached-unchecked ${at.proxy}`],
  ],
  [
    "a proxy loses its map, and its direct certificate lacks a name of the map",
    planOf([{ address: at.proxy, actions: ["update"], after: { certificate_map: null } }], {
      there: { ...mapped, [other.classic]: classic("old", "www.example.com") },
    }),
    [`map-detached ${at.proxy}`],
  ],
  [
    "a proxy loses its map, and the names of its direct certificate are unknown",
    planOf([{ address: at.proxy, actions: ["update"], after: { certificate_map: null } }], {
      there: { [at.proxy]: { ...both, ssl_certificates: [classicId("theirs")] } },
    }),
    [`map-detached-to-unknown ${at.proxy}`],
  ],
];

export const passing: readonly Case[] = [
  ["a proxy loses a direct certificate whose names the map serves", planOf([detach], { there: mapped }), []],
  [
    "a proxy loses a direct certificate whose names a wildcard entry serves",
    planOf([detach], {
      there: {
        ...mapped,
        [other.classic]: classic("old", "www.example.com"),
        [`${cm}_certificate.wild`]: {
          ...certificate("wild"),
          managed: [{ domains: ["*.example.com"], state: "ACTIVE" }],
        },
        [`${cm}_certificate_map_entry.wild`]: {
          hostname: "*.example.com",
          map: "main",
          certificates: [id("wild")],
          state: "ACTIVE",
        },
      },
    }),
    [],
  ],
  [
    "a direct certificate is deleted after it was detached, and no log of verifications is given",
    planOf([{ address: other.classic, actions: gone }], { there: { ...mapped, [at.proxy]: proxy } }),
    [`certificate-deleted-unchecked ${other.classic}`],
  ],
  [
    "a certificate is deleted whose names no map serves",
    planOf([{ address: other.classic, actions: gone }], {
      there: { [at.proxy]: proxy, [other.classic]: classic("old", "www.example.net") },
    }),
    [],
  ],
  [
    "a proxy loses its map, and its direct certificate is for every name: a rollback",
    planOf([{ address: at.proxy, actions: ["update"], after: { certificate_map: null } }], { there: mapped }),
    [],
  ],
];
