import { join, resolve } from "node:path";
import type { Cloud } from "../cloud";
import { projectIn, writeProject } from "../resource-names";
import { certificateBlocksOf } from "../x509";
import { missingRecordsOf } from "./cloud-reader";
import { destroyStack } from "./destroy";
import { terraformFolder, writeOwn } from "./folder";
import type { Kills } from "./kills";
import { createLoadBalancerChecks, type Probing } from "./load-balancer-checks";
import type { Emit } from "./observer";
import type { Operator } from "./operator";
import type { PausedWorld } from "./pauses";
import { Pipeline } from "./pipeline";
import type { StackVariant } from "./script";
import type { ServingProxy } from "./serving-proxies";
import type { StageOptions } from "./stage-options";
import type { Terraforms } from "./terraforms";
import type { Today } from "./today";
import { until } from "./until";
import { isAddress } from "./world";

/** Components of a stage. */
export interface Parts {
  readonly today: Today;
  readonly terraforms: Terraforms;
  readonly probing: Probing;
  /** Proxies that serve the hostnames before the migration; then traffic does not move. */
  readonly serving: readonly ServingProxy[];
  readonly operator: Operator;
  readonly kills: Kills;
  readonly emit: Emit;
  /** Ends everything that was started. */
  readonly close: () => Promise<void>;
}

/** Returns the actions of a pipeline and its operator. */
export function actionsOf(parts: Parts, options: StageOptions) {
  const { today, terraforms, probing, serving, operator, kills } = parts;
  const { cloud, reader } = today;
  const wait = (isDone: () => boolean | Promise<boolean>) => until(cloud, options.signal, isDone);
  /** Waits for a number of seconds of the cloud's time. */
  const pass = async (seconds: number): Promise<void> => {
    const end = cloud.clock.now().getTime() + seconds * 1_000;
    await wait(() => cloud.clock.now().getTime() >= end);
  };
  const tlsAddresses = () => tlsAddressesOf(cloud);
  const pipeline = new Pipeline({ cloud, terraform: terraforms.migration, operator, pass, tlsAddresses }, options);
  return {
    cloud,
    reader,
    operator,
    kills,
    emit: parts.emit,
    pipeline,
    serving,
    prober: probing.prober,
    terraform: terraforms.migration,
    terraformIn: terraforms.inFolder,
    owner: terraforms.owner,
    providerVersion: terraforms.providerVersion,
    wait,
    pass,
    ...createLoadBalancerChecks({ cloud, probing, serving, wait, tlsAddresses, pipeline }, options),
    /** Enables or disables an API in every project of the migration. */
    setApi: apiSwitch(parts),
    /** Issues a certificate that replaces an uploaded one, by the CA of the previous provider. */
    issueUpload: (domains: readonly string[], validDays: number) => today.previous.issue(domains, validDays),
    hasMade: () => hasMade(parts, pipeline, options),
    noteCertificates: certificateNotes(parts),
    pausedWorld: () => pausedWorld(parts, tlsAddresses(), options),
    deleteDirectCertificates: () => deleteDirectCertificates(parts),
    /**
     * Applies, and waits until no client uses the other side. Clients cache the previous answers for their time to
     * live.
     */
    moveTraffic: async (variant: StackVariant): Promise<boolean> => {
      const { all, moved: movable = all, added } = options.migration.hostnames;
      if (!(await pipeline.deploy(variant))) return false;
      const moved = movable.filter((hostname) => variant.rotated || hostname !== added);
      return wait(async () => {
        await probing.prober.everyHostname();
        return moved.every((hostname) => probing.prober.sideOf(hostname) === variant.traffic);
      });
    },
    /** If no HTTPS listener exists yet, attaches maps to target proxies as a person would, and waits for a listener. */
    attachManually: async (): Promise<boolean> => {
      if (tlsAddresses().length === 0 && !(await operator.attach())) return false;
      return wait(() => tlsAddresses().length > 0);
    },
    destroy: () => destroyStack({ ...parts, terraform: terraforms.migration, deployed: pipeline.deployed }, options),
    [Symbol.asyncDispose]: parts.close,
  };
}

