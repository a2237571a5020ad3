import type { Cloud, FaultPlan, LoggedRequest } from "../../../lib/cloud";
import type { CertificateSpec, MigrationSpec } from "../../../lib/plan";
import { type Disturbance, disturbances } from "../../../lib/rehearsal/disturbances";
import type { Script } from "../../../lib/rehearsal/script";
import type { StackJson } from "../../../lib/rehearsal/stack";
import type { Stage, StageOptions } from "../../../lib/rehearsal/stage";
import type { Proof } from "./seen";

/** Something that may go wrong, or a shape that a migration may have, and what has to hold in spite of it. */
export interface Scenario extends Disturbance {
  /** @default {@link smallSpec} */
  readonly spec?: MigrationSpec;
  /** What is done when all eight steps are done. */
  readonly acts?: readonly SceneAct[];
  /** Whether rotation and rollback follow. @default false */
  readonly extras?: boolean;
  /** Domains of certificates of another authority that are uploaded, one list each; they come on top of the spec's. */
  readonly uploads?: readonly (readonly string[])[];
  /** Makes what else is there before the migration. */
  readonly prepare?: (cloud: Cloud, scene: Scene) => Promise<void>;
  /** Mode of the server TLS policies that exist before the migration. @default - as in a rehearsal */
  readonly existingPolicyMode?: StageOptions["existingPolicyMode"];
  /** Whether the same resources are written plainly, without the constructs. @default false */
  readonly plain?: boolean;
  /** Changes every stack before Terraform reads it. */
  readonly edit?: (stack: StackJson) => StackJson;
  /** What has to be seen of what it is about, beside the faults that struck and the runs that were killed. */
  readonly proofs?: readonly Proof[];
  readonly expect: Expectation;
}

export interface Expectation {
  /**
   * Whether all steps, acts, rotation and rollback end as they should, with every second plan empty and no failed
   * handshake.
   */
  readonly completes: boolean;
  /** `none` wherever the old or the new side could have served. */
  readonly failedHandshakes: "none" | "some";
  /** Whether a destroy ends, and leaves nothing. @default true */
  readonly destroyed?: boolean;
  /** Whether a last plan is empty, after at most one more run with all faults gone. @default true */
  readonly converges?: boolean;
  /** Texts that messages to the operator must contain. @default none */
  readonly messages?: readonly string[];
}

/** An act of a scenario: as an act of a rehearsal, with what the scenario is about at hand. */
export interface SceneAct {
  readonly name: string;
  /** @returns whether it ended as it should */
  readonly play: (stage: Stage, scene: Scene) => Promise<boolean>;
}

/** What a scenario is about. */
export interface Scene {
  readonly script: Script;
  /** The migration with all traffic on the load balancer. */
  readonly spec: MigrationSpec;
  /** How a gate calls `cert-migration`. */
  readonly gateCommand: string;
  readonly project: string;
  /** Requests that the cloud has answered, oldest first. */
  readonly requests: readonly LoggedRequest[];
  readonly say: (line: string) => void;
  /** @throws InputError where the spec is refused */
  readonly stackOf: (spec: MigrationSpec) => StackJson;
  /**
   * Deploys a migration in place of the deployed one. A migration that is refused before Terraform runs is reported and
   * not deployed.
   */
  readonly deploy: (stage: Stage, spec: MigrationSpec) => Promise<boolean>;
  /** Does something with other faults; each of them has to strike. */
  readonly suffer: (stage: Stage, faults: FaultPlan, work: () => Promise<boolean>) => Promise<boolean>;
  /** An uploaded certificate of the other authority, which clients trust. */
  readonly upload: (domains: readonly string[]) => Promise<Upload>;
}

export interface Upload {
  readonly spec: CertificateSpec;
  readonly chainPem: string;
  readonly privateKeyPem: string;
}

/** What nearly every scenario has to show. */
export const unharmed: Expectation = { completes: true, failedHandshakes: "none" };

/** Two certificates, one with a wildcard, over two zones. */
export const smallSpec: MigrationSpec = {
  name: "shop",
  certificates: [{ domains: ["example.com", "*.example.com"] }, { domains: ["pay.example.net", "shop.example.net"] }],
  dns: { kind: "cloudDns", zones: { "example.com": "example-com", "example.net": "example-net" } },
};

/**
 * A disturbance of the package as a scenario.
 *
 * @param more what is different from a small migration that is unharmed
 */
export function disturbed(name: string, more: Partial<Scenario> = {}): Scenario {
  const disturbance = disturbances.find((one) => one.name === name);
  if (disturbance === undefined) throw new Error(`no disturbance is named ${name}`);
  return { ...disturbance, expect: unharmed, ...more };
}
