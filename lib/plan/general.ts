import { checkDescription, checkLabels } from "./labels";
import { checkInteger, checkLiteral, type Planning } from "./planning";

/** Checks the fields of the spec as a whole. */
export function checkGeneralFields({ spec, findings }: Planning): void {
  if (checkLiteral(spec.name, "/name", findings) && (spec.name.trim() === "" || /\p{Cc}/u.test(spec.name))) {
    findings.report(
      "name-invalid",
      "/name",
      "the migration's name is empty or holds control characters",
      "give it a name",
    );
  }
  const prefix = spec.namePrefix;
  if (prefix !== undefined && checkLiteral(prefix, "/namePrefix", findings)) {
    if (!/^[a-z]([a-z0-9-]{0,18}[a-z0-9])?$/.test(prefix)) {
      findings.report("name-prefix-invalid", "/namePrefix", `'${prefix}' can't begin a resource name`);
    }
  }
  const command = spec.gateCommand;
  if (command !== undefined && (command.trim() === "" || /\p{Cc}/u.test(command))) {
    findings.report("gate-command-invalid", "/gateCommand", "'gateCommand' is empty or holds control characters");
  }
  checkInteger(spec.gateTimeoutMinutes, { min: 1, max: 1440 }, "/gateTimeoutMinutes", findings);
  checkInteger(spec.operationTimeoutMinutes, { min: 1, max: 1440 }, "/operationTimeoutMinutes", findings);
  checkInteger(spec.maxDomainsPerCertificate, { min: 1, max: 10_000 }, "/maxDomainsPerCertificate", findings);
  if (spec.labels !== undefined) checkLabels(spec.labels, "/labels", findings);
  if (spec.description !== undefined) checkDescription(spec.description, "/description", findings);
}
