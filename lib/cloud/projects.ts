import { createHash } from "node:crypto";
import { ownDescription } from "../discovery";
import { InputError, type Problem } from "../errors";
import { quote } from "../text/quote";
import { type Call, invalidField, isJsonObject } from "./front";
import { fitsStarPattern } from "./star-pattern";
import type { Collection, Store } from "./state";

/** Returns the number of a project, the same for every service and run. @param project ID or number of the project */
export function projectNumberOf(project: string): string {
  return /^\d+$/.test(project) ? project : twelveDigitsOf(project);
}

/** Returns a 12-digit number for a text; the same text always gives the same number. */
export function twelveDigitsOf(text: string): string {
  const drawn = createHash("sha256").update(text).digest().readUIntBE(0, 6);
  return String(100_000_000_000 + (drawn % 900_000_000_000));
}

let known: ReadonlySet<string> | undefined;

/** Returns the regions of Google Cloud: those with an endpoint of Compute Engine, as its description lists them. */
export function regions(): ReadonlySet<string> {
  known ??= new Set(
    (ownDescription("compute:v1").document.endpoints ?? []).map(({ location = "" }) => location).sort(),
  );
  return known;
}

/** Settings of a project from a control call. A missing field has the default of all projects. */
export interface ProjectSettings {
  /** Whether the project has an active billing account. @default true */
  readonly billingEnabled?: boolean;
  /**
   * Permissions that callers lack; `*` matches any text. Reported by testIamPermissions, not enforced. @default none
   */
  readonly deniedPermissions?: readonly string[];
  /** Limits of Compute Engine by metric, for example `TARGET_HTTPS_PROXIES`; not enforced. @default the usual limits */
  readonly quotas?: Readonly<Record<string, number>>;
  /**
   * Roles with their members in the IAM policy of the project. If stated, even as an empty list, CA pools of the
   * project issue only if Certificate Manager's service agent has a role there or on the pool; other roles are not
   * enforced.
   *
   * @default none, and CA pools issue to every caller
   */
  readonly iamBindings?: readonly { readonly role: string; readonly members: readonly string[] }[];
}

export function projectSettings(store: Store): Collection<ProjectSettings> {
  return store.collection("cloud.projects");
}

export function hasPermission({ deniedPermissions = [] }: ProjectSettings, permission: string): boolean {
  return !deniedPermissions.some((pattern) => fitsStarPattern(pattern, permission));
}

/** Returns the permissions that a call of testIamPermissions asks for. @throws CloudError for one with a wildcard */
export function permissionsIn({ body }: Call): readonly string[] {
  const permissions = (body.permissions ?? []) as readonly string[];
  const wildcard = permissions.find((permission) => permission.includes("*"));
  if (wildcard !== undefined) throw invalidField("permissions", `'${wildcard.slice(0, 300)}' has a wildcard`);
  return permissions;
}

/** Reads the settings in a control call. @throws InputError `project-malformed` with every mistake */
export function readProjectSettings(value: unknown): { readonly project: string; readonly settings: ProjectSettings } {
  const problems: Problem[] = [];
  const addProblem = (what: string) => problems.push({ code: "project-malformed", message: `project: ${what}` });
  const { project, ...settings } = isJsonObject(value) ? value : {};
  const { billingEnabled, deniedPermissions, quotas, iamBindings, ...rest } = settings;
  if (typeof project !== "string" || project === "") addProblem("'project' must be the id of a project");
  if (billingEnabled !== undefined && typeof billingEnabled !== "boolean")
    addProblem("'billingEnabled' must be true or false");
  if (deniedPermissions !== undefined && !isListOfTexts(deniedPermissions))
    addProblem("'deniedPermissions' must be a list of permissions");
  if (quotas !== undefined && !(isJsonObject(quotas) && Object.values(quotas).every(isLimit)))
    addProblem("'quotas' must have a number from 0 for each metric");
  if (iamBindings !== undefined && !(Array.isArray(iamBindings) && iamBindings.every(isBinding)))
    addProblem("'iamBindings' must be a list of objects with a role and a list of members");
  for (const key of Object.keys(rest)) {
    addProblem(`${quote(key)} is unknown; there are project, billingEnabled, deniedPermissions, quotas, iamBindings`);
  }
  if (problems.length > 0) throw new InputError(problems);
  return { project: String(project), settings: settings as ProjectSettings };
}

function isLimit(value: unknown): boolean {
  return typeof value === "number" && value >= 0;
}

function isBinding(value: unknown): boolean {
  return isJsonObject(value) && typeof value.role === "string" && isListOfTexts(value.members);
}

function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
