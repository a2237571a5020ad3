import { setTimeout as pause } from "node:timers/promises";
import { ServiceError } from "../errors";
import { certificateManagerPrefix, projectIn, writeComputeScope, writeZoneName } from "../resource-names";
import type { Authorization, CloudReader } from "./cloud-reader";
import { forwardingRule, type RequestPlace } from "./post-resource";
import { loadBalancerAddressAt } from "./script";
import { nearestZone, type RehearsalWorld } from "./world";

export interface OperatorOptions extends RequestPlace {
  readonly reader: Pick<CloudReader, "authorizations" | "maps" | "targetHttpsProxies">;
  /** IP addresses of the load balancers, as the migrations state them. */
  readonly addresses: readonly string[];
  readonly zones: RehearsalWorld["zones"];
  readonly say: (line: string) => void;
  /** Aborts the work in progress; `withdraw` still works afterwards. */
  readonly signal: AbortSignal;
  /** Current time in milliseconds of the machine. @default - the machine's clock */
  readonly nowMs?: () => number;
}

/** Interval at which authorizations are polled, in milliseconds of the machine. */
const pauseMs = 250;
/** Limit for retries after unexpected answers of a service, in milliseconds of the machine. */
const mostTryingMs = 60_000;

/** Does the tasks that a stack leaves to people. */
export class Operator {
  readonly #options: OperatorOptions;
  readonly #nowMs: () => number;
  readonly #ending = new AbortController();
  readonly #ended: AbortSignal;
  readonly #undo: (() => Promise<unknown>)[] = [];
  /** Names of authorizations whose CNAME is published or can't be published. */
  readonly #done = new Set<string>();
  #publishing: Promise<void> = Promise.resolve();

  constructor(options: OperatorOptions) {
    this.#options = options;
    this.#nowMs = options.nowMs ?? (() => performance.now());
    this.#ended = AbortSignal.any([this.#ending.signal, options.signal]);
  }

  /**
   * Publishes the CNAME of each authorization as soon as the authorization exists, unless Terraform publishes it. Runs
   * until `stop`.
   */
  publish(): void {
    this.#publishing = this.#publishUntilStopped();
  }

