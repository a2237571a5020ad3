import { ownDescription, ownEnumNumbers } from "../../discovery";
import type { CloudError } from "../cloud-error";
import {
  applyMask,
  type Call,
  type CloudService,
  type Handler,
  invalidField,
  type Json,
  listPage,
  textParameter,
} from "../front";
import { type Clock, type Collection, groupBy, type Store } from "../state";
import type { CheckOptions } from "./authorization-check";
import {
  type CertificateMap,
  type CertificateMapEntry,
  checkCertificates,
  checkMapLocation,
  newEntry,
} from "./certificate-maps";
import { type Certificate, type KeyMaterial, newCertificate, readUpload } from "./certificates";
import { type DnsAuthorization, newAuthorization } from "./dns-authorizations";
import { Issuance, type IssuancePace, type Issue } from "./issuance";
import {
  alreadyExists,
  type CollectionName,
  checkLabels,
  checkLocation,
  inUse,
  locationOf,
  newName,
  notFound,
} from "./names";
import { createOperations, type Operations } from "./operations";

export interface CertificateManagerOptions extends CheckOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly issue: Issue;
  readonly pace?: IssuancePace;
  /** How long operations run, in the cloud's time. */
  readonly operationMs: number;
  /** How long a new entry takes to be ACTIVE once its certificates are, in the cloud's time. */
  readonly entryActivationMs: number;
  /** Target proxies that a map is attached to, as `gclbTargets` has them. */
  readonly targetsOfMap: (map: string) => readonly Json[];
  /** Names of proxies that a certificate is attached to directly. */
  readonly proxiesUsing: (certificate: string) => readonly string[];
  /** Makes an operation fail, in which case nothing changes. */
  readonly failOperation?: (methodId: string, call: Call) => CloudError | undefined;
  /** Told when something that load balancers serve has changed. */
  readonly onChange: () => void;
}

const prefix = "certificatemanager.projects.locations";

/** Certificate Manager v1, as far as a migration uses it. What is left out of its description answers 501. */
export class CertificateManager {
  readonly service: CloudService;
  readonly #options: CertificateManagerOptions;
  readonly #authorizations: Collection<DnsAuthorization>;
  readonly #certificates: Collection<Certificate>;
  readonly #keys: Collection<KeyMaterial>;
  readonly #maps: Collection<CertificateMap>;
  readonly #entries: Collection<CertificateMapEntry>;
  /** When an entry got the certificates that it has, RFC 3339, by its name. */
  readonly #repointed: Collection<string>;
  readonly #authorizationsOf: (domain: string) => readonly DnsAuthorization[];
  readonly #certificatesOf: (authorization: string) => readonly Certificate[];
  readonly #entriesOfHost: (mapAndHost: string) => readonly CertificateMapEntry[];
  readonly #entriesOfMap: (map: string) => readonly CertificateMapEntry[];
  readonly #entriesOfCertificate: (certificate: string) => readonly CertificateMapEntry[];
  readonly #operations: Operations;
  readonly #issuance: Issuance;

