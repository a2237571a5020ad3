import { gcloud } from "../../text/command-line";
import { type CheckResult, type DoctorFinding, doctorFinding } from "./model";
import type { RoleNeed } from "./project-needs";
import type { DoctorSubject } from "./subject";

/** Checks whether the needed APIs are enabled. */
export function judgeServices(
  project: string,
  disabled: readonly string[],
  { enablesApis }: Pick<DoctorSubject, "enablesApis">,
): CheckResult {
  const problems = disabled.map((service) => ({ service, what: `${service} is not enabled in project ${project}` }));
  if (enablesApis) return { findings: [], notes: problems.map(({ what }) => `${what}, and Terraform enables it`) };
  return {
    findings: problems.map(({ service, what }) => {
      const command = gcloud("services enable", service, `--project=${project}`);
      return doctorFinding("api-disabled", project, what, { command });
    }),
  };
}

/** Checks the permissions of a role. @param missing all permissions of the role that the caller lacks */
export function judgeRole(project: string, need: RoleNeed, missing: readonly string[]): readonly DoctorFinding[] {
  if (missing.length === 0) return [];
  const essential = missing.filter((permission) => need.permissions.includes(permission));
  const code = essential.length > 0 ? "permission-missing" : "permission-to-delete-missing";
  const what = `in project ${project} the caller lacks ${(essential.length > 0 ? essential : missing).join(", ")}`;
  // The account that Terraform runs as is not known here.
  const remedy = `grant ${need.role} to the account that Terraform runs as: put it in place of MEMBER, as in user:EMAIL or serviceAccount:EMAIL`;
  const command = gcloud("projects add-iam-policy-binding", project, "--member=MEMBER", `--role=${need.role}`);
  return [doctorFinding(code, project, what, { remedy, command })];
}
