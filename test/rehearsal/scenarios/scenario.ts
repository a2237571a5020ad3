import type { Cloud, FaultPlan, LoggedRequest } from "../../../lib/cloud";
import type { CertificateSpec, MigrationSpec } from "../../../lib/plan";
import type { ClientValidationMode } from "../../../lib/rehearsal/client-rule";
import { type Disturbance, disturbances } from "../../../lib/rehearsal/disturbances";
import type { Script } from "../../../lib/rehearsal/script";
import type { StackJson } from "../../../lib/rehearsal/stack";
import type { Stage } from "../../../lib/rehearsal/stage";
import type { Proof } from "./seen";

/** A fault or a shape of a migration, with the expected result. */
export interface Scenario extends Disturbance {
  /** @default {@link smallSpec} */
  readonly spec?: MigrationSpec;
  /** Acts after all eight steps. */
  readonly acts?: readonly SceneAct[];
  /** Whether the rehearsal includes rotation and rollback. @default false */
  readonly extras?: boolean;
  /** Domains of uploaded certificates of another CA, one list for each, in addition to the domains of the spec. */
  readonly uploads?: readonly (readonly string[])[];
  /** Creates other resources before the migration. */
  readonly prepare?: (cloud: Cloud, scene: Scene) => Promise<void>;
  /** Mode of the server TLS policies that exist before the migration. @default - mode in a rehearsal */
  readonly existingPolicyMode?: ClientValidationMode;
  /** Whether the stack declares the same resources without the constructs. @default false */
  readonly plain?: boolean;
  /** Changes every stack before Terraform reads it. */
  readonly edit?: (stack: StackJson) => StackJson;
  /** Required evidence of the scenario, in addition to its faults and kills. */
  readonly proofs?: readonly Proof[];
  readonly expect: Expectation;
}

export interface Expectation {
  /**
   * Whether all steps, acts, rotation and rollback succeed, with every second plan empty and no failed handshake.
   */
  readonly completes: boolean;
  /** `none` if the previous provider or the load balancer could serve at all times. */
  readonly failedHandshakes: "none" | "some";
  /** Whether the destroy succeeds and leaves no resource. @default true */
  readonly destroyed?: boolean;
  /** Whether the last plan is empty, after at most one more run without faults. @default true */
  readonly converges?: boolean;
  /** Texts that messages to the operator must contain. @default none */
  readonly messages?: readonly string[];
}

/** An act of a scenario: an act of a rehearsal that also receives the scene. */
export interface SceneAct {
  readonly name: string;
  /** @returns whether the act succeeded */
  readonly run: (stage: Stage, scene: Scene) => Promise<boolean>;
}

/** The migration of a scenario, with functions for its acts. */
export interface Scene {
  readonly script: Script;
  /** The migration with all traffic on the load balancer. */
  readonly spec: MigrationSpec;
  /** The command with which a gate calls `cert-migration`. */
  readonly gateCommand: string;
  readonly project: string;
  /** Requests that the cloud has answered, oldest first. */
  readonly requests: readonly LoggedRequest[];
  readonly say: (line: string) => void;
  /** @throws InputError if the spec is refused */
  readonly stackOf: (spec: MigrationSpec) => StackJson;
  /**
   * Deploys a migration in place of the deployed one. A migration that is refused before Terraform runs is reported and
   * not deployed.
   */
  readonly deploy: (stage: Stage, spec: MigrationSpec) => Promise<boolean>;
  /** Runs `work` with other faults; each fault has to take effect. */
  readonly suffer: (stage: Stage, faults: FaultPlan, work: () => Promise<boolean>) => Promise<boolean>;
  /** Issues a certificate of the other CA, which clients trust, for an upload. */
  readonly upload: (domains: readonly string[]) => Promise<Upload>;
}

export interface Upload {
  readonly spec: CertificateSpec;
  readonly chainPem: string;
  readonly privateKeyPem: string;
}

/** The expectation of nearly every scenario. */
export const unharmed: Expectation = { completes: true, failedHandshakes: "none" };

/** Two certificates in two zones; one certificate has a wildcard. */
export const smallSpec: MigrationSpec = {
  name: "shop",
  certificates: [{ domains: ["example.com", "*.example.com"] }, { domains: ["pay.example.net", "shop.example.net"] }],
  dns: { kind: "cloudDns", zones: { "example.com": "example-com", "example.net": "example-net" } },
};

/**
 * Returns a scenario with a fault of the package.
 *
 * @param more differences from a small migration without failures
 */
export function disturbed(name: string, more: Partial<Scenario> = {}): Scenario {
  const disturbance = disturbances.find((disturbance) => disturbance.name === name);
  if (disturbance === undefined) throw new Error(`no disturbance is named ${name}`);
  return { ...disturbance, expect: unharmed, ...more };
}
