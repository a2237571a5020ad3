import { formatProblems, parseMigrationDocument } from "../../../lib/plan";

/** The smallest migration; each case adds its own lines. */
export const MINIMAL = `name: shop
certificates:
  - domains: [example.com, "*.example.com"]
dns:
  kind: external
`;

/** Returns the problems of a document as lines. */
export function problemsOf(text: string, readFile?: (path: string) => string): readonly string[] {
  const parsed = parseMigrationDocument(text, { source: "m.yaml", ...(readFile === undefined ? {} : { readFile }) });
  return "problems" in parsed ? formatProblems(parsed.problems).trimEnd().split("\n") : [];
}

export function specOf(text: string, readFile?: (path: string) => string): unknown {
  const parsed = parseMigrationDocument(text, { source: "m.yaml", ...(readFile === undefined ? {} : { readFile }) });
  return "spec" in parsed ? parsed.spec : parsed.problems;
}

export const minimal = {
  name: "shop",
  certificates: [{ domains: ["example.com", "*.example.com"] }],
  dns: { kind: "external" },
};
