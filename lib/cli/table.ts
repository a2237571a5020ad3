import type { Command, CommandDetails, CommandOption } from "./command";

/**
 * Part of a command that the help of the whole program needs: loading all commands would take half of the startup time.
 */
interface CommandEntry extends Pick<Command, "name" | "summary"> {
  readonly load: () => CommandDetails;
}

/** Every command of `cert-migration`, in the order of the help. */
export const entries: readonly CommandEntry[] = [
  {
    name: "inventory",
    summary: "read certificates from files and live servers, and write the migration that replaces them",
    load: () => (require("./commands/inventory") as typeof import("./commands/inventory")).inventoryCommand,
  },
  {
    name: "plan",
    summary: "show the resources of a migration",
    load: () => (require("./commands/plan") as typeof import("./commands/plan")).planCommand,
  },
  {
    name: "synth",
    summary: "write the migration as a Terraform module, for configurations without TypeScript",
    load: () => (require("./commands/synth") as typeof import("./commands/synth")).synthCommand,
  },
  {
    name: "records",
    summary: "show the CNAMEs of the DNS authorizations, and check whether they are published",
    load: () => (require("./commands/records") as typeof import("./commands/records")).recordsCommand,
  },
  {
    name: "doctor",
    summary: "check the prerequisites of a migration before any change",
    load: () => (require("./commands/doctor") as typeof import("./commands/doctor")).doctorCommand,
  },
  {
    name: "check-plan",
    summary: "refuse a Terraform plan that would interrupt traffic",
    load: () => (require("./commands/check-plan") as typeof import("./commands/check-plan")).checkPlanCommand,
  },
  {
    name: "status",
    summary: "show the state of each hostname in the eight steps",
    load: () => (require("./commands/status") as typeof import("./commands/status")).statusCommand,
  },
  {
    name: "wait",
    summary: "wait until certificates or map entries are active",
    load: () => (require("./commands/wait") as typeof import("./commands/wait")).waitCommand,
  },
  {
    name: "verify",
    summary: "verify that the load balancer serves every hostname",
    load: () => (require("./commands/verify") as typeof import("./commands/verify")).verifyCommand,
  },
  {
    name: "watch",
    summary: "watch traffic move, during step 8",
    load: () => (require("./commands/watch") as typeof import("./commands/watch")).watchCommand,
  },
  {
    name: "report",
    summary: "create an HTML report from the results of other commands",
    load: () => (require("./commands/report") as typeof import("./commands/report")).reportCommand,
  },
  {
    name: "cloud",
    summary: "run the rehearsal cloud on this machine",
    load: () => (require("./commands/cloud") as typeof import("./commands/cloud")).cloudCommand,
  },
  {
    name: "rehearse",
    summary: "rehearse a migration on this machine",
    load: () => (require("./commands/rehearse") as typeof import("./commands/rehearse")).rehearseCommand,
  },
  { name: "api list", summary: "list APIs that have a description", load: () => api().list },
  { name: "api show", summary: "show an API, a method or a schema", load: () => api().show },
  { name: "api methods", summary: "list the methods of an API", load: () => api().methods },
  { name: "api request", summary: "make a request of an API, and print it", load: () => api().request },
  { name: "api validate", summary: "validate JSON with a schema of an API", load: () => api().validate },
  { name: "api compare", summary: "compare two descriptions of an API", load: () => api().compare },
  { name: "api deprecations", summary: "list the deprecated parts of an API", load: () => api().deprecations },
  { name: "audit list", summary: "list audit events of administrators", load: () => audit().list },
  { name: "audit tail", summary: "follow what administrators do", load: () => audit().tail },
  { name: "audit render", summary: "turn records in files into the console's messages", load: () => audit().render },
  { name: "audit guard", summary: "check a change freeze with the audit log", load: () => audit().guard },
  { name: "audit events", summary: "look events up in the catalogue", load: () => audit().events },
  {
    name: "explain",
    summary: "show the meaning and the remedy of a code",
    load: () => (require("./commands/explain") as typeof import("./commands/explain")).explainCommand,
  },
  {
    name: "completion",
    summary: "print completions for a shell",
    load: () =>
      (require("./commands/completion") as typeof import("./commands/completion")).completionCommand(() => ({
        globalOptions,
        groups,
        commands: loadCommands(),
      })),
  },
];

function api() {
  return (require("./commands/api") as typeof import("./commands/api")).apiCommands;
}

function audit() {
  return (require("./commands/audit") as typeof import("./commands/audit")).auditCommands;
}

export function loadCommands(): readonly Command[] {
  return entries.map(loadCommand);
}

export function loadCommand({ name, summary, load }: CommandEntry): Command {
  return { name, summary, ...load() };
}

/** Meaning of the first word of each two-word command. */
export const groups: Readonly<Record<string, string>> = {
  api: "API descriptions: show, check, compare, and make requests by them",
  audit: "audit events of administrators: list, follow, render, guard a change freeze",
};

/** Options that every command takes, before its name or after it. */
export const globalOptions: readonly CommandOption[] = [
  { flags: "--quiet", description: "no progress: only results, warnings and errors" },
  { flags: "--no-color", description: "no color; so does NO_COLOR" },
];