/** Returns the IP addresses of HTTPS listeners; other forwarding rules are not part of a migration. */
function tlsAddressesOf(cloud: Pick<Cloud, "loadBalancers">): readonly string[] {
  const met = cloud.loadBalancers.listeners().filter(({ port }) => port === 443);
  return [...new Set(met.map(({ ipAddress }) => ipAddress))];
}

/**
 * Returns whether the authorizations of the last deployed stack exist, and their CNAMEs are published by the stack or
 * manually. Terraform's own result is not trusted.
 */
async function hasMade(
  { today: { reader }, terraforms, operator }: Parts,
  { deployed }: Pipeline,
  { migration, output }: StageOptions,
): Promise<boolean> {
  if (deployed === undefined) return false;
  const publishesAll = migration.publishes === true;
  if (publishesAll) await operator.catchUp();
  const [authorizations, records] = [await reader.authorizations(), await reader.records()];
  const missing = missingRecordsOf(deployed, { authorizations, records, publishesAll });
  if (missing.length === 0) return true;
  const { product } = terraforms.migration.name;
  output.say(`not in the cloud, though ${product} ended well: ${missing.slice(0, 5).join(", ")}`);
  return false;
}

/** Deletes the direct certificates of serving proxies. @returns whether all are deleted */
async function deleteDirectCertificates({ serving, operator }: Parts): Promise<boolean> {
  const ids = new Set(serving.flatMap(({ certificates }) => certificates.map(({ id }) => id)));
  for (const id of ids) if (!(await operator.removeClassic(id))) return false;
  return true;
}

/** Returns a function that enables or disables an API in every project with certificates. */
function apiSwitch({ today: { cloud, reader, http } }: Parts) {
  const projects = new Set<string>();
  return async (api: string, verb: "enable" | "disable"): Promise<void> => {
    // While the API is disabled, no certificate can be listed.
    for (const { name } of await reader.certificates()) projects.add(projectIn(name) ?? "");
    for (const project of projects) {
      const url = `${cloud.endpoints.http}v1/${writeProject(project)}/services/${api}:${verb}`;
      await http.send({ method: "POST", url, purpose: `switching ${api} of the rehearsal`, body: "{}" });
    }
  };
}

/** Returns a function that reports the certificates that were issued since its last call. */
function certificateNotes({ today: { cloud, reader }, emit }: Parts): () => Promise<void> {
  const noted = new Map<string, string>();
  return async () => {
    for (const { name, pemCertificate } of await reader.certificates()) {
      if (pemCertificate === undefined || pemCertificate === "" || noted.get(name) === pemCertificate) continue;
      noted.set(name, pemCertificate);
      const pem = certificateBlocksOf(pemCertificate);
      emit("certificate", { time: cloud.clock.now().toISOString(), name, pemCertificate: pem });
    }
  };
}

/** Returns the places of this world, and writes the file of all trusted roots. */
function pausedWorld(
  { today, probing }: Parts,
  addresses: readonly string[],
  { terraform }: StageOptions,
): PausedWorld {
  const { endpoint: listener, trustBundlePem } = today.previous;
  const { http: endpoint, control, dns: nameServer } = today.cloud.endpoints;
  const stackFolder = resolve(terraform.folder, terraformFolder);
  const rootsFile = join(stackFolder, "roots.pem");
  writeOwn(rootsFile, [...probing.trusted, trustBundlePem].join(""));
  const previousAddresses = today.world.records.filter(isAddress).flatMap(({ rrdatas }) => rrdatas);
  return {
    ...{ endpoint, control, nameServer, rootsFile, stackFolder, addresses },
    previous: { listener: `${listener.address}:${listener.port}`, addresses: [...new Set(previousAddresses)] },
  };
}