  /** Resolves when the CNAME of each existing authorization is published. Logs each CNAME that can't be published. */
  async catchUp(): Promise<void> {
    const deadlineMs = this.#nowMs() + mostTryingMs;
    const isOver = () => this.#ended.aborted || this.#nowMs() > deadlineMs;
    while (!isOver()) {
      if (await this.#publishEach(isOver)) return;
      await this.#rest();
    }
  }

  /**
   * Creates a forwarding rule for each target HTTPS proxy. Without proxies, creates a proxy for each map first.
   *
   * @returns whether a target proxy exists now
   */
  async attach(): Promise<boolean> {
    const existing = await this.#options.reader.targetHttpsProxies();
    const proxies = existing.length > 0 ? existing : await this.#createProxies();
    for (const [index, proxy] of proxies.entries()) {
      const scope = proxy.slice(0, proxy.indexOf("/targetHttpsProxies/"));
      for (const [number, ipAddress] of this.#addressesFor(index).entries()) {
        const name = number === 0 ? `manual-${index + 1}` : `manual-${index + 1}-${number + 1}`;
        await this.#create(`${scope}/forwardingRules`, forwardingRule(name, ipAddress, proxy));
        this.#options.say(`created manually: a forwarding rule from ${ipAddress} to ${proxy}`);
      }
    }
    return proxies.length > 0;
  }

  /** Deletes a resource of Certificate Manager. @returns whether it no longer exists; a resource in use is kept */
  async remove(name: string): Promise<boolean> {
    return (await this.#send("DELETE", `v1/${name}`, { accept: [400, 404] })) !== 400;
  }

  /**
   * Deletes a certificate of Compute Engine.
   *
   * @param id for example `projects/P/global/sslCertificates/C`
   * @returns whether the certificate no longer exists; a certificate in use is kept
   */
  async removeClassic(id: string): Promise<boolean> {
    const isDeleted = (await this.#send("DELETE", `compute/v1/${id}`, { accept: [400, 404] })) !== 400;
    if (!isDeleted) this.#options.say(`${id} is not deleted: it is in use`);
    return isDeleted;
  }

  /** Stops publishing and keeps all changes. */
  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#publishing;
  }

  /** Stops publishing and reverts all changes. Logs each change that can't be reverted. */
  async withdraw(): Promise<void> {
    await this.stop();
    for (const revert of this.#undo.splice(0).reverse()) {
      await revert().catch((error: Error) => this.#options.say(`not taken back: ${error.message}`));
    }
  }

  async #publishUntilStopped(): Promise<void> {
    while (!this.#ended.aborted) {
      await this.#publishEach(() => this.#ended.aborted);
      await this.#rest();
    }
  }

  /** Publishes the CNAME of each existing authorization once. @returns whether all are done */
  async #publishEach(isOver: () => boolean): Promise<boolean> {
    const authorizations = await this.#options.reader.authorizations().catch(() => undefined);
    for (const authorization of authorizations ?? []) {
      if (isOver()) return false;
      if (!this.#done.has(authorization.name)) await this.#publish(authorization).catch(() => undefined);
    }
    return authorizations?.every(({ name }) => this.#done.has(name)) ?? false;
  }

  async #publish({ name, dnsResourceRecord: record }: Authorization): Promise<void> {
    const { zones, say } = this.#options;
    const zone = record === undefined ? undefined : nearestZone(zones, record.name);
    if (record === undefined || zone === undefined) {
      this.#done.add(name);
      const place = record?.name ?? "its record";
      return say(`the CNAME of ${name} can't be published: ${place} is in no zone of the rehearsal`);
    }
    const set = { name: record.name, type: record.type, ttl: 300, rrdatas: [record.data] };
    const changes = `dns/v1/${writeZoneName({ project: zone.project, zone: zone.name })}/changes`;
    const status = await this.#send("POST", changes, { body: { additions: [set] } });
    this.#done.add(name);
    if (status >= 400) return;
    this.#undo.push(() => this.#send("POST", changes, { body: { deletions: [set] } }));
    say(`published manually: ${record.name} ${record.type} ${record.data}`);
  }

  /** Creates a target proxy for each map, in the map's project. */
  async #createProxies(): Promise<readonly string[]> {
    const maps = await this.#options.reader.maps();
    return Promise.all(
      maps.map(async (map, index) => {
        const name = `manual-${index + 1}`;
        const place = writeComputeScope({ project: projectIn(map.name) ?? "" });
        await this.#create(`${place}/backendServices`, {
          name,
          loadBalancingScheme: "EXTERNAL_MANAGED",
          protocol: "HTTP",
        });
        await this.#create(`${place}/urlMaps`, { name, defaultService: `${place}/backendServices/${name}` });
        const certificateMap = certificateManagerPrefix + map.name;
        await this.#create(`${place}/targetHttpsProxies`, { name, urlMap: `${place}/urlMaps/${name}`, certificateMap });
        this.#options.say(`created manually: target proxy ${name} with ${map.name}`);
        return `${place}/targetHttpsProxies/${name}`;
      }),
    );
  }

  /** Returns the addresses of a proxy: all known addresses for the first proxy, a new address for each other proxy. */
  #addressesFor(index: number): readonly string[] {
    const { addresses } = this.#options;
    if (addresses.length === 0) return [loadBalancerAddressAt(index)];
    if (index === 0) return addresses;
    const candidates = Array.from({ length: index + addresses.length }, (_, at) => loadBalancerAddressAt(at));
    return candidates.filter((address) => !addresses.includes(address)).slice(index - 1, index);
  }

  async #create(collection: string, body: { readonly name: string; readonly [field: string]: string }): Promise<void> {
    const path = `compute/v1/${collection}`;
    await this.#persist(() => this.#send("POST", path, { body }));
    this.#undo.push(() => this.#send("DELETE", `${path}/${body.name}`));
  }

  /** Retries until a limit, as a person would after an unexpected answer of a service. */
  async #persist(work: () => Promise<unknown>): Promise<void> {
    const deadlineMs = this.#nowMs() + mostTryingMs;
    for (;;) {
      try {
        await work();
        return;
      } catch (error) {
        const mayPass = error instanceof ServiceError && error.retryable;
        if (!mayPass || this.#ended.aborted || this.#nowMs() > deadlineMs) throw error;
        await this.#rest();
      }
    }
  }

  /**
   * Sends a request, and returns the status of the answer. 404 or 409: the request was already fulfilled by another
   * client.
   */
  async #send(
    method: "POST" | "DELETE",
    path: string,
    { body, accept = [404, 409] }: { readonly body?: object; readonly accept?: readonly number[] } = {},
  ): Promise<number> {
    const { http, cloudUrl, signal } = this.#options;
    const { status } = await http.send({
      method,
      // Reverting changes must not be aborted by the signal.
      ...(this.#ending.signal.aborted ? {} : { signal }),
      url: `${cloudUrl}${path}`,
      ...(body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
      purpose: "the manual steps of the stack",
      accept,
    });
    return status;
  }

  async #rest(): Promise<void> {
    await pause(pauseMs, undefined, { signal: this.#ended }).catch(() => undefined);
  }
}
