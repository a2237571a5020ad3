import { ComputeGlobalAddress } from "@cdktf/provider-google/lib/compute-global-address";
import { DnsManagedZone } from "@cdktf/provider-google/lib/dns-managed-zone";
import { GoogleProvider } from "@cdktf/provider-google/lib/provider";
import { GcsBackend, TerraformStack } from "cdktf";
import type { Construct } from "constructs";
import { type Environment, stateBucket } from "./environments";

/** The DNS zone and the address of an environment. */
export class NetworkStack extends TerraformStack {
  readonly zone: DnsManagedZone;
  readonly address: ComputeGlobalAddress;

  constructor(scope: Construct, environment: Environment) {
    const id = `network-${environment.name}`;
    super(scope, id);
    new GcsBackend(this, { bucket: stateBucket, prefix: id });
    new GoogleProvider(this, "google", { project: environment.project });
    this.zone = new DnsManagedZone(this, "zone", {
      name: environment.domain.replaceAll(".", "-"),
      dnsName: `${environment.domain}.`,
    });
    this.address = new ComputeGlobalAddress(this, "address", { name: "web" });
  }
}
