import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { startTerraformProvider } from "../../lib/terraform-provider";
import { openTerraform } from "../support/terraform";

jest.setTimeout(60_000);

const jobTypes = ["google_cloud_run_v2_job", "google_cloud_run_v2_job_iam_member", "google_cloud_scheduler_job"];

test("the Cloud Run job of the monitor is valid for the schema of the google provider, and plans", async () => {
  const alsoKept = [...jobTypes, "google_service_account"];
  const provider = await startTerraformProvider({ cloudUrl: "http://127.0.0.1:1/", isSurvey: true, alsoKept });
  try {
    await using terraform = await openTerraform(provider);
    const example = join(__dirname, "..", "..", "examples", "monitoring", "cloud-run", "main.tf");
    copyFileSync(example, join(terraform.path, "main.tf"));
    await terraform.succeed("init", "-input=false", "-no-color");
    await terraform.succeed("validate", "-no-color");
    const values = ["-var=project=my-project", "-var=image=europe-docker.pkg.dev/my-project/tools/cert-migration:1"];
    const planned = await terraform.succeed("plan", "-input=false", "-no-color", ...values);
    expect(planned).toContain("Plan: 5 to add, 0 to change, 0 to destroy.");
    expect(planned).toMatch(/"--shard",\s+\+ "auto",/);
  } finally {
    await provider.close();
  }
});
