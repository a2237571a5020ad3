/** Returns the sections about providers, shared resources, and the order of resources in a stack. */
export function stackScopeSection(): string {
  return `## When mistakes are reported

- Mistakes of properties, and contradictions to constructs that exist already: \`InputError\` in the constructor, with
  all of them.
- Mistakes across the constructs of a stack, such as a cycle of dependencies or an authorization that is created twice:
  one \`InputError\` with all of them, when the stack is synthesized, by \`Testing.synth\` too. An app with
  \`skipValidation\` does not report them.
- Warnings: annotations.

## Providers

Resources are created by the google provider of the stack that has no alias. Pass another provider of the stack as
\`provider\`, for example for another identity or project:

\`\`\`ts
const web = new GoogleProvider(stack, "web", { alias: "web", project: "my-web" });
const dns = new GoogleProvider(stack, "dns", { alias: "dns", project: "my-dns" });
new ManagedCertMigration(stack, "shop", {
  certificates: [Certificate.managed({ domains: ["example.com"] })],
  dns: DnsPublication.cloudDns({ zones: { "example.com": "example-com" }, provider: dns }),
  provider: web,
});
\`\`\`

| Resources | Provider |
| --- | --- |
| authorizations, certificates, map, entries, proxies, forwarding rules, trust configs, policies, and the APIs that they need | \`provider\` of the migration |
| CNAME and address records, and the API of their zone | \`provider\` of the zone in \`zones\`; for a zone construct of the stack, the provider that creates the zone; else \`provider\` of the publication; else of the migration |
| imported proxies and records | as above: Terraform imports a resource with the resource's provider, and refuses another one in the import block |
| gates | none: their type is built into Terraform |
| proxies of the app (\`targetHttpsProxies\`) | unchanged |

- Data has no provider: pass it as \`ManagedCertMigration.fromSpec(stack, "shop", spec, web)\`. Records of data have the
  same provider; for another one, use the constructor.
- The project of a provider counts in all rules, in construct ids and in outputs, as \`project\` does. A provider with
  the project of the stack's provider changes no address.
- Migrations of a stack share the authorization of a domain in a project and location. With two providers they get the
  error \`authorization-providers-differ\`: give both the same provider, or pass \`existingAuthorizations\` to one of them.
  In different projects, each has its own authorization.
- Migrations share an API of a project as well. It has the provider whose name comes first: \`google\`, \`google.api\`,
  \`google.web\`.
- If all google providers of a stack have an alias, a migration without \`provider\` is refused
  (\`provider-without-alias-missing\`): Terraform would configure a further provider from the environment.
- The type of a provider is \`google\`; \`google-beta\` is refused.

## Names

Names are derived: a readable part, and a digest of 12 characters of the resource's identity. An organization with a
convention passes \`naming\`, an object with one method. Its second argument is the derived name:

\`\`\`ts
const words: { readonly [kind: string]: string } = { authorization: "auth", certificate: "cert", map: "map" };
const naming: INaming = {
  name: (kind, suggested) => \`acme-prd-\${words[kind] ?? "lb"}-\${suggested.slice(-12)}\`,
};
new ManagedCertMigration(stack, "shop", {
  certificates: [Certificate.managed({ domains: ["example.com"] })],
  dns: DnsPublication.cloudDns({ zones: { "example.com": "example-com" } }),
  naming,
});
\`\`\`

- Names have 1 to 63 characters of a-z, 0-9 and \`-\`, a letter first and no \`-\` last, for every kind. All invalid names
  are reported at once (\`resource-name-invalid\`).
- Two resources of a kind in the same project and location, or in the same map, need different names
  (\`resource-name-repeated\`). For two migrations the error is \`resource-name-in-two-constructs\`. It includes migrations
  of two stacks, if their project is known before Terraform runs.
- Some kinds have capital letters, such as \`issuanceConfig\`: write \`kind.toLowerCase()\` in a name.
- Keep the digest, the last 12 characters. Terraform creates a replacement of a certificate, an issuance config or a
  server TLS policy before it deletes the previous resource, so that both need different names
  (\`resource-name-without-digest\`).
- Migrations that share an authorization give it the same name (\`authorization-names-differ\`).
- \`migration.plan\` has the final names. \`rehearse --app\` deploys them.
- A proxy with a stated \`name\` keeps it. Construct ids and Terraform addresses never depend on \`naming\`, except for
  issuance configs.
- Set \`naming\` before the first apply. A changed name replaces the resource, and Google accepts neither a second
  authorization of a domain, nor a second entry of a hostname in a map, nor a second forwarding rule of an address. For
  a deployed migration, return \`suggested\` for the kinds \`authorization\`, \`entry\` and \`forwardingRule\`.
- Data and YAML have no \`naming\`; \`namePrefix\` is part of the suggestion.

## Shared resources and aspects

Some resources belong to the stack, because its migrations share them. They are in the construct
\`cert-migration-shared\` of the stack, whichever migration is created first:

| Resource | Shared by migrations of the stack with the same |
| --- | --- |
| DNS authorization and its CNAME record | domain, location and project |
| API (\`enableApis\`) | API and project |
| variable of a private key | name of the variable |

An aspect of a migration, or of a construct around it, visits all resources of the migration, including the shared
resources that no migration outside of the construct uses. If another migration uses a shared resource, the aspect
leaves it out, and the warning \`aspect-misses-shared-resource\` names both: add the aspect to the stack.

\`\`\`ts
Aspects.of(migration).add({
  visit: (node) => {
    if (node instanceof CertificateManagerCertificate) node.labels = { ...node.labelsInput, env: "prod" };
  },
});
\`\`\`

Labels of a migration stay: an aspect adds labels, and changes no label that a resource has before its aspects are
invoked. To replace a label, set it on the resource, or use \`addOverride\`. An aspect can set \`provider\` too; gates
leave it out. The rules about providers compare only \`provider\` of the props.

## Dependencies and milestones

\`migration.node.addDependency(x)\` makes every resource of the migration depend on all resources, data sources and
modules in \`x\`; \`x.node.addDependency(migration)\` makes all of \`x\` depend on every resource of the migration. Parts of
a migration and constructs around it work as well. The kits don't read \`node.dependencies\`: this package writes
\`depends_on\` at synthesis. Dependencies from and to a \`CommandGate\` work too, also in a stack without a migration.
Dependencies between other constructs have no effect.

\`dependsOn\` of a \`CommandGate\` takes constructs, milestones, resources, data sources, modules and addresses:

\`\`\`ts
new CommandGate(stack, "announce", { command: "./announce.sh", triggers: ["1"], dependsOn: [migration.attached, team] });
\`\`\`

A milestone is a state of the migration on which other constructs can depend, instead of on the whole migration:

\`\`\`ts
dashboard.node.addDependency(migration.issued);
new DnsRecordSet(stack, "www", {
  managedZone: "example-com",
  name: "www.example.com.",
  type: "A",
  ttl: 300,
  rrdatas: ["203.0.113.7"],
  dependsOn: migration.verified.resources,
});
\`\`\`

| Milestone | State | Terraform waits with | Otherwise |
| --- | --- | --- | --- |
| \`issued\` | all certificates are ACTIVE | phase \`serve\` and gate \`wait\` or \`precondition\`; uploaded certificates always are ACTIVE | for the certificates, with the warning \`milestone-not-awaited\` |
| \`attached\` | the load balancer has the map or the certificates: proxies, including those of the app, and forwarding rules; without proxies, all entries of the map exist | phase \`serve\` | for the certificates, with the warning |
| \`verified\` | traffic may move | \`traffic.to: "loadBalancer"\` and gate \`wait\` | for \`attached\`; with the warning, unless \`traffic.to\` is \`previous\` |

With \`dns: external\`, the first use of \`verified\` adds the gate that runs \`verify\`, so that records of your own move
traffic only after it.

- \`WildcardCertWithAuth\` has the milestones of its \`migration\`.
- A shared resource depends on \`x\` if all migrations that use it depend on \`x\`, so that no other migration waits for it.
- A cycle is the error \`dependency-cycle\` with both names and the resources of the cycle, also if a reference closes it.
- The migration does not contain the proxies of the app (\`targetHttpsProxies\`): depend on \`attached\`.
- Terraform applies each stack by itself, so a resource can't wait for a resource of another stack. A dependency across
  stacks makes the whole stack depend on the other: \`cdktf deploy\` and \`cdktn deploy\` apply the other stack first. A
  pipeline that runs \`terraform apply\` for each stack has to keep this order. Two stacks can't depend on each other.
- A resource of another app or root module can't be ordered: apply it after \`cert-migration wait\` or \`verify\`.

## Outputs

| Output | Key in \`terraform output\` | Contains |
| --- | --- | --- |
| \`cert_migration\` | \`cert_migration\`, fixed: commands read it | all migrations of the stack, by construct path |
| \`certificate_map_id\` | \`migration.output("certificate_map_id").friendlyUniqueId\` | the id of the map that the migration creates |
| \`records_to_publish\` | \`migration.output("records_to_publish").friendlyUniqueId\` | with \`dns: external\`, the CNAME records that you publish |

Set another key with the method of the kit. Other configurations that read the former key have to change with it:

\`\`\`ts
migration.output("certificate_map_id").overrideLogicalId("shop_map");
\`\`\`

With \`outputs: false\`, a migration creates no output, and is not in \`cert_migration\`; without another migration, the stack
does not have this output. Resources, gates and references from other stacks stay. Commands with \`--outputs\` or
\`--stack\` don't find the migration: read it with \`--spec\`, or keep the outputs. \`rehearse --app\` needs the outputs, so a
synthesis for it creates them.
`;
}
