import { createHash } from "node:crypto";
import { ownDescription } from "../../discovery";
import { lastPart, projectIn, writeProject } from "../../resource-names";
import { CloudError, foundOrThrow } from "../cloud-error";
import {
  applyMask,
  type Call,
  type CloudService,
  type Handlers,
  invalidField,
  isJsonObject,
  type Json,
  listNamed,
  textParameter,
} from "../front";
import type { LogEntries } from "../log-entries";
import { twelveDigitsOf } from "../projects";
import type { Clock, Collection, Store } from "../state";
import { checkPolicy } from "./check-policy";
import { type AlertPolicy, type Incident, Incidents } from "./incidents";
import { type UptimeCheck, type UptimeReach, UptimeRuns } from "./uptime-runs";

interface MonitoringOptions extends UptimeReach {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: LogEntries;
}

/** Cloud Monitoring, as far as certificates are watched with it. */
export interface Monitoring {
  readonly services: readonly CloudService[];
  /** Notes that DNS or load balancers have changed, so that uptime checks request again. */
  changed(): void;
}

interface Dashboard extends Json {
  readonly name: string;
}

/**
 * Creates Cloud Monitoring: alert policies, uptime checks over HTTPS, incidents and dashboards. Conditions on uptime
 * checks and on log entries are evaluated; others are stored. Notification channels are not checked, and nobody is
 * notified.
 */
export function createMonitoring({ store, clock, log, ...reach }: MonitoringOptions): Monitoring {
  const policies = store.collection<AlertPolicy>("monitoring.alertPolicies");
  const checks = store.collection<UptimeCheck>("monitoring.uptimeChecks");
  const dashboards = store.collection<Dashboard>("monitoring.dashboards");
  const incidents = store.collection<Incident>("monitoring.alerts");
  const opened = new Incidents({ clock, policies, incidents });
  const runs = new UptimeRuns({
    ...reach,
    clock,
    checks,
    onRun: (check) => opened.afterRun(check, runs.latest(check.name)),
  });
  log.watch((entry) => opened.afterEntry(entry));
  const v3 = {
    ...policyHandlers(policies, clock),
    ...checkHandlers(checks, policies),
    "monitoring.projects.alerts.get": (call: Call) => {
      const name = textParameter(call, "name");
      return found(
        [...incidents.values()].find((incident) => incident.name === name),
        name,
      );
    },
    "monitoring.projects.alerts.list": (call: Call) =>
      listNamed(call, "alerts", inProject(incidents.values(), textParameter(call, "parent"))),
  };
  return {
    services: [
      { description: ownDescription("monitoring:v3"), errors: "status", handlers: v3 },
      { description: ownDescription("monitoring:v1"), errors: "status", handlers: dashboardHandlers(dashboards) },
    ],
    changed: () => runs.changed(),
  };
}

function policyHandlers(policies: Collection<AlertPolicy>, clock: Clock): Handlers {
  const prefix = "monitoring.projects.alertPolicies";
  const mutation = () => ({ mutateTime: clock.now().toISOString(), mutatedBy: "rehearsal" });
  return {
    [`${prefix}.create`]: (call) => {
      const parent = textParameter(call, "name");
      const name = newName(policies, parent, "alertPolicies", (attempt) =>
        twelveDigitsOf(`${JSON.stringify(call.body)} ${attempt}`),
      );
      const record = mutation();
      const policy = named({ ...call.body, name, creationRecord: record, mutationRecord: record });
      policies.set(name, policy);
      return policy;
    },
    [`${prefix}.get`]: (call) => getIn(policies, call),
    [`${prefix}.list`]: (call) =>
      listNamed(call, "alertPolicies", inProject(policies.values(), textParameter(call, "name"))),
    [`${prefix}.patch`]: (call) => {
      const before = getIn(policies, call);
      const { creationRecord } = before;
      const after = named({ ...changed(before, call, "AlertPolicy"), creationRecord, mutationRecord: mutation() });
      policies.set(after.name, after);
      return after;
    },
    [`${prefix}.delete`]: (call) => removeFrom(policies, call),
  };
}

