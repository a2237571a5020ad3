import { GoogleProvider } from "@cdktf/provider-google/lib/provider";
import { GcsBackend, TerraformOutput, TerraformStack } from "cdktf";
import {
  Certificate,
  CertificateMap,
  DnsPublication,
  type INaming,
  ManagedCertMigration,
} from "cdktf-google-cert-migration";
import type { Construct } from "constructs";
import { type Environment, stateBucket } from "./environments";
import type { NetworkStack } from "./network";

/** The certificates of an environment, with their authorizations, records and map entries. */
export class CertificatesStack extends TerraformStack {
  readonly migration: ManagedCertMigration;
  /** The map as a target proxy of any stack refers to it. */
  readonly mapReference: string;

  constructor(scope: Construct, environment: Environment, network: NetworkStack) {
    const { name, project, domain, existingMap } = environment;
    const id = `certificates-${name}`;
    super(scope, id);
    new GcsBackend(this, { bucket: stateBucket, prefix: id });
    new GoogleProvider(this, "google", { project });
    this.migration = new ManagedCertMigration(this, "web", {
      certificates: [Certificate.managed({ name: "web", domains: [domain, `*.${domain}`] })],
      dns: DnsPublication.cloudDns({ zones: { [domain]: network.zone } }),
      mustServe: [domain, `www.${domain}`],
      naming: namingOf(environment),
      // The map is attached in the stack of the load balancer.
      ...(existingMap === undefined ? {} : { existingCertificateMap: CertificateMap.fromId(existingMap) }),
    });
    const { certificateMapReference } = this.migration;
    if (certificateMapReference === undefined) throw new Error(`${id}: the migration has no certificate map`);
    this.mapReference = certificateMapReference;
    new TerraformOutput(this, "certificate", { value: this.migration.certificate("web").id });
  }
}

/** Names such as `acme-staging-certificate-0a1b2c3d4e5f`, without the readable part that the package suggests. */
function namingOf({ name }: Environment): INaming {
  return { name: (kind, suggested) => `acme-${name}-${kind.toLowerCase()}-${suggested.slice(-12)}` };
}
