import {
  authorizedDomain,
  type MigrationSource,
  type SourceCertificate,
  type SourceMigration,
  type SourceResource,
} from "..";
import { type PlanRow, placesOfRecords, planRows } from "./rows";

/** A line of a tree with its children. */
export interface TreeNode {
  readonly text: string;
  readonly children: readonly TreeNode[];
}

/**
 * Returns a tree for each migration, with every item of `planRows`: for each certificate, the authorizations that
 * validate its domains, its gate, and the hostnames that it will serve; then the map with its gate and proxies, the
 * forwarding rules, and the records that move traffic.
 */
export function planTrees({ migrations }: Pick<MigrationSource, "migrations">): readonly TreeNode[] {
  return migrations.map((migration) => {
    const rows = planRows({ migrations: [migration] });
    const certificates = new Set(migration.certificates.map(({ name }) => name));
    return {
      text: `${migration.path} (phase ${migration.phase}, gate ${migration.gate}, ${migration.loadBalancer})`,
      children: [
        ...rows.filter(({ what }) => what === "API" || what === "issuance config").map(withDetail),
        ...migration.certificates.map((certificate) => certificateNode(certificate, migration, rows)),
        ...unusedAuthorizations(migration),
        ...migration.entries
          .filter((entry) => !entry.certificates.some((name) => certificates.has(name)))
          .map((entry) => leaf(`entry ${calledOr(entry, entry.hostname)} serves ${entry.hostname}`)),
        ...attachmentNodes(migration, rows),
        ...rows.filter(({ what }) => isOfFrontEnd.has(what)).map(withDetail),
        ...trafficNodes(rows),
        ...alertNodes(rows),
      ],
    };
  });
}

const isOfFrontEnd: ReadonlySet<PlanRow["what"]> = new Set(["trust config", "server TLS policy", "forwarding rule"]);

function certificateNode(
  certificate: SourceCertificate,
  migration: SourceMigration,
  rows: readonly PlanRow[],
): TreeNode {
  const called = certificate.resourceName === undefined ? "" : ` ${certificate.resourceName}`;
  const authorizations = authorizedBy(certificate).map((domain) => {
    const names = certificate.domains.filter((name) => authorizedDomain(name) === domain).join(", ");
    return authorizationNode(domain, migration, `${names}: `);
  });
  const entries = migration.entries
    .filter(({ certificates }) => certificates.includes(certificate.name))
    .map(({ hostname, resourceName }) =>
      leaf(`serves ${hostname}${resourceName === undefined ? "" : ` (${resourceName})`}`),
    );
  return {
    text: `certificate ${certificate.name}${called} [${certificate.kind}]`,
    children: [...authorizations, ...gateLeaves(rows, certificate.name), ...entries],
  };
}

function authorizedBy({ kind, domains, isPrivatelyIssued }: SourceCertificate): readonly string[] {
  return kind === "managed" && isPrivatelyIssued !== true ? [...new Set(domains.map(authorizedDomain))] : [];
}

function authorizationNode(domain: string, migration: SourceMigration, names = ""): TreeNode {
  const authorization = migration.authorizations.find((authorization) => authorization.domain === domain);
  const record = migration.records.find((record) => record.domain === domain);
  return {
    text: `${names}authorization ${authorization?.resourceName ?? domain}`,
    children:
      record === undefined
        ? []
        : [leaf(`CNAME ${record.name ?? `for ${domain}`}, ${placesOfRecords[record.published]}`)],
  };
}

/** Returns authorizations and records of domains that are not in a managed certificate of the migration. */
function unusedAuthorizations(migration: SourceMigration): readonly TreeNode[] {
  const used = new Set(migration.certificates.flatMap(authorizedBy));
  const domains = [...migration.authorizations, ...migration.records].map(({ domain }) => domain);
  return [...new Set(domains)]
    .filter((domain) => !used.has(domain))
    .map((domain) => authorizationNode(domain, migration, `${domain}: `));
}

/** Returns the map with its gate and proxies. If certificates are attached directly, returns only the proxies. */
function attachmentNodes({ map, proxies }: SourceMigration, rows: readonly PlanRow[]): readonly TreeNode[] {
  const presenting = [
    ...gateLeaves(rows, "entries"),
    ...proxies.map((proxy) => leaf(`proxy ${calledOr(proxy, "that only Terraform knows")}`)),
  ];
  if (map === undefined) return presenting;
  return [{ text: `map ${calledOr(map, "that only Terraform knows")}`, children: presenting }];
}

/** Returns the records that move traffic, after the gate of the move. */
function trafficNodes(rows: readonly PlanRow[]): readonly TreeNode[] {
  const records = rows.filter(({ what }) => what === "traffic").map(withDetail);
  const children = [...gateLeaves(rows, "verification"), ...records];
  return children.length === 0 ? [] : [{ text: "traffic", children }];
}

function alertNodes(rows: readonly PlanRow[]): readonly TreeNode[] {
  const children = rows
    .filter(({ what }) => what === "alert")
    .map(({ identity, detail }) => leaf(`${identity}: ${detail}`));
  return children.length === 0 ? [] : [{ text: "alerts", children }];
}

function gateLeaves(rows: readonly PlanRow[], identity: string): readonly TreeNode[] {
  return rows
    .filter((row) => row.what === "gate" && row.identity === identity)
    .map(({ detail }) => leaf(`gate ${detail}`));
}

function withDetail({ what, name, detail }: PlanRow): TreeNode {
  return leaf(what === "traffic" ? `${name} ${detail}` : `${what} ${name}: ${detail}`);
}

function calledOr({ resourceName, id }: SourceResource, otherwise: string): string {
  return resourceName ?? id ?? otherwise;
}

/** Returns the lines of trees, with branches drawn in front of them. */
export function treeLines(nodes: readonly TreeNode[]): readonly string[] {
  return nodes.flatMap(({ text, children }) => [text, ...branchLines(children, "")]);
}

function branchLines(nodes: readonly TreeNode[], indent: string): readonly string[] {
  return nodes.flatMap(({ text, children }, index) => {
    const last = index === nodes.length - 1;
    return [`${indent}${last ? "└─ " : "├─ "}${text}`, ...branchLines(children, `${indent}${last ? "   " : "│  "}`)];
  });
}

function leaf(text: string): TreeNode {
  return { text, children: [] };
}
