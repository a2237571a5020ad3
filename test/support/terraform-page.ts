/**
 * Follows pages about plain Terraform: writes their files and runs their commands, with the rehearsal cloud in place of
 * Google Cloud.
 */
import { spawn } from "node:child_process";
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { startCloud } from "../../lib/cloud";
import { createHttpClient } from "../../lib/http";
import { inheritedEnvironment } from "../../lib/rehearsal/terraform";
import { makeWorld } from "../../lib/rehearsal/world";
import { startTerraformProvider } from "../../lib/terraform-provider";
import { sectionOf, textBefore } from "./pages";

/** A part of a file to write, or a command line to type. */
export type PageStep = { readonly file: string; readonly text: string } | { readonly line: string };

/** Returns the steps of a page, in order. Parts of the same file follow each other in it. */
export function stepsOf(page: string): readonly PageStep[] {
  return [...page.matchAll(/^```(yaml|hcl|sh)(?: (\S+))?\n([\s\S]*?)^```$/gm)].flatMap(
    ([, kind, file = "", text = ""]): readonly PageStep[] =>
      kind === "sh"
        ? text
            .trim()
            .split("\n")
            .map((line) => ({ line }))
        : // The reader's folder stands for the folder of the example.
          [{ file: file.replace(/^examples\/[^/]+\//, ""), text }],
  );
}

export interface EndedLine {
  readonly exitCode: number | null;
  /** What both streams showed. */
  readonly output: string;
  /** Folder in which the next line runs. */
  readonly cwd: string;
}

/** Runs a line with a shell. */
export function runLine(line: string, cwd: string, env: NodeJS.ProcessEnv): Promise<EndedLine> {
  return new Promise((resolve, reject) => {
    const child = spawn("sh", ["-c", `${line}\ncode=$?; pwd >&3; exit $code`], {
      cwd,
      env,
      stdio: ["ignore", "pipe", "pipe", "pipe"],
    });
    const texts: Record<"output" | "cwd", string> = { output: "", cwd: "" };
    for (const [at, stream] of child.stdio.entries()) {
      if (stream == null || !("setEncoding" in stream)) continue;
      stream.setEncoding("utf8").on("data", (chunk: string) => {
        texts[at === 3 ? "cwd" : "output"] += chunk;
      });
    }
    child.on("error", reject);
    child.on("close", (exitCode) => resolve({ exitCode, output: texts.output, cwd: texts.cwd.trim() || cwd }));
  });
}

/** A command line of the page with its exit code, and its output if it failed. */
export type DoneLine = readonly [line: string, exitCode: number | null, output: string];

/** A zone of the rehearsal cloud. */
interface PageZone {
  readonly project: string;
  readonly name: string;
  readonly dnsName: string;
}

/** Zones of docs/terraform.md. */
const zonesOfPage: readonly PageZone[] = ["example.com", "example.net"].map((domain) => ({
  project: "my-project",
  name: domain.replace(".", "-"),
  dnsName: `${domain}.`,
}));

/**
 * Follows the steps up to the first line that fails. The cloud has the zones and the URL map of the page. Files are
 * written below the folder in which the reader is.
 *
 * @param folder where the reader begins
 * @param env variables in addition to the own ones
 * @param onLine called before a line runs
 */
export async function followPage(
  steps: readonly PageStep[],
  folder: string,
  env: NodeJS.ProcessEnv,
  onLine: (line: string) => void = () => undefined,
  zones: readonly PageZone[] = zonesOfPage,
): Promise<readonly DoneLine[]> {
  const cloud = await startCloud({ speed: 60 });
  const provider = await startTerraformProvider({ cloudUrl: cloud.endpoints.http });
  try {
    const world = {
      zones,
      records: [],
      urlMaps: [{ project: "my-project", name: "shop" }],
      services: [],
      policies: [],
    };
    await makeWorld(world, { cloudUrl: cloud.endpoints.http, http: createHttpClient() });
    const noSettings = join(folder, "..", "none.tfrc");
    writeFileSync(noSettings, "");
    const whole = {
      ...inheritedEnvironment(process.env),
      CHECKPOINT_DISABLE: "1",
      TF_CLI_CONFIG_FILE: noSettings,
      TF_INPUT: "0",
      TF_REATTACH_PROVIDERS: provider.reattachConfig,
      CERT_MIGRATION_ENDPOINT: cloud.endpoints.http,
      CERT_MIGRATION_REHEARSAL: cloud.endpoints.control,
      ...env,
    };
    const done: DoneLine[] = [];
    let cwd = folder;
    for (const step of steps) {
      if ("file" in step) {
        mkdirSync(dirname(join(cwd, step.file)), { recursive: true });
        appendFileSync(join(cwd, step.file), step.text);
        continue;
      }
      onLine(step.line);
      // The resolver of the reader asks the zones that Terraform writes.
      const resolver = step.line.endsWith(" --check") && step.line.includes(" records ");
      const line = resolver ? `${step.line} --dns-server ${cloud.endpoints.dns}` : step.line;
      const ended = await runLine(line, cwd, whole);
      cwd = ended.cwd;
      done.push([step.line, ended.exitCode, ended.exitCode === 0 ? "" : ended.output]);
      if (ended.exitCode !== 0) break;
    }
    return done;
  } finally {
    await provider.close();
    await cloud.stop();
  }
}

/** The parts of docs/terraform.md that follow each other in one folder. */
export const terraformPage = textBefore("terraform.md", "Use OpenTofu");
export const environmentsPage = sectionOf("teams.md", "Several environments");
export const operationsPage = textBefore("operations.md", "Monitoring");
