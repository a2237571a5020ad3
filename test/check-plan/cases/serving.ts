import {
  at,
  type Case,
  certificate,
  classic,
  classicId,
  cm,
  createFirst,
  destroyFirst,
  entry,
  type Fields,
  gone,
  id,
  next,
  other,
  planOf,
  proxy,
  toMap,
  toNewMap,
  waiting,
} from "../plans";

const primary: Fields = { ...entry("", "shop"), hostname: undefined, matcher: "PRIMARY" };

/** A plan in which an entry moves to another hostname, and its previous hostname gets a new entry. */
const movedEntry = (more: Fields = {}) =>
  planOf(
    [
      { address: at.entry, actions: createFirst, after: { hostname: "www.example.com" } },
      { address: other.entry, actions: ["create"], after: entry("example.com", "shop") },
    ],
    {
      there: {
        [at.certificate]: {
          ...certificate("shop"),
          managed: [{ domains: ["example.com", "www.example.com"], state: "ACTIVE" }],
        },
      },
      more,
    },
  );

export const refused: readonly Case[] = [
  ["a live entry is deleted", planOf([{ address: at.entry, actions: gone }]), [`entry-deleted ${at.entry}`]],
  [
    "an entry moves to another hostname, and a new entry for its hostname may be created later",
    movedEntry(),
    [`entry-replaced ${at.entry}`],
  ],
  ["a live entry is replaced", planOf([{ address: at.entry, actions: destroyFirst }]), [`entry-replaced ${at.entry}`]],
  [
    "map and entries are recreated under another name, and the proxy is changed without an order",
    planOf(
      [
        { address: at.map, actions: createFirst, after: { name: "next" }, unknown: { id: true } },
        { address: at.entry, actions: createFirst, after: { map: "next" } },
        toNewMap,
      ],
      { more: waiting(at.proxy, at.map) },
    ),
    [`map-switched-early ${at.proxy}`],
  ],
  [
    "an entry of a map that is kept elsewhere is deleted",
    planOf([
      {
        address: `${cm}_certificate_map_entry.other`,
        actions: gone,
        before: { ...entry("a.example", "shop"), map: "theirs" },
      },
    ]),
    [`entry-deleted ${cm}_certificate_map_entry.other`],
  ],
  ["a map is deleted", planOf([{ address: at.map, actions: gone }]), [`map-deleted ${at.map}`]],
  ["a map is replaced", planOf([{ address: at.map, actions: destroyFirst }]), [`map-deleted ${at.map}`]],
  ["a proxy is deleted", planOf([{ address: at.proxy, actions: gone }]), [`proxy-deleted ${at.proxy}`]],
  ["a proxy is replaced", planOf([{ address: at.proxy, actions: destroyFirst }]), [`proxy-replaced ${at.proxy}`]],
  [
    "a proxy in a module is deleted",
    planOf([{ address: "module.lb.google_compute_target_ssl_proxy.web", actions: gone, before: proxy }]),
    ["proxy-deleted module.lb.google_compute_target_ssl_proxy.web"],
  ],
  [
    "an entry gets a certificate for another name",
    planOf([{ address: at.entry, actions: ["update"], after: { certificates: [id("other")] } }], {
      there: {
        [`${cm}_certificate.other`]: {
          ...certificate("other"),
          managed: [{ domains: ["*.example.net"], state: "ACTIVE" }],
        },
      },
    }),
    [`entry-certificate-mismatch ${at.entry}`],
  ],
  [
    "an address that is in use is given back",
    planOf([{ address: "google_compute_global_address.web", actions: gone, before: { address: "203.0.113.7" } }]),
    ["address-deleted google_compute_global_address.web"],
  ],
  [
    "an entry is moved to another map, made there first",
    planOf([{ address: at.entry, actions: createFirst, after: { map: "next" } }]),
    [`entry-deleted ${at.entry}`],
  ],
  [
    "an entry is moved to another map, deleted here first",
    planOf([{ address: at.entry, actions: destroyFirst, after: { map: "next" } }]),
    [`entry-deleted ${at.entry}`],
  ],
  ...[{ certificates: [] }, { certificates: null }, { certificates: undefined }].flatMap((after) =>
    ["update", "create,delete"].map(
      (actions) =>
        [
          `an entry is left without certificates: ${actions} to ${JSON.stringify(after)}`,
          planOf([{ address: at.entry, actions: actions.split(","), after }]),
          [`entry-emptied ${at.entry}`],
        ] as const,
    ),
  ),
  [
    "the entry of a wildcard is left without certificates",
    planOf([
      {
        address: at.entry,
        actions: ["update"],
        before: entry("*.example.com", "shop"),
        after: { certificates: [] },
      },
    ]),
    [`entry-emptied ${at.entry}`],
  ],
  [
    "the PRIMARY entry is left without certificates",
    planOf([{ address: at.entry, actions: ["update"], before: primary, after: { certificates: [] } }]),
    [`entry-emptied ${at.entry}`],
  ],
  [
    "a new entry without certificates takes a name over from PRIMARY",
    planOf([{ address: other.entry, actions: ["create"], after: entry("www.example.com") }], {
      there: {
        [at.entry]: primary,
        [at.certificate]: { ...certificate("shop"), managed: [{ domains: ["*.example.com"], state: "ACTIVE" }] },
      },
    }),
    [`entry-emptied ${other.entry}`],
  ],
  [
    "a proxy gets a map whose entry has no certificate",
    planOf([toMap("next")], {
      there: { [other.map]: { name: "next" }, [other.entry]: { ...entry("example.com"), map: "next" } },
    }),
    [`map-switched-early ${at.proxy}`],
  ],
  ...["certificate_manager_certificates", "ssl_certificates"].flatMap((attribute) =>
    [["update"], createFirst].flatMap((actions) =>
      [[], null, undefined].map(
        (left) =>
          [
            `a proxy without a map is left without certificates: ${actions.join()} of ${attribute} to ${JSON.stringify(left)}`,
            planOf([{ address: at.proxy, actions, after: { [attribute]: left } }], {
              there: { [at.proxy]: { name: "web", [attribute]: [id("shop")] } },
            }),
            [`certificate-detached ${at.proxy}`],
          ] as const,
      ),
    ),
  ),
];