/** Checks a policy, and completes what the service sets. */
function named(body: Json & { readonly name: string }): AlertPolicy {
  checkPolicy(body);
  const conditions = (body.conditions as readonly Json[]).map((condition, index) => ({
    ...condition,
    name: condition.name ?? `${body.name}/conditions/${twelveDigitsOf(`${body.name} ${index}`)}`,
  }));
  return { enabled: true, ...body, displayName: String(body.displayName), conditions };
}

function checkHandlers(checks: Collection<UptimeCheck>, policies: Collection<AlertPolicy>): Handlers {
  const prefix = "monitoring.projects.uptimeCheckConfigs";
  return {
    [`${prefix}.create`]: (call) => {
      const { displayName } = call.body;
      checkUptimeCheck(call.body);
      const slug = String(displayName)
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, "-")
        .replace(/^-|-$/g, "");
      const name = newName(checks, textParameter(call, "parent"), "uptimeCheckConfigs", (attempt) => {
        const digest = createHash("sha256")
          .update(`${JSON.stringify(call.body)} ${attempt}`)
          .digest("base64url");
        return `${slug}-${digest.replace(/[-_]/g, "x").slice(0, 11)}`;
      });
      const check = completeCheck({ ...call.body, name });
      checks.set(name, check);
      return check;
    },
    [`${prefix}.get`]: (call) => getIn(checks, call),
    [`${prefix}.list`]: (call) =>
      listNamed(call, "uptimeCheckConfigs", inProject(checks.values(), textParameter(call, "parent"))),
    [`${prefix}.patch`]: (call) => {
      const after = completeCheck(changed(getIn(checks, call), call, "UptimeCheckConfig"));
      checkUptimeCheck(after);
      checks.set(after.name, after);
      return after;
    },
    [`${prefix}.delete`]: (call) => {
      const { name } = getIn(checks, call);
      const id = lastPart(name);
      const user = [...policies.values()].find((policy) => JSON.stringify(policy.conditions).includes(`"${id}\\"`));
      if (user !== undefined) {
        const message = `Cannot delete check ${id}. One or more alerting policies is using it.Delete the alerting policy before deleting the check: ${user.name}`;
        throw new CloudError("INVALID_ARGUMENT", message);
      }
      return removeFrom(checks, call);
    },
  };
}

const periods: readonly unknown[] = ["60s", "300s", "600s", "900s"];

function checkUptimeCheck({ displayName, period, timeout, selectedRegions }: Json): void {
  if (typeof displayName !== "string" || displayName === "") throw invalidField("display_name", "is required");
  if (period !== undefined && !periods.includes(period)) {
    throw invalidField("period", `'${String(period)}' is not one of ${periods.join(", ")}`);
  }
  const seconds = Number(/^(\d+(?:\.\d+)?)s$/.exec(String(timeout))?.[1] ?? 0);
  if (seconds < 1 || seconds > 60) throw invalidField("timeout", "1 to 60 seconds are allowed");
  if (Array.isArray(selectedRegions) && selectedRegions.length > 0) {
    // The United States have three places.
    const places = selectedRegions.reduce((sum, region) => sum + (region === "USA" ? 3 : 1), 0);
    if (places < 3) throw invalidField("selected_regions", "regions with at least three places are needed");
  }
}

/** Adds what the service sets: the project as a label of the resource, the period, and values of the request. */
function completeCheck(check: UptimeCheck): UptimeCheck {
  const resource = isJsonObject(check.monitoredResource) ? check.monitoredResource : undefined;
  const http = isJsonObject(check.httpCheck) ? check.httpCheck : undefined;
  const labels = isJsonObject(resource?.labels) ? resource.labels : {};
  return {
    period: "60s",
    checkerType: "STATIC_IP_CHECKERS",
    ...check,
    ...(resource === undefined
      ? {}
      : { monitoredResource: { ...resource, labels: { project_id: projectIn(check.name) ?? "", ...labels } } }),
    ...(http === undefined
      ? {}
      : { httpCheck: { requestMethod: "GET", path: "/", port: http.useSsl === true ? 443 : 80, ...http } }),
  };
}

