import { TerraformOutput } from "cdktf";
import type { Construct } from "constructs";
import type { MigrationPlan, MigrationSpec } from "../plan";
import { LateOutput } from "./late-output";
import { describeMigration, recordsToPublish } from "./migration-output";
import type { MigrationResources } from "./migration-resources";
import { referTo } from "./reference";
import type { SharedResources } from "./shared-resources";
import type { TargetProxies } from "./target-proxies";

/**
 * Adds a migration to the output `cert_migration` of its stack, and creates the outputs of the migration alone.
 *
 * @returns the outputs of the migration by name
 */
export function createOutputs(
  owner: Construct,
  { dns }: MigrationSpec,
  plan: MigrationPlan,
  resources: MigrationResources,
  attachment: TargetProxies,
  shared: SharedResources,
): { readonly [name: string]: TerraformOutput } {
  shared.addOutput(owner, () => describeMigration(plan, resources, attachment, shared));
  const outputs: Record<string, TerraformOutput> = {};
  if (dns.kind === "external" && plan.records.length > 0) {
    const description = "CNAME records to publish before the certificates can be issued";
    outputs.records_to_publish = new LateOutput(owner, "records_to_publish", { description }, () =>
      recordsToPublish(plan, resources, shared),
    );
  }
  if (resources.map !== undefined) {
    outputs.certificate_map_id = new TerraformOutput(owner, "certificate_map_id", {
      description: "Id of the certificate map",
      value: referTo(resources.map, "id"),
    });
  }
  return outputs;
}
