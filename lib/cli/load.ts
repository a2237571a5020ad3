/**
 * Loads the modules of the work when a command runs: with them, `--help` and the refusal of a command line would start
 * several times as slowly.
 */

export const abort = (): typeof import("../async/abort") => require("../async/abort");
export const audit = (): typeof import("../audit") => require("../audit");
export const checkPlan = (): typeof import("../check-plan") => require("../check-plan");
export const cloud = (): typeof import("../cloud") => require("../cloud");
export const completion = (): typeof import("./completion") => require("./completion");
export const discovery = (): typeof import("../discovery") => require("../discovery");
export const dns = (): typeof import("../dns") => require("../dns");
export const doctor = (): typeof import("../live/doctor") => require("../live/doctor");
export const explain = (): typeof import("../explain") => require("../explain");
export const google = (): typeof import("../google") => require("../google");
export const hostnames = (): typeof import("../hostnames") => require("../hostnames");
export const http = (): typeof import("../http") => require("../http");
export const inventory = (): typeof import("../inventory") => require("../inventory");
export const inventoryLive = (): typeof import("../inventory/live") => require("../inventory/live");
export const inventoryProject = (): typeof import("../inventory/project") => require("../inventory/project");
export const makeFolder = (): typeof import("../files/make-folder") => require("../files/make-folder");
export const memory = (): typeof import("./memory") => require("./memory");
export const monitor = (): typeof import("../live/monitor") => require("../live/monitor");
export const plan = (): typeof import("../plan") => require("../plan");
export const planView = (): typeof import("../source/plan-view") => require("../source/plan-view");
export const records = (): typeof import("../live/records") => require("../live/records");
export const renewal = (): typeof import("../live/renewal") => require("../live/renewal");
export const rehearsal = (): typeof import("../rehearsal") => require("../rehearsal");
export const rehearsed = (): typeof import("../rehearsed") => require("../rehearsed");
export const report = (): typeof import("../report") => require("../report");
export const results = (): typeof import("../results") => require("../results");
export const runTask = (): typeof import("../run-task") => require("../run-task");
export const source = (): typeof import("../source") => require("../source");
export const status = (): typeof import("../live/status") => require("../live/status");
export const suggestions = (): typeof import("./suggest") => require("./suggest");
export const synthesize = (): typeof import("./synthesize") => require("./synthesize");
export const terraformFolder = (): typeof import("../terraform-folder") => require("../terraform-folder");
export const terraformModule = (): typeof import("../terraform-module") => require("../terraform-module");
export const tlsProbe = (): typeof import("../tls/probe") => require("../tls/probe");
export const verify = (): typeof import("../live/verify") => require("../live/verify");
export const wait = (): typeof import("../live/wait") => require("../live/wait");
export const watch = (): typeof import("../live/watch") => require("../live/watch");
export const x509 = (): typeof import("../x509") => require("../x509");
export const yaml = (): typeof import("yaml") => require("yaml");
