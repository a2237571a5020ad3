import { createHash } from "node:crypto";
import { lastPart, projectIn, writeProject } from "../../resource-names";
import type { Json } from "../front";
import { isJsonObject } from "../front";
import { extractedLabels, type LogEntry, logFilter } from "../log-entries";
import type { Clock, Collection } from "../state";
import { durationOf, readCondition } from "./conditions";
import type { UptimeCheck, UptimeRun } from "./uptime-runs";

export interface AlertPolicy extends Json {
  /** `projects/P/alertPolicies/ID`. */
  readonly name: string;
  readonly displayName: string;
  readonly conditions: readonly Json[];
}

/** An incident as the API returns it. */
export interface Incident extends Json {
  /** `projects/P/alerts/ID`. */
  readonly name: string;
  readonly state: "OPEN" | "CLOSED";
  /** RFC 3339. */
  readonly openTime: string;
}

interface IncidentsOptions {
  readonly clock: Clock;
  readonly policies: Collection<AlertPolicy>;
  readonly incidents: Collection<Incident>;
}

const mostKept = 10_000;
const usualAutoCloseMs = 30 * 60_000;

/** Opens and closes incidents, by the results of uptime checks and by log entries. */
export class Incidents {
  readonly #options: IncidentsOptions;
  /** Since when a condition holds, in milliseconds, by policy, condition and check. */
  readonly #holdsSince = new Map<string, number>();

  constructor(options: IncidentsOptions) {
    this.#options = options;
    options.policies.watch((name, _before, after) => {
      // A changed policy begins anew, and a deleted one has no open incident.
      for (const key of this.#holdsSince.keys()) if (key.startsWith(`${name} `)) this.#holdsSince.delete(key);
      if (after === undefined || after.enabled === false) this.#closeAll(name);
    });
  }

  /** Evaluates the conditions on an uptime check after a run. */
  afterRun(check: UptimeCheck, run: UptimeRun | undefined): void {
    const project = projectIn(check.name);
    for (const policy of this.#enabledIn(project)) {
      policy.conditions.forEach((condition, index) => {
        const read = readCondition(condition);
        if (read === undefined || (read.checkId !== undefined && read.checkId !== lastPart(check.name))) return;
        const nowMs = this.#options.clock.now().getTime();
        const key = `${policy.name} ${index} ${check.name}`;
        if (!read.holds(run, nowMs)) {
          this.#holdsSince.delete(key);
          this.#close(key);
          return;
        }
        const sinceMs = this.#holdsSince.get(key) ?? nowMs;
        this.#holdsSince.set(key, sinceMs);
        if (nowMs - sinceMs < read.durationMs) return;
        const { host = "" } = ((check.monitoredResource as Json | undefined)?.labels ?? {}) as {
          readonly host?: string;
        };
        this.#open(key, policy, {
          resource: { type: "uptime_url", labels: { host, project_id: project ?? "" } },
          metric: { type: read.metric, labels: { check_id: lastPart(check.name) } },
        });
      });
    }
  }

  /** Opens incidents of policies whose condition matches a log entry. */
  afterEntry(entry: LogEntry): void {
    for (const policy of this.#enabledIn(projectIn(entry.logName))) {
      policy.conditions.forEach((condition, index) => {
        const { conditionMatchedLog: log } = condition;
        if (!isJsonObject(log) || !logFilter(String(log.filter))(entry)) return;
        const key = `${policy.name} ${index} log`;
        this.#open(key, policy, {
          resource: entry.resource,
          log: { extractedLabels: extractedLabels(entry, log.labelExtractors) },
        });
        this.#closeWithoutEntry(key, policy);
      });
    }
  }

  #enabledIn(project: string | undefined): readonly AlertPolicy[] {
    return [...this.#options.policies.values()].filter(
      ({ name, enabled }) => projectIn(name) === project && enabled !== false,
    );
  }

  /** Closes an incident on log entries when none has come for the policy's time. */
  #closeWithoutEntry(key: string, { alertStrategy }: AlertPolicy): void {
    const { clock } = this.#options;
    const waitMs = durationOf((alertStrategy as Json | undefined)?.autoClose) || usualAutoCloseMs;
    const lastMs = clock.now().getTime();
    this.#holdsSince.set(key, lastMs);
    clock.after(waitMs, () => {
      if (this.#holdsSince.get(key) !== lastMs) return;
      this.#holdsSince.delete(key);
      this.#close(key);
    });
  }

  #open(key: string, policy: AlertPolicy, about: Json): void {
    const { clock, incidents } = this.#options;
    if (incidents.get(key)?.state === "OPEN") return;
    this.#archive(key);
    const openTime = clock.now().toISOString();
    const id = createHash("sha256").update(`${key} ${openTime}`).digest("hex").slice(0, 16);
    const { name, displayName, severity, userLabels } = policy;
    incidents.set(key, {
      name: `${writeProject(projectIn(name) ?? "")}/alerts/0.${id}`,
      state: "OPEN",
      openTime,
      policy: { name, displayName, severity, userLabels },
      ...about,
    });
    for (const [oldest, { state }] of incidents.entries()) {
      if (incidents.size <= mostKept || state === "OPEN") break;
      incidents.delete(oldest);
    }
  }

  #close(key: string): void {
    const { clock, incidents } = this.#options;
    const open = incidents.get(key);
    if (open?.state !== "OPEN") return;
    incidents.set(key, { ...open, state: "CLOSED", closeTime: clock.now().toISOString() });
  }

  /** Keeps a closed incident under its own name, because the next one takes its place. */
  #archive(key: string): void {
    const { incidents } = this.#options;
    const closed = incidents.get(key);
    if (closed === undefined) return;
    incidents.delete(key);
    incidents.set(closed.name, closed);
  }

  #closeAll(policy: string): void {
    for (const [key] of this.#options.incidents.entries()) if (key.startsWith(`${policy} `)) this.#close(key);
  }
}
