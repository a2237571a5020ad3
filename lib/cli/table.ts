import type { Command, CommandDetails } from "./command";

/**
 * Part of a command that the help of the whole program needs: loading all commands would take half of the startup time.
 */
interface CommandEntry extends Pick<Command, "name" | "summary"> {
  readonly load: () => { readonly command: CommandDetails };
}

/** Summaries in the order of the help. */
const summaries = {
  inventory: "read certificates from files and live servers, and write the migration that replaces them",
  plan: "show the resources of a migration",
  synth: "write the migration as a Terraform module, for configurations without TypeScript",
  records: "show the CNAMEs of the DNS authorizations, and check whether they are published",
  doctor: "check the prerequisites of a migration before any change",
  "check-plan": "refuse a Terraform plan that would interrupt traffic",
  status: "show the state of each hostname in the eight steps",
  wait: "wait until certificates or map entries are active",
  verify: "verify that the load balancer serves every hostname",
  "run-task": "judge the plans of HCP Terraform as a run task",
  monitor: "check on a schedule that certificates stay valid, with metrics",
  watch: "watch traffic move, during step 8",
  report: "create an HTML report from the results of other commands",
  cloud: "run the rehearsal cloud on this machine",
  rehearse: "rehearse a migration on this machine",
  "api list": "list APIs that have a description",
  "api show": "show an API, a method or a schema",
  "api methods": "list the methods of an API",
  "api request": "make a request of an API, and print it",
  "api validate": "validate JSON with a schema of an API",
  "api compare": "compare two descriptions of an API",
  "api deprecations": "list the deprecated parts of an API",
  "audit list": "list audit events of administrators",
  "audit tail": "follow what administrators do",
  "audit render": "turn records in files into the console's messages",
  "audit guard": "check a change freeze with the audit log",
  "audit events": "look events up in the catalogue",
  explain: "show the meaning and the remedy of a code",
  completion: "print completions for a shell",
} as const;

const loads: Readonly<Record<keyof typeof summaries, CommandEntry["load"]>> = {
  inventory: () => require("./commands/inventory"),
  plan: () => require("./commands/plan"),
  synth: () => require("./commands/synth"),
  records: () => require("./commands/records"),
  doctor: () => require("./commands/doctor"),
  "check-plan": () => require("./commands/check-plan"),
  status: () => require("./commands/status"),
  wait: () => require("./commands/wait"),
  verify: () => require("./commands/verify"),
  monitor: () => require("./commands/monitor"),
  "run-task": () => require("./commands/run-task"),
  watch: () => require("./commands/watch"),
  report: () => require("./commands/report"),
  cloud: () => require("./commands/cloud"),
  rehearse: () => require("./commands/rehearse"),
  "api list": () => require("./commands/api/list"),
  "api show": () => require("./commands/api/show"),
  "api methods": () => require("./commands/api/methods"),
  "api request": () => require("./commands/api/request"),
  "api validate": () => require("./commands/api/validate"),
  "api compare": () => require("./commands/api/compare"),
  "api deprecations": () => require("./commands/api/deprecations"),
  "audit list": () => require("./commands/audit/list"),
  "audit tail": () => require("./commands/audit/tail"),
  "audit render": () => require("./commands/audit/render"),
  "audit guard": () => require("./commands/audit/guard"),
  "audit events": () => require("./commands/audit/events"),
  explain: () => require("./commands/explain"),
  completion: () => {
    const { completionCommand }: typeof import("./commands/completion") = require("./commands/completion");
    return { command: completionCommand(() => ({ globalOptions, groups, commands: loadCommands() })) };
  },
};

/** Every command of `cert-migration`. */
export const entries: readonly CommandEntry[] = (Object.keys(summaries) as readonly (keyof typeof summaries)[]).map(
  (name) => {
    return { name, summary: summaries[name], load: loads[name] };
  },
);

export function loadCommands(): readonly Command[] {
  return entries.map(loadCommand);
}

export function loadCommand({ name, summary, load }: CommandEntry): Command {
  return { name, summary, ...load().command };
}

/** Meaning of the first word of each two-word command. */
export const groups: Readonly<Record<string, string>> = {
  api: "API descriptions: show, check, compare, and make requests by them",
  audit: "audit events of administrators: list, follow, render, guard a change freeze",
};

/** Options that every command takes, before its name or after it. */
export const globalOptions = [
  { flags: "--quiet", description: "no progress: only results, warnings and errors" },
  { flags: "--no-color", description: "no color; so does NO_COLOR" },
] as const;