export const passing: readonly Case[] = [
  [
    "an entry of a map that no proxy has is left without certificates",
    planOf([{ address: at.entry, actions: ["update"], after: { certificates: [] } }], {
      there: { [at.proxy]: { name: "web" } },
    }),
    [],
  ],
  [
    "an entry without certificates gets none",
    planOf([{ address: at.entry, actions: ["update"], before: entry("example.com"), after: { state: "PENDING" } }]),
    [],
  ],
  [
    "an entry moves to another hostname after a new entry for its hostname is created",
    movedEntry(waiting(at.entry, other.entry)),
    [`entry-deleted-covered ${at.entry}`],
  ],
  ["nothing changes", planOf([{ address: at.entry, actions: ["no-op"] }]), []],
  [
    "an entry of a map that no proxy has is deleted",
    planOf([{ address: at.entry, actions: gone }], { there: { [at.proxy]: { name: "web" } } }),
    [],
  ],
  [
    "an entry is deleted whose name a wildcard serves",
    planOf([{ address: `${cm}_certificate_map_entry.www`, actions: gone, before: entry("www.example.com", "shop") }], {
      there: {
        [`${cm}_certificate_map_entry.any`]: entry("*.example.com", "any"),
        [`${cm}_certificate.any`]: {
          ...certificate("any"),
          managed: [{ domains: ["*.example.com"], state: "ACTIVE" }],
        },
      },
    }),
    [`entry-deleted-covered ${cm}_certificate_map_entry.www`],
  ],
  [
    "the certificates of Compute Engine go from behind a map",
    planOf([{ address: at.proxy, actions: ["update"], after: { ssl_certificates: [] } }], {
      there: {
        [at.proxy]: { ...proxy, ssl_certificates: [classicId("old")] },
        [other.classic]: classic("old", "example.com"),
      },
    }),
    [],
  ],
  [
    "map and entries are recreated under another name, the proxy is changed, and then the previous map and entries are deleted",
    planOf(
      [
        { address: at.map, actions: createFirst, after: { name: "next" }, unknown: { id: true } },
        { address: at.entry, actions: createFirst, after: { map: "next" } },
        toNewMap,
      ],
      { more: waiting(at.proxy, at.map, at.entry) },
    ),
    [],
  ],
  [
    "an entry gets a certificate for the wildcard above it",
    planOf(
      [
        {
          address: at.entry,
          actions: ["update"],
          before: entry("www.example.com", "shop"),
          after: { certificates: [id("any")] },
        },
      ],
      {
        there: {
          [`${cm}_certificate.any`]: {
            ...certificate("any"),
            managed: [{ domains: ["*.example.com"], state: "ACTIVE" }],
          },
        },
      },
    ),
    [],
  ],
  [
    "a proxy without a map gets the next certificate for a name instead of the previous certificate",
    planOf(
      [
        {
          address: "google_compute_region_target_https_proxy.r",
          actions: ["update"],
          before: { name: "r", certificate_manager_certificates: [id("shop")] },
          after: { certificate_manager_certificates: [id("next")] },
        },
      ],
      { there: { [next]: certificate("next") } },
    ),
    [],
  ],
  [
    "an unused address is released",
    planOf([{ address: "google_compute_address.spare", actions: gone, before: { address: "203.0.113.9", users: [] } }]),
    [],
  ],
  ["Terraform forgets an entry", planOf([{ address: at.entry, actions: ["forget"] }]), []],
];
