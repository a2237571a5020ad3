import { type DoctorSubject, doctorSubject } from "../../../lib/live/doctor/subject";
import { type MigrationSource, type SourceMigration, sourceFromSpec } from "../../../lib/source";
import { shopSpec } from "../../support/migration-spec";

/** What is looked at of a migration of the project `p1`. */
export function subjectOfTest(change: Partial<DoctorSubject> = {}): DoctorSubject {
  const { migrations, plan }: MigrationSource = sourceFromSpec(shopSpec, { source: "migration.yaml", project: "p1" });
  return { ...doctorSubject(migrations[0] as SourceMigration, { plan, project: "p1" }), ...change };
}
