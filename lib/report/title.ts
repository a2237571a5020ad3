import { listFirst } from "../text/words";
import type { RehearsalRecord, ReportData } from "./model";

/** Maximum number of names and of addresses in a title. */
const mostNames = 3;

/** Returns the title of a report: migrations, project and addresses, as far as the inputs contain them. */
export function titleOf({ statuses = [], verifications = [], watches = [], rehearsal }: Partial<ReportData>): string {
  const isRehearsal = statuses.length + verifications.length + watches.length === 0;
  if (isRehearsal && rehearsal !== undefined) return rehearsalTitle(rehearsal);
  const checked = [...verifications, ...watches].flatMap(({ migrations = [] }) => migrations);
  const names = distinct([
    ...statuses.flatMap(({ hostnames }) => hostnames.flatMap(({ migration }) => migration ?? [])),
    ...checked.map(({ name }) => name),
  ]);
  const projects = distinct(checked.flatMap(({ project }) => project ?? []));
  const addresses = distinct([
    ...verifications.flatMap(({ results }) => results.map(({ address }) => address)),
    ...watches.flatMap(({ newAddresses = [] }) => newAddresses),
  ]);
  const of = names.length === 0 ? "" : ` of ${listed(names)}`;
  const within = projects.length === 0 ? "" : ` in ${listed(projects)}`;
  return `Certificate migration${of}${within}${addresses.length === 0 ? "" : ` at ${listed(addresses)}`}`;
}

function rehearsalTitle({ result: { rehearsed, timeline } }: RehearsalRecord): string {
  const migrations = rehearsed?.input.migrations ?? [];
  const names = distinct(migrations.map(({ name }) => name));
  const projects = distinct(migrations.flatMap(({ project }) => project ?? []));
  const { previous = [], loadBalancer = [] } = timeline?.addresses ?? {};
  const of = names.length === 0 ? "a certificate migration" : listed(names);
  const within = projects.length === 0 ? "" : ` in ${listed(projects)}`;
  const moved =
    previous.length === 0 || loadBalancer.length === 0 ? "" : `: ${listed(previous)} to ${listed(loadBalancer)}`;
  return `Rehearsal of ${of}${within}${moved}`;
}

function listed(names: readonly string[]): string {
  return listFirst(names, mostNames);
}

function distinct(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}
