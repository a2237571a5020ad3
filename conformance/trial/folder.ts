import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suiteLabel } from "../normalize";

/** What a trial migrates. */
export interface TrialInput {
  readonly project: string;
  /** Name of the migration, with which the names of all resources begin. */
  readonly name: string;
  readonly hostname: string;
  readonly domain: string;
  readonly zone: string;
  readonly urlMap: string;
  /** Address of the load balancer. */
  readonly ipv4Address: string;
  /** Address of the previous provider; undefined if the hostname is new. */
  readonly previousAddress?: string | undefined;
  /** Version constraint of the provider, for example `~> 7.45`; undefined for the newest. */
  readonly providerVersion?: string | undefined;
}

/** Returns `migration.yaml`: one hostname, a new load balancer, and traffic at one of its two ends. */
export function migrationText(input: TrialInput, to: "previous" | "loadBalancer"): string {
  const { name, project, hostname, domain, zone, urlMap, ipv4Address, previousAddress } = input;
  const previous = previousAddress === undefined ? "{ a: [], aaaa: [] }" : `{ a: [${previousAddress}] }`;
  return `name: ${name}
project: ${project}
labels: { ${suiteLabel}: ${name} }
certificates:
  - domains: [${hostname}]
dns:
  kind: cloudDns
  zones:
    ${domain}: ${zone}
loadBalancer:
  kind: globalExternal
  newTargetHttpsProxy:
    urlMap: ${urlMap}
    forwardingRules: { ipv4Address: ${ipv4Address} }
traffic:
  hostnames: [${hostname}]
  to: ${to}
  previous:
    ${hostname}: ${previous}
`;
}

/** Returns the root module, as in examples/terraform-module, with its state in the folder. */
function rootModuleText({ project, providerVersion }: TrialInput): string {
  const version = providerVersion === undefined ? "" : `\n      version = "${providerVersion}"`;
  return `terraform {
  required_version = ">= 1.5"
  required_providers {
    google = {
      source  = "hashicorp/google"${version}
    }
  }
}

provider "google" {
  project = "${project}"
}

module "certificates" {
  source = "./certificates"
}

output "cert_migration" {
  value     = module.certificates.cert_migration
  sensitive = true
}
`;
}

/**
 * Makes the folder of a trial: the root module, and the command where the gates look for it.
 *
 * @param command words that start the command
 */
export function makeFolder(folder: string, input: TrialInput, command: readonly string[]): void {
  const programs = join(folder, "node_modules", ".bin");
  mkdirSync(programs, { recursive: true });
  const program = join(programs, "cert-migration");
  writeFileSync(program, `#!/bin/sh\nexec ${command.map((word) => `'${word}'`).join(" ")} "$@"\n`);
  chmodSync(program, 0o755);
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  writeFileSync(join(folder, "main.tf"), rootModuleText(input));
}
