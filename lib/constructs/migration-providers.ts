import type { DnsManagedZone } from "@cdktf/provider-google/lib/dns-managed-zone";
import { TerraformProvider, TerraformStack } from "cdktf";
import type { Construct } from "constructs";
import type { Code } from "../findings/codes";
import { type CodedFinding, findingsOf } from "../findings/finding";
import { fieldsOf } from "../json/fields";
import { pointerTo } from "../json/pointer";
import type { DnsSpec } from "../plan";
import { constructErrors } from "./codes";
import { requireOwnKit } from "./kit";
import { migrationPath } from "./migration-path";
import type { IRecordPublisher } from "./record-publisher";
import { inSameStack } from "./reference";
import { zoneDomain } from "./zone-domain";

const finding = findingsOf(constructErrors);

/** The part of a `DnsPublication` that decides about the providers of records. */
interface ProvidersOfDns {
  readonly spec: DnsSpec;
  readonly appZones: { readonly [domain: string]: DnsManagedZone };
  readonly provider: TerraformProvider | undefined;
  readonly zoneProviders: { readonly [domain: string]: TerraformProvider };
  readonly publisher: IRecordPublisher | undefined;
}

/**
 * The google providers of the resources of a migration; undefined where it is the stack's provider without alias. Also
 * the publisher of records at other DNS providers.
 */
export class MigrationProviders {
  /** Provider of all resources except records. */
  readonly provider: TerraformProvider | undefined;
  /** Publisher of `DnsPublication.custom`. */
  readonly publisher: IRecordPublisher | undefined;
  readonly #ofZones: ReadonlyMap<string, TerraformProvider | undefined>;

  /** @param ofZones providers of zones by their domains; other zones have the provider of the migration */
  constructor(
    provider: TerraformProvider | undefined,
    ofZones: ReadonlyMap<string, TerraformProvider | undefined>,
    publisher: IRecordPublisher | undefined,
  ) {
    this.provider = withAlias(provider);
    this.publisher = publisher;
    this.#ofZones = ofZones;
  }

  /** The providers with an alias. */
  get all(): readonly TerraformProvider[] {
    return [this.provider, ...this.#ofZones.values()].flatMap((provider) => withAlias(provider) ?? []);
  }

  /** Returns the provider of the records of a zone. */
  ofZone({ domain }: { readonly domain: string }): TerraformProvider | undefined {
    return this.#ofZones.has(domain) ? withAlias(this.#ofZones.get(domain)) : this.provider;
  }
}

/**
 * Returns a provider with an alias, or undefined: resources without `provider` use the provider without alias, so that
 * stating this provider changes nothing.
 */
export function withAlias(provider: TerraformProvider | undefined): TerraformProvider | undefined {
  return provider?.alias === undefined ? undefined : provider;
}

/** Returns the name of a provider in Terraform, for example `google.dns`. */
export function providerName(provider: TerraformProvider | undefined): string {
  return provider === undefined ? "google" : `${provider.terraformResourceType}.${provider.alias}`;
}

/**
 * Reads the providers of a migration and of its records.
 *
 * @returns the providers without those that have mistakes, and the mistakes
 * @throws InputError `kit-mixed` if a provider is of the other kit
 */
export function readProviders(
  scope: Construct,
  provider: unknown,
  dns: ProvidersOfDns | undefined,
): { readonly providers: MigrationProviders; readonly mistakes: readonly CodedFinding<Code>[] } {
  const mistakes: CodedFinding<Code>[] = [];
  const read = (value: unknown, at: readonly string[]): TerraformProvider | undefined => {
    if (value === undefined) return undefined;
    const mistake = mistakeOfProvider(scope, value, at);
    if (mistake === undefined) return value as TerraformProvider;
    mistakes.push(mistake);
    return undefined;
  };
  const ofMigration = read(provider, ["provider"]);
  const { appZones = {}, zoneProviders = {} } = dns ?? {};
  const ofPublication = read(dns?.provider, ["dns", "provider"]);
  const zones = fieldsOf(dns?.spec).kind === "cloudDns" ? Object.keys(Object(fieldsOf(dns?.spec).zones)) : [];
  const ofZones = zones.flatMap((key): (readonly [string, TerraformProvider])[] => {
    const stated = Object.hasOwn(zoneProviders, key) ? zoneProviders[key] : undefined;
    const zone = Object.hasOwn(appZones, key) ? appZones[key] : undefined;
    const ofZone = zone !== undefined && inSameStack(scope, zone) ? zone.provider : undefined;
    const used = read(stated, ["dns", "zones", key, "provider"]) ?? ofZone ?? ofPublication;
    return used === undefined ? [] : [[zoneDomain(key), used]];
  });
  return { providers: new MigrationProviders(ofMigration, new Map(ofZones), dns?.publisher), mistakes };
}

/**
 * Checks a provider of props.
 *
 * @param at path of the property, for example `["dns", "provider"]`
 * @returns a finding `provider-invalid`, or undefined for a google provider of the construct's stack
 * @throws InputError `kit-mixed` if it is of the other kit
 */
export function mistakeOfProvider(
  scope: Construct,
  value: unknown,
  at: readonly string[],
): CodedFinding<Code> | undefined {
  const what = `'${at.join(".")}'`;
  const pointer = at.reduce((parent, name) => pointerTo(parent, name), "");
  if (!TerraformProvider.isTerraformProvider(value)) {
    return finding("provider-invalid", pointer, `${what} is not a provider of the app`);
  }
  requireOwnKit(value, `${migrationPath(scope)}: ${what}`);
  if (value.terraformResourceType !== "google") {
    const type = value.terraformResourceType;
    return finding("provider-invalid", pointer, `${what} is '${value.node.path}', a provider of type '${type}'`);
  }
  if (inSameStack(scope, value)) return undefined;
  const stack = TerraformStack.of(value).node.path;
  return finding("provider-invalid", pointer, `${what} is '${value.node.path}', a provider of the stack '${stack}'`);
}
