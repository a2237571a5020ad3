import { readFileSync } from "node:fs";
import { join } from "node:path";
import { GoogleProvider } from "@cdktn/provider-google/lib/provider";
import { ManagedCertMigration } from "cdktf-google-cert-migration/cdktn";
import { formatProblems, parseMigrationDocument } from "cdktf-google-cert-migration/plan";
import { App, GcsBackend, TerraformStack } from "cdktn";

// The migration spec: the first argument, or migration.yaml beside this file.
const source = process.argv[2] ?? join(__dirname, "migration.yaml");
const read = parseMigrationDocument(readFileSync(source, "utf8"), { source });
if ("problems" in read) {
  process.stderr.write(formatProblems(read.problems));
  process.exit(2);
}

const app = new App();
const stack = new TerraformStack(app, "shop");
new GcsBackend(stack, { bucket: "my-project-terraform", prefix: "cert-migration" });
new GoogleProvider(stack, "google", { project: "my-project" });
ManagedCertMigration.fromSpec(stack, "migration", read.spec);

app.synth();
