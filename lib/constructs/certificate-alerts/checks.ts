import type { Construct } from "constructs";
import type { Code } from "../../findings/codes";
import { type CodedFinding, findingsOf } from "../../findings/finding";
import { defined } from "../../json/defined";
import { pointerTo, stepsOf } from "../../json/pointer";
import { checks, Findings, type PlannedAlerts, planAlerts } from "../../plan";
import { type Description, shapeMistakes, type TokenReader } from "../../plan/shape";
import { constructErrors } from "../codes";
import { isOfOwnEntry } from "../kit";
import { mistakeOfProvider } from "../migration-providers";
import { plainOf } from "../plain";
import { publicRootsFor } from "../rehearsal-spec";
import { SharedResources } from "../shared-resources";
import type { CertificateAlertsProps, IWatchedMigration } from "./props";

const finding = findingsOf(constructErrors);
const checkFinding = findingsOf(checks);

const description: Description = {
  readSchema: () => require("./props.schema.json") as object,
  subject: "the props",
};

interface CheckedCertificateAlerts {
  /** The props whose values have the types of the description. */
  readonly usable: CertificateAlertsProps;
  readonly planned: PlannedAlerts;
  readonly findings: readonly CodedFinding<Code>[];
}

/**
 * Plans the alerts of props, with the findings of all props. A migration that creates its own alerts has checked and
 * planned them.
 *
 * @param props may have any values: props from `JSON.parse` or from the app's context have no checked types
 */
export function checkCertificateAlerts(
  owner: Construct,
  props: unknown,
  readToken: TokenReader,
): CheckedCertificateAlerts {
  const given = plainOf(Object(props) as CertificateAlertsProps);
  const [own] = Array.isArray(given.migrations) ? given.migrations : [];
  if (own !== undefined && own === owner.node.scope && own.plan?.alerts !== undefined) {
    return { usable: given, planned: own.plan.alerts, findings: [] };
  }
  const { migrations, provider, ...data } = given;
  const found: CodedFinding<Code>[] = [];
  const known = readMigrations(owner, migrations, found);
  const mistaken = provider === undefined ? undefined : mistakeOfProvider(owner, provider, ["provider"]);
  if (mistaken !== undefined) found.push(mistaken);
  const mistakes = shapeMistakes(data, readToken, description);
  for (const { pointer, explain } of mistakes) {
    found.push({ severity: "error", subject: pointer, remedy: "", ...explain() });
  }
  const wrong = new Set(mistakes.map(({ pointer }) => stepsOf(pointer)[0]));
  const right = Object.fromEntries(
    Object.entries(data).filter(([name, value]) => value !== undefined && !wrong.has(name)),
  );
  const usable: CertificateAlertsProps = { ...right, migrations: known, ...defined({ provider }) };
  const ofPlan = new Findings();
  const plans = known.map(({ plan }) => plan);
  const planned = planAlerts(usable, plans, ofPlan, "", publicRootsFor(owner));
  return { usable, planned, findings: [...found, ...ofPlan.sorted()] };
}

function readMigrations(
  owner: Construct,
  migrations: unknown,
  found: CodedFinding<Code>[],
): readonly IWatchedMigration[] {
  const at = "/migrations";
  if (migrations === undefined) {
    found.push(checkFinding("property-missing", at, "'migrations' is missing: pass the migrations to watch"));
    return [];
  }
  if (!Array.isArray(migrations)) {
    found.push(checkFinding("value-wrong-type", at, "'migrations' is not a list of migrations"));
    return [];
  }
  if (migrations.length === 0) found.push(checkFinding("list-empty", at, "'migrations' has no migration"));
  const listed = new Set<unknown>();
  return migrations.filter((each: unknown, index): each is IWatchedMigration => {
    const place = pointerTo(at, index);
    if (!isOfOwnEntry(each, "ManagedCertMigration", `${owner.node.path}: 'migrations[${index}]'`)) {
      const remedy = "pass a ManagedCertMigration, or the property 'migration' of a WildcardCertWithAuth";
      found.push(checkFinding("value-wrong-type", place, `'migrations[${index}]' is not a migration`, { remedy }));
      return false;
    }
    const migration = each as IWatchedMigration;
    const { name, alerts } = migration.plan;
    if (listed.has(each)) {
      const what = `migration '${name}' is listed twice`;
      found.push(finding("alerts-repeated", place, what, { remedy: "list each migration once" }));
      return false;
    }
    listed.add(each);
    const watcher = SharedResources.of(migration).watchers.get(migration);
    if (alerts !== undefined) {
      found.push(finding("alerts-repeated", place, `migration '${name}' has 'alerts' of its own`));
    } else if (watcher !== undefined) {
      const what = `migration '${name}' is already watched by '${watcher}'`;
      const remedy =
        "remove the migration from 'migrations' there or here; to notify further people, add 'notificationChannels' there";
      found.push(finding("alerts-repeated", place, what, { remedy }));
    }
    return true;
  });
}
