import { type DoctorSubject, doctorSubject } from "../../../lib/live/doctor/subject";
import { type MigrationSource, type SourceMigration, sourceFromSpec } from "../../../lib/source";
import { shopSpec } from "../../support/migration-spec";

type Group = "certificates" | "balancer" | "map" | "dns";

/** Changes of a subject; the members of a group that it leaves out keep their values. */
export type SubjectChange = Partial<Omit<DoctorSubject, Group>> & {
  readonly [Name in Group]?: Partial<DoctorSubject[Name]>;
};

/** What is looked at of a migration of the project `p1`. */
export function subjectOfTest(change: SubjectChange = {}): DoctorSubject {
  const { migrations, plan }: MigrationSource = sourceFromSpec(shopSpec, { source: "migration.yaml", project: "p1" });
  const subject = doctorSubject(migrations[0] as SourceMigration, { plan, project: "p1" });
  return {
    ...subject,
    ...change,
    certificates: { ...subject.certificates, ...change.certificates },
    balancer: { ...subject.balancer, ...change.balancer },
    map: { ...subject.map, ...change.map },
    dns: { ...subject.dns, ...change.dns },
  };
}
