import { authorizedDomain, type MigrationSource, type SourceCertificate, type SourceMigration } from "..";

/** A line of a tree with its children. */
export interface TreeNode {
  readonly text: string;
  readonly children: readonly TreeNode[];
}

/**
 * Returns a tree for each certificate: the authorizations that validate its domains, and the hostnames that it will
 * serve. Further trees show the map and the proxies.
 */
export function planTrees({ migrations }: Pick<MigrationSource, "migrations">): readonly TreeNode[] {
  return migrations.map((migration) => ({
    text: `${migration.path} (phase ${migration.phase}, gate ${migration.gate}, ${migration.loadBalancer})`,
    children: [
      ...migration.certificates.map((certificate) => certificateNode(certificate, migration)),
      ...attachmentNodes(migration),
    ],
  }));
}

function certificateNode(certificate: SourceCertificate, migration: SourceMigration): TreeNode {
  const called = certificate.resourceName === undefined ? "" : ` ${certificate.resourceName}`;
  const bases = [...new Set(certificate.domains.map(authorizedDomain))];
  const proofs = certificate.kind === "managed" ? bases.map((domain) => proofNode(domain, certificate, migration)) : [];
  const entries = migration.entries
    .filter(({ certificates }) => certificates.includes(certificate.name))
    .map(({ hostname, resourceName }) =>
      leaf(`serves ${hostname}${resourceName === undefined ? "" : ` (${resourceName})`}`),
    );
  return { text: `certificate ${certificate.name}${called} [${certificate.kind}]`, children: [...proofs, ...entries] };
}

function proofNode(domain: string, certificate: SourceCertificate, migration: SourceMigration): TreeNode {
  const names = certificate.domains.filter((name) => authorizedDomain(name) === domain).join(", ");
  const authorization = migration.authorizations.find((one) => one.domain === domain);
  const record = migration.records.find((one) => one.domain === domain);
  const published = record?.published === "external" ? "to be published manually" : "written in Cloud DNS";
  return {
    text: `${names}: authorization ${authorization?.resourceName ?? domain}`,
    children: record === undefined ? [] : [leaf(`CNAME ${record.name ?? `for ${domain}`}, ${published}`)],
  };
}

/** Returns the map with its proxies. If certificates are attached directly, returns only the proxies. */
function attachmentNodes({ map, proxies }: SourceMigration): readonly TreeNode[] {
  const presenting = proxies.map(({ resourceName, id }) =>
    leaf(`proxy ${resourceName ?? id ?? "that only Terraform knows"}`),
  );
  if (map === undefined) return presenting;
  return [{ text: `map ${map.resourceName ?? map.id ?? "that only Terraform knows"}`, children: presenting }];
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