  constructor(options: CertificateManagerOptions) {
    this.#options = options;
    const { store, clock } = options;
    this.#authorizations = store.collection("certificatemanager.dnsAuthorizations");
    this.#certificates = store.collection("certificatemanager.certificates");
    this.#keys = store.collection("certificatemanager.keys");
    this.#maps = store.collection("certificatemanager.certificateMaps");
    this.#entries = store.collection("certificatemanager.certificateMapEntries");
    this.#repointed = store.collection("certificatemanager.repointed");
    this.#authorizationsOf = groupBy(this.#authorizations, ({ name, domain }) => [`${parentOf(name)} ${domain}`]);
    this.#certificatesOf = groupBy(this.#certificates, ({ managed }) => managed?.dnsAuthorizations ?? []);
    this.#entriesOfHost = groupBy(this.#entries, (entry) => [hostKey(parentOf(entry.name), entry)]);
    this.#entriesOfMap = groupBy(this.#entries, ({ name }) => [parentOf(name)]);
    this.#entriesOfCertificate = groupBy(this.#entries, ({ certificates }) => certificates);
    this.#operations = createOperations(store, clock, options.operationMs);
    this.#issuance = new Issuance({
      ...options,
      certificates: this.#certificates,
      keys: this.#keys,
      authorizations: this.#authorizations,
      onChange: () => {
        store.commit();
        options.onChange();
      },
    });
    this.service = {
      description: ownDescription("certificatemanager:v1"),
      errors: "status",
      enumNumbers: ownEnumNumbers("certificatemanager:v1"),
      handlers: new Map([
        ...this.#locationHandlers(),
        ...this.#operations.handlers,
        ...this.#authorizationHandlers(),
        ...this.#certificateHandlers(),
        ...this.#mapHandlers(),
        ...this.#entryHandlers(),
      ]),
    };
  }

  /** Goes on with what was under way when the cloud stopped. */
  resume(): void {
    this.#issuance.resume();
  }

  hasMap(name: string): boolean {
    return this.#maps.has(name);
  }

  certificate(name: string): Certificate | undefined {
    return this.#certificates.get(name);
  }

  /** What a load balancer presents for a certificate; undefined before it has been issued. */
  keyMaterial(name: string): KeyMaterial | undefined {
    return this.#keys.get(name);
  }

  /** The entries of a map. */
  entriesOf(map: string): readonly CertificateMapEntry[] {
    return this.#entriesOfMap(map);
  }

  #locationHandlers(): readonly (readonly [string, Handler])[] {
    const describe = (name: string) => ({ name, locationId: locationOf(name).location });
    return [
      [
        `${prefix}.get`,
        (call) => {
          const name = textParameter(call, "name");
          checkLocation(name);
          return describe(name);
        },
      ],
      [
        `${prefix}.list`,
        (call) => {
          const parent = textParameter(call, "name");
          const all = ["global", "europe-west1", "us-central1"].map((id) => describe(`${parent}/locations/${id}`));
          const { items: locations, nextPageToken } = listPage(all, listRequest(call), {
            defaultSize: 100,
            mostSize: 1_000,
            keyOf: ({ name }) => name,
          });
          return { locations, ...(nextPageToken === undefined ? {} : { nextPageToken }) };
        },
      ],
    ];
  }

  #authorizationHandlers(): readonly (readonly [string, Handler])[] {
    const collection = "dnsAuthorizations";
    return [
      this.#create(collection, "dnsAuthorizationId", "DnsAuthorization", (call, name) => {
        const made = newAuthorization(
          call,
          name,
          this.#authorizationsOf(`${textParameter(call, "parent")} ${call.body.domain}`),
        );
        return () => this.#authorizations.set(name, { ...made, ...this.#stamp() });
      }),
      ...this.#readers(collection, this.#authorizations, (authorization) => authorization),
      this.#patch(collection, "DnsAuthorization", this.#authorizations, ["description", "labels"]),
      this.#delete(collection, this.#authorizations, (authorization) =>
        this.#certificatesOf(authorization).map(({ name }) => name),
      ),
    ];
  }

  #certificateHandlers(): readonly (readonly [string, Handler])[] {
    const collection = "certificates";
    return [
      this.#create(collection, "certificateId", "Certificate", (call, name) => {
        const { certificate, keys } = newCertificate(call, name, (authorization) =>
          this.#authorizations.get(authorization),
        );
        return () => {
          this.#certificates.set(name, { ...certificate, name, ...this.#stamp() });
          if (keys !== undefined) this.#keys.set(name, keys);
          else this.#issuance.begin(name);
        };
      }),
      ...this.#readers(collection, this.#certificates, (certificate) => this.#withUsers(certificate)),
      this.#patch(
        collection,
        "Certificate",
        this.#certificates,
        ["description", "labels", "selfManaged"],
        (after, before) => {
          // What was uploaded is never served, so that there is something in the field only where a patch has put it.
          if (after.selfManaged === before.selfManaged) return { after };
          if (before.selfManaged === undefined)
            throw invalidField("update_mask", "a managed certificate can't become a self-managed one");
          const { facts, keys } = readUpload(after.selfManaged ?? {});
          return {
            after: { ...after, selfManaged: {}, ...facts },
            afterwards: () => this.#keys.set(before.name, keys),
          };
        },
      ),
      this.#delete(
        collection,
        this.#certificates,
        (name) => this.#usersOf(name),
        (name) => this.#keys.delete(name),
      ),
    ];
  }

  #mapHandlers(): readonly (readonly [string, Handler])[] {
    const collection = "certificateMaps";
    return [
      this.#create(collection, "certificateMapId", "CertificateMap", (call, name) => {
        checkMapLocation(name);
        return () => this.#maps.set(name, { ...call.body, name, ...this.#stamp() });
      }),
      ...this.#readers(collection, this.#maps, (map) => {
        const gclbTargets = this.#options.targetsOfMap(map.name);
        return gclbTargets.length === 0 ? map : { ...map, gclbTargets };
      }),
      this.#patch(collection, "CertificateMap", this.#maps, ["description", "labels"]),
      this.#delete(collection, this.#maps, (name) => [
        ...this.entriesOf(name).map((entry) => entry.name),
        ...this.#options.targetsOfMap(name).map((target) => String(target.targetHttpsProxy ?? target.targetSslProxy)),
      ]),
    ];
  }

  #entryHandlers(): readonly (readonly [string, Handler])[] {
    const collection = "certificateMapEntries";
    const certificate = (name: string) => this.#certificates.get(name);
    const path = "certificateMaps.certificateMapEntries";
    return [
      this.#create(
        collection,
        "certificateMapEntryId",
        "CertificateMapEntry",
        (call, name) => {
          const map = textParameter(call, "parent");
          if (!this.#maps.has(map)) throw notFound(map);
          const made = newEntry(call, name, this.#entriesOfHost(hostKey(map, call.body)), certificate);
          return () => {
            const stamp = this.#stamp();
            this.#entries.set(name, { ...made, name, ...stamp });
            this.#repointed.set(name, stamp.createTime);
          };
        },
        path,
      ),
      ...this.#readers(collection, this.#entries, (entry) => ({ ...entry, state: this.#stateOf(entry) }), path),
      this.#patch(
        collection,
        "CertificateMapEntry",
        this.#entries,
        ["certificates", "description", "labels"],
        (after, before) => {
          const certificates = checkCertificates(after.certificates, after.name, certificate);
          const isSame = certificates.join() === before.certificates.join();
          const repoint = () => this.#repointed.set(after.name, this.#stamp().updateTime);
          return { after: { ...after, certificates }, ...(isSame ? {} : { afterwards: repoint }) };
        },
        path,
      ),
      this.#delete(
        collection,
        this.#entries,
        () => [],
        (name) => this.#repointed.delete(name),
        path,
      ),
    ];
  }

  /** ACTIVE when all of its certificates have been issued, and load balancers have had time to learn of it. */
  #stateOf({ name, certificates, createTime }: CertificateMapEntry): "ACTIVE" | "PENDING" {
    const issued = certificates.every((certificate) => this.#keys.has(certificate));
    const age = this.#options.clock.now().getTime() - Date.parse(this.#repointed.get(name) ?? createTime);
    return issued && age >= this.#options.entryActivationMs ? "ACTIVE" : "PENDING";
  }

  #usersOf(certificate: string): readonly string[] {
    return [
      ...this.#entriesOfCertificate(certificate).map(({ name }) => name),
      ...this.#options.proxiesUsing(certificate),
    ];
  }

  #withUsers(certificate: Certificate): Json {
    const users = this.#usersOf(certificate.name);
    return users.length === 0 ? certificate : { ...certificate, usedBy: users.map((name) => ({ name })) };
  }

  #stamp(): { readonly createTime: string; readonly updateTime: string } {
    const now = this.#options.clock.now().toISOString();
    return { createTime: now, updateTime: now };
  }

  /** @param make checks the call and answers what carries it out */
  #create(
    collection: CollectionName,
    idParameter: string,
    schema: string,
    make: (call: Call, name: string) => () => void,
    path: string = collection,
  ): readonly [string, Handler] {
    const id = `${prefix}.${path}.create`;
    return [
      id,
      (call) => {
        const name = newName(call, collection, idParameter);
        checkLabels(call.body.labels);
        if (this.#collection(collection).has(name)) throw alreadyExists(name);
        const carryOut = make(call, name);
        const failure = this.#options.failOperation?.(id, call);
        if (failure !== undefined) return this.#operations.fail("create", name, failure);
        carryOut();
        this.#options.onChange();
        return this.#operations.start("create", name, schema, this.#collection(collection).get(name));
      },
    ];
  }

  #readers<Item extends Json & { readonly name: string }>(
    collection: CollectionName,
    items: Collection<Item>,
    serve: (item: Item) => Json,
    path: string = collection,
  ): readonly (readonly [string, Handler])[] {
    return [
      [
        `${prefix}.${path}.get`,
        (call) => {
          const item = items.get(textParameter(call, "name"));
          if (item === undefined) throw notFound(textParameter(call, "name"));
          return serve(item);
        },
      ],
      [
        `${prefix}.${path}.list`,
        (call) => {
          const parent = textParameter(call, "parent");
          if (collection === "certificateMapEntries" && !this.#maps.has(parent)) throw notFound(parent);
          if (!parent.endsWith("/locations/-")) checkLocation(parent);
          const start = `${parent.replace(/\/-$/, "")}/`;
          const isBelow = ({ name }: Item) =>
            name.startsWith(start) && (parent.endsWith("/-") || name.startsWith(`${parent}/${collection}/`));
          const { items: page, nextPageToken } = listPage(
            [...items.values()].filter(isBelow).map((item) => serve(item) as Item),
            listRequest(call),
            { defaultSize: 500, mostSize: 1_000, keyOf: ({ name }) => name },
          );
          return { [collection]: page, ...(nextPageToken === undefined ? {} : { nextPageToken }) };
        },
      ],
    ];
  }

  /** @param finish checks what the patch makes, and answers what is kept and what else there is to do */
  #patch<Item extends Json & { readonly name: string }>(
    collection: CollectionName,
    schema: string,
    items: Collection<Item>,
    mutable: readonly string[],
    finish: (after: Item, before: Item) => { readonly after: Item; readonly afterwards?: () => void } = (after) => ({
      after,
    }),
    path: string = collection,
  ): readonly [string, Handler] {
    const id = `${prefix}.${path}.patch`;
    return [
      id,
      (call) => {
        const name = textParameter(call, "name");
        const before = items.get(name);
        if (before === undefined) throw notFound(name);
        checkLabels(call.body.labels);
        const patched = applyMask(before, call.body, textParameter(call, "updateMask"), mutable) as Item;
        const { after: finished, afterwards } = finish(patched, before);
        const failure = this.#options.failOperation?.(id, call);
        if (failure !== undefined) return this.#operations.fail("update", name, failure);
        const after = { ...finished, updateTime: this.#stamp().updateTime };
        items.set(name, after);
        afterwards?.();
        this.#options.onChange();
        return this.#operations.start("update", name, schema, after);
      },
    ];
  }

  /** @param usersOf names of what refers to it; nothing that is referred to can be deleted */
  #delete<Item extends Json>(
    collection: CollectionName,
    items: Collection<Item>,
    usersOf: (name: string) => readonly string[],
    afterwards?: (name: string) => unknown,
    path: string = collection,
  ): readonly [string, Handler] {
    const id = `${prefix}.${path}.delete`;
    return [
      id,
      (call) => {
        const name = textParameter(call, "name");
        if (!items.has(name)) throw notFound(name);
        const users = usersOf(name);
        if (users.length > 0) throw inUse(name, users);
        const failure = this.#options.failOperation?.(id, call);
        if (failure !== undefined) return this.#operations.fail("delete", name, failure);
        items.delete(name);
        afterwards?.(name);
        this.#options.onChange();
        return this.#operations.start("delete", name, "Empty", undefined);
      },
    ];
  }

  #collection(name: CollectionName): Collection<Json> {
    const all: Readonly<Record<CollectionName, Collection<never>>> = {
      dnsAuthorizations: this.#authorizations as Collection<never>,
      certificates: this.#certificates as Collection<never>,
      certificateMaps: this.#maps as Collection<never>,
      certificateMapEntries: this.#entries as Collection<never>,
    };
    return all[name];
  }
}

function listRequest(call: Call): Parameters<typeof listPage>[1] {
  return {
    pageSize: call.parameters.pageSize as number | undefined,
    pageToken: textParameter(call, "pageToken"),
    filter: textParameter(call, "filter"),
    orderBy: textParameter(call, "orderBy"),
  };
}

/** The name of what a resource's collection belongs to. */
function parentOf(name: string): string {
  return name.split("/").slice(0, -2).join("/");
}

/** What only one entry of a map can have. */
function hostKey(map: string, { hostname, matcher }: Json): string {
  return `${map} ${hostname || matcher}`;
}
