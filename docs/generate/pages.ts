import { apiExamplesFile } from "./api-examples";
import { architecturePicture } from "./architecture";
import { cliPage } from "./cli";
import { conformancePage } from "./conformance";
import { eightStepsPicture } from "./eight-steps";
import { fleetsPage } from "./fleets";
import { languagesPage } from "./languages";
import { generatedNote, glossaryNote } from "./markdown";
import { alertsSchema, certificateAlertsSchema, gateSchema, migrationSchema } from "./migration-schema";
import { examplesPage, printedBy, tutorialPage } from "./page-output";
import { permissionsPage } from "./permissions";
import { scenariosPage } from "./scenarios";
import { terminalPictures } from "./terminal-screens";
import { timelinePicture } from "./timeline";
import { troubleshootingPage } from "./troubleshooting";

/** Returns the pages that need no compiler, by their path below docs. A test compares them with the committed files. */
export async function quickPages(): Promise<readonly (readonly [path: string, text: string])[]> {
  return [
    ["api/examples.ts", apiExamplesFile()],
    ["contributing/architecture.svg", architecturePicture()],
    ["eight-steps.svg", eightStepsPicture()],
    ["timeline.svg", timelinePicture()],
    ...terminalPictures(),
    ["../lib/plan/migration.schema.json", migrationSchema()],
    ["../lib/constructs/admin-change-alerts/props.schema.json", alertsSchema()],
    ["../lib/constructs/certificate-alerts/props.schema.json", certificateAlertsSchema()],
    ["../lib/constructs/gate-props.schema.json", gateSchema()],
    ["tutorial.md", await tutorialPage()],
    ["examples.md", await examplesPage()],
    ["cli.md", cliPage()],
    ["teams.md", fleetsPage()],
    ["languages.md", languagesPage()],
    ["permissions.md", permissionsPage()],
    ["change-window.md", troubleshootingPage()],
    ["rehearsal.md", scenariosPage()],
    ["conformance.md", conformancePage()],
    ["checks.md", await pageOf(["explain", "--markdown"])],
    ["audit-events.md", await pageOf(["audit", "events", "--markdown"])],
  ];
}

/** Returns the output of a command, with a note that names its source. */
async function pageOf(words: readonly string[]): Promise<string> {
  const { text, exitCode } = await printedBy(words);
  if (exitCode !== 0) throw new Error(`cert-migration ${words.join(" ")} ended with ${exitCode}`);
  const [heading, ...rest] = text.split("\n\n");
  const note = generatedNote(`\`cert-migration ${words.join(" ")}\``).trim();
  return [heading, note, glossaryNote.trim(), ...rest].join("\n\n");
}
