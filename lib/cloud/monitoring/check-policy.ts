import { invalidField, isJsonObject, type Json } from "../front";
import { logFilter } from "../log-entries";
import { durationOf } from "./conditions";

const mostConditions = 6;
const mostChannels = 16;
const kinds = [
  "conditionThreshold",
  "conditionAbsent",
  "conditionMatchedLog",
  "conditionMonitoringQueryLanguage",
  "conditionPrometheusQueryLanguage",
  "conditionSql",
];

/** Checks an alert policy. @throws CloudError as the service does */
export function checkPolicy(policy: Json): void {
  const { displayName, combiner, conditions, notificationChannels, alertStrategy } = policy;
  if (typeof displayName !== "string" || displayName === "")
    throw invalidField("alert_policy.display_name", "is required");
  if (combiner === undefined) throw invalidField("alert_policy.combiner", "is required");
  const list = Array.isArray(conditions) ? (conditions as readonly Json[]) : [];
  if (list.length === 0 || list.length > mostConditions) {
    throw invalidField("alert_policy.conditions", `there are ${list.length}; 1 to ${mostConditions} are allowed`);
  }
  if (Array.isArray(notificationChannels) && notificationChannels.length > mostChannels) {
    throw invalidField("alert_policy.notification_channels", `at most ${mostChannels} are allowed`);
  }
  list.forEach((condition, index) => {
    checkCondition(condition, `alert_policy.conditions[${index}]`);
  });
  checkStrategy(list, isJsonObject(alertStrategy) ? alertStrategy : {});
}

function checkCondition(condition: Json, field: string): void {
  const set = kinds.filter((kind) => isJsonObject(condition[kind]));
  if (set.length !== 1) throw invalidField(field, "exactly one kind of condition is needed");
  const { conditionMatchedLog: log, conditionAbsent: absent, conditionThreshold: threshold } = condition;
  if (isJsonObject(log)) logFilter(String(log.filter ?? ""));
  if (isJsonObject(absent)) {
    const seconds = durationOf(absent.duration) / 1_000;
    if (seconds < 120 || seconds > 84_600) throw invalidField(`${field}.duration`, "120 to 84,600 seconds are allowed");
  }
  if (isJsonObject(threshold) && threshold.comparison === undefined) {
    throw invalidField(`${field}.comparison`, "is required");
  }
}

function checkStrategy(conditions: readonly Json[], strategy: Json): void {
  const isOnLog = conditions.some(({ conditionMatchedLog }) => isJsonObject(conditionMatchedLog));
  if (isOnLog && conditions.length > 1) {
    throw invalidField("alert_policy.conditions", "a condition on log entries has to be the only one");
  }
  const isLimited = isJsonObject(strategy.notificationRateLimit);
  if (isOnLog !== isLimited) {
    const what = isOnLog ? "is required for a condition on log entries" : "is only for conditions on log entries";
    throw invalidField("alert_policy.alert_strategy.notification_rate_limit", what);
  }
  const { autoClose } = strategy;
  const seconds = durationOf(autoClose) / 1_000;
  if (autoClose !== undefined && (seconds < 1_800 || seconds > 604_800)) {
    throw invalidField("alert_policy.alert_strategy.auto_close", "30 minutes to 7 days are allowed");
  }
}
