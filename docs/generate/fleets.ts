import { readFileSync } from "node:fs";
import { join } from "node:path";
import { tableOf, withTables } from "./markdown";

type Ends = readonly [least: number, most: number];

/** Measurements of a stack that real Terraform applied. */
export interface MeasuredStack {
  readonly name: string;
  readonly hostnames: number;
  readonly resources: number;
  /** Gates, each a process. */
  readonly commands: number;
  readonly issueSeconds: number;
  /** Duration of `cert-migration wait` between the two deployments. */
  readonly waitSeconds: number;
  readonly serveSeconds: number;
  /** Duration of the last plan, which is empty. */
  readonly planSeconds: number;
}

interface Deployment {
  readonly seconds: number;
  readonly stacks: readonly MeasuredStack[];
}

/** Result of `npm run fleet`. */
export interface Measured {
  readonly machine: {
    readonly day: string;
    readonly processor: string;
    readonly cores: number;
    readonly gibibytes: number;
    readonly node: string;
    /** Load averages over 1, 5 and 15 minutes at the start. */
    readonly loadBefore: readonly number[];
  };
  readonly plan: {
    readonly hostnames: number;
    readonly certificates: number;
    readonly maxEntriesPerMap: number;
    readonly stacks: number;
    readonly entries: Ends;
    readonly resources: Ends;
    readonly commands: Ends;
    readonly splitSeconds: number;
    readonly synthSeconds: number;
    readonly mebibytes: number;
  };
  readonly growth: readonly {
    /** Hostnames. */
    readonly to: number;
    /** Certificates. */
    readonly movedWithRecord: number;
    readonly movedWithout: number;
  }[];
  readonly applied: {
    readonly cloudSpeed: number;
    readonly together: Deployment;
    readonly alone: Deployment;
  };
}

const page = join(__dirname, "..", "teams.md");
const measured = join(__dirname, "measured-fleet.json");

/** Returns docs/teams.md with its measured tables. */
export function fleetsPage(): string {
  const measurement = JSON.parse(readFileSync(measured, "utf8")) as Measured;
  return withTables(readFileSync(page, "utf8"), tablesOf(measurement));
}

export function tablesOf({
  machine,
  plan,
  growth,
  applied,
}: Measured): Readonly<Record<"plan" | "growth" | "applied", string>> {
  return {
    plan: `${planTable(plan)}\n${measuredOn(machine)}`,
    growth: growthTable(growth, plan),
    applied: appliedTable(applied),
  };
}

function planTable(plan: Measured["plan"]): string {
  return tableOf(
    ["", ""],
    [
      [
        "hostnames",
        `${number(plan.hostnames)}, on ${number(plan.certificates)} certificates with a domain and its wildcard each`,
      ],
      ["`maxEntriesPerMap`", number(plan.maxEntriesPerMap)],
      ["stacks", number(plan.stacks)],
      ["map entries of a stack", range(plan.entries)],
      ["resources of a stack, including gates", range(plan.resources)],
      ["commands that Terraform runs for a stack in phase `serve`", range(plan.commands)],
      ["splitting", seconds(plan.splitSeconds)],
      ["synthesizing all stacks in one app", `${seconds(plan.synthSeconds)}, ${plan.mebibytes} MiB of JSON`],
    ],
  );
}

function measuredOn({ day, processor, cores, gibibytes, node, loadBefore }: Measured["machine"]): string {
  const machine = `${processor}, ${cores} cores, ${gibibytes} GiB, Node ${node}`;
  return `Measured on ${day}: ${machine}. Load averages before the run: ${loadBefore.join(", ")} (1, 5 and 15 minutes).\n`;
}

function growthTable(growth: Measured["growth"], { hostnames }: Measured["plan"]): string {
  const share = (moved: number) => `${number(moved)} (${Math.round((100 * moved) / hostnames)} %)`;
  return tableOf(
    [`from ${number(hostnames)} hostnames to`, "moved hostnames with `assigned`", "without `assigned`"],
    growth.map(({ to, movedWithRecord, movedWithout }) => [number(to), share(movedWithRecord), share(movedWithout)]),
  );
}

function appliedTable({ cloudSpeed, together, alone }: Measured["applied"]): string {
  const rows = [...together.stacks, ...alone.stacks].map((stack) => [
    `\`${stack.name}\`, ${together.stacks.includes(stack) ? "in parallel" : "alone"}`,
    number(stack.hostnames),
    number(stack.resources),
    number(stack.commands),
    seconds(stack.issueSeconds),
    seconds(stack.waitSeconds),
    seconds(stack.serveSeconds),
    seconds(stack.planSeconds),
  ]);
  const head = [
    "stack",
    "hostnames",
    "resources",
    "commands",
    "phase `issue`",
    "`wait`",
    "phase `serve`",
    "empty plan",
  ];
  const [both, one] = [together, alone].map((deployment) => seconds(deployment.seconds));
  const took = `The ${together.stacks.length} parallel stacks took ${both} in total, the single stack ${one}`;
  return `${tableOf(head, rows)}\n${took}. The cloud's clock ran ${cloudSpeed} times as fast as real time.\n`;
}

function number(value: number): string {
  return value.toLocaleString("en");
}

function range([least, most]: Ends): string {
  return least === most ? number(least) : `${number(least)} to ${number(most)}`;
}

function seconds(value: number): string {
  return `${value < 10 ? value : Math.round(value)} s`;
}
