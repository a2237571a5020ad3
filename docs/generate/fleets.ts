import { readFileSync } from "node:fs";
import { join } from "node:path";
import { tableOf, withTables } from "./markdown";

type Ends = readonly [least: number, most: number];

/** One stack that real Terraform applied. */
export interface MeasuredStack {
  readonly name: string;
  readonly hostnames: number;
  readonly resources: number;
  /** Gates and settlements: each is a process of its own. */
  readonly commands: number;
  readonly issueSeconds: number;
  /** `cert-migration wait` between the two deployments. */
  readonly waitSeconds: number;
  readonly serveSeconds: number;
  /** A plan after all, which is empty. */
  readonly planSeconds: number;
}

interface Deployment {
  readonly seconds: number;
  readonly stacks: readonly MeasuredStack[];
}

/** What `npm run fleet` measured. */
export interface Measured {
  readonly machine: {
    readonly day: string;
    readonly processor: string;
    readonly cores: number;
    readonly gibibytes: number;
    readonly node: string;
    /** Averages of the last minute, five and fifteen, when it began: what else ran. */
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

const page = join(__dirname, "..", "fleets.md");
const measured = join(__dirname, "measured-fleet.json");

/** The page of fleets, with what was measured. */
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
        `${number(plan.hostnames)}, on ${number(plan.certificates)} certificates of a name and its wildcard`,
      ],
      ["`maxEntriesPerMap`", number(plan.maxEntriesPerMap)],
      ["stacks", number(plan.stacks)],
      ["map entries of a stack", range(plan.entries)],
      ["resources of a stack, gates among them", range(plan.resources)],
      ["commands of a stack that Terraform runs in phase `serve`", range(plan.commands)],
      ["splitting", seconds(plan.splitSeconds)],
      ["synthesizing all stacks in one app", `${seconds(plan.synthSeconds)}, ${plan.mebibytes} MiB of JSON`],
    ],
  );
}

function measuredOn({ day, processor, cores, gibibytes, node, loadBefore }: Measured["machine"]): string {
  const machine = `${processor}, ${cores} cores, ${gibibytes} GiB, Node ${node}`;
  return `Measured on ${day}: ${machine}. Before that the machine had load averages of ${loadBefore.join(", ")} over 1, 5 and 15 minutes.\n`;
}

function growthTable(growth: Measured["growth"], { hostnames }: Measured["plan"]): string {
  const share = (moved: number) => `${number(moved)} (${Math.round((100 * moved) / hostnames)} %)`;
  return tableOf(
    [`from ${number(hostnames)} hostnames to`, "hostnames that move, with `assigned`", "without it"],
    growth.map(({ to, movedWithRecord, movedWithout }) => [number(to), share(movedWithRecord), share(movedWithout)]),
  );
}

function appliedTable({ cloudSpeed, together, alone }: Measured["applied"]): string {
  const rows = [...together.stacks, ...alone.stacks].map((stack) => [
    `\`${stack.name}\`, ${together.stacks.includes(stack) ? "at once with the others" : "alone"}`,
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
    "an empty plan",
  ];
  const [both, one] = [together, alone].map((deployment) => seconds(deployment.seconds));
  const took = `The ${together.stacks.length} at once took ${both} altogether, the one alone ${one}`;
  return `${tableOf(head, rows)}\n${took}. The cloud's clock ran ${cloudSpeed} times as fast as the machine's.\n`;
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
