// Checks the imports between the modules of lib against docs/generate/modules.json.
const { $comment: _, ...modules } = require("./docs/generate/modules.json");

const folder = (name) => `^lib/${name}/`;

/** Modules may import the modules in their row, and nothing else of lib. */
const layers = Object.entries(modules).map(([name, { uses }]) => ({
  name: `${name}-uses-only-its-row`,
  severity: "error",
  from: { path: folder(name) },
  to: { path: "^lib/", pathNot: [name, ...uses].map(folder) },
}));

/** A module is imported through its index or a public folder. */
const entries = Object.entries(modules).flatMap(([name, { entries = [] }]) =>
  entries.includes("*")
    ? []
    : {
        name: `${name}-has-internal-files`,
        severity: "error",
        from: { path: "^lib/", pathNot: folder(name) },
        to: {
          path: folder(name),
          pathNot: ["", ...entries.map((entry) => `${entry}/`)].map((at) => `^lib/${name}/${at}index\\.ts$`),
        },
      },
);

const pure = Object.keys(modules).filter((name) => modules[name].pure);

module.exports = {
  forbidden: [
    ...layers,
    ...entries,
    {
      name: "every-folder-is-in-the-table",
      severity: "error",
      from: { path: "^lib/", pathNot: [...Object.keys(modules).map(folder), "^lib/index\\.ts$"] },
      to: {},
    },
    {
      name: "pure-modules-take-the-world-as-arguments",
      severity: "error",
      from: { path: pure.map(folder) },
      // URL, isIP and digests are pure functions.
      to: { dependencyTypes: ["core"], pathNot: "^(node:)?(url|net|crypto)$" },
    },
    {
      name: "only-constructs-import-cdktf",
      severity: "error",
      // The command synthesizes a spec for rehearsals; it loads cdktf at that moment only.
      from: { path: "^lib/", pathNot: [folder("constructs"), "^lib/cli/synthesize\\.ts$"] },
      to: { path: "node_modules/(cdktf|@cdktf)/" },
    },
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
  ],
  options: {
    parser: "swc",
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: { extensions: [".ts", ".js", ".json"] },
  },
};