function dashboardHandlers(dashboards: Collection<Dashboard>): Handlers {
  const prefix = "monitoring.projects.dashboards";
  const withEtag = (dashboard: Dashboard): Dashboard => {
    const { etag: _, ...content } = dashboard;
    return { ...dashboard, etag: createHash("sha256").update(JSON.stringify(content)).digest("hex").slice(0, 32) };
  };
  const isOnlyChecked = ({ parameters }: Call) =>
    parameters.validateOnly === true || parameters.validateOnly === "true";
  const check = ({ displayName }: Json) => {
    if (typeof displayName !== "string" || displayName === "") throw invalidField("display_name", "is required");
  };
  return {
    [`${prefix}.create`]: (call) => {
      check(call.body);
      const parent = textParameter(call, "parent");
      const given = typeof call.body.name === "string" && call.body.name !== "" ? call.body.name : undefined;
      if (given !== undefined && dashboards.has(given)) throw new CloudError("ALREADY_EXISTS", `${given} exists`);
      const name =
        given ??
        newName(dashboards, parent, "dashboards", (attempt) => uuidOf(`${JSON.stringify(call.body)} ${attempt}`));
      const dashboard = withEtag({ ...call.body, name });
      if (!isOnlyChecked(call)) dashboards.set(name, dashboard);
      return dashboard;
    },
    [`${prefix}.get`]: (call) => getIn(dashboards, call),
    [`${prefix}.list`]: (call) =>
      listNamed(call, "dashboards", inProject(dashboards.values(), textParameter(call, "parent"))),
    [`${prefix}.patch`]: (call) => {
      check(call.body);
      const before = getIn(dashboards, call);
      const { etag } = call.body;
      if (typeof etag === "string" && etag !== "" && etag !== before.etag) {
        throw new CloudError("ABORTED", `${before.name} was changed by somebody else`);
      }
      const after = withEtag({ ...call.body, name: before.name });
      if (!isOnlyChecked(call)) dashboards.set(after.name, after);
      return after;
    },
    [`${prefix}.delete`]: (call) => removeFrom(dashboards, call),
  };
}

function uuidOf(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join("-");
}

/** Returns a name that is not taken: ids follow from content, so that two runs have the same names. */
function newName(
  items: Collection<unknown>,
  parent: string,
  collection: string,
  idOf: (attempt: number) => string,
): string {
  for (let attempt = 0; ; attempt++) {
    const name = `${writeProject(projectIn(parent) ?? "")}/${collection}/${idOf(attempt)}`;
    if (!items.has(name)) return name;
  }
}

/** Changes the fields of the mask; without a mask, the given item replaces the stored one. */
function changed<Item extends Json & { readonly name: string }>(before: Item, call: Call, schema: string): Item {
  const { description } = call;
  const mask = textParameter(call, "updateMask");
  if (mask === "") return { ...call.body, name: before.name } as Item;
  const mutable = Object.keys(description.document.schemas?.[schema]?.properties ?? {}).filter(
    (name) => name !== "name",
  );
  return applyMask(before, call.body, mask, mutable, {
    description,
    schema: { $ref: schema },
  }) as Item;
}

function getIn<Item>(items: Collection<Item>, call: Call): Item {
  const name = textParameter(call, "name");
  return found(items.get(name), name);
}

function found<Item>(item: Item | undefined, name: string): Item {
  return foundOrThrow(item, () => notFound(name));
}

function removeFrom(items: Collection<unknown>, call: Call): Json {
  const name = textParameter(call, "name");
  if (!items.delete(name)) throw notFound(name);
  return {};
}

function inProject<Item extends { readonly name: string }>(items: Iterable<Item>, parent: string): readonly Item[] {
  return [...items].filter(({ name }) => name.startsWith(`${parent}/`));
}

function notFound(name: string): CloudError {
  return new CloudError("NOT_FOUND", `Cannot find ${name}`);
}
