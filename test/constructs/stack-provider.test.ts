import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CertificateManagerDnsAuthorization } from "@cdktf/provider-google/lib/certificate-manager-dns-authorization";
import { GoogleProvider } from "@cdktf/provider-google/lib/provider";
import { TerraformStack } from "cdktf";
import { Construct } from "constructs";
import { DnsPublication } from "../../lib";
import { providerVersionFor, StackProjects } from "../../lib/constructs/stack-provider";
import { migrate, refusal } from "../support/migrate";
import { newApp, newStack, resourcesOf, synthesize } from "../support/synth";

test("reads the provider version of the bindings and creates nothing in the working folder", () => {
  const folder = mkdtempSync(join(tmpdir(), "stack-provider-"));
  const before = process.cwd();
  try {
    const stack = newStack();
    process.chdir(folder);
    expect(providerVersionFor(stack)).toMatch(/^\d+\.\d+\.\d+$/);
    expect(readdirSync(folder)).toEqual([]);
  } finally {
    process.chdir(before);
    rmSync(folder, { recursive: true });
  }
});

/** Returns a stack whose provider is two constructs below the stack. */
function nestedStack(project = "my-project", app = newApp(), id = "prod"): TerraformStack {
  const stack = new TerraformStack(app, id);
  new GoogleProvider(new Construct(new Construct(stack, "base"), "providers"), "google", { project });
  return stack;
}

test("a provider that is nested in constructs is refused with an invalid project, by its path", () => {
  const stack = nestedStack("My Project!");
  migrate(stack);
  expect(refusal(() => synthesize(stack))).toEqual(["project-invalid"]);
  expect(() => synthesize(stack)).toThrow("prod/base/providers/google: 'project' 'My Project!' is not a project id");
});

test("a provider that is nested in constructs is seen when it is created after the migration", () => {
  const stack = new TerraformStack(newApp(), "prod");
  migrate(stack);
  new GoogleProvider(new Construct(stack, "base"), "google", { project: "My Project!" });
  expect(refusal(() => synthesize(stack))).toEqual(["project-invalid"]);
});

test.each<[string, string | undefined, string]>([
  ["the same project", "my-project", "authorization-in-two-stacks"],
  ["another project", "other-project", "fixed-record-in-two-projects"],
])(
  "a provider that is nested in constructs gives the project of an authorization that another stack with %s has too",
  (_, project, code) => {
    const app = newApp();
    migrate(nestedStack("my-project", app));
    expect(refusal(() => migrate(nestedStack(project, app, "other")))).toEqual([code]);
  },
);

test.each<[string, string | undefined]>([
  ["the provider's project", undefined],
  ["the same project", "my-project"],
])(
  "a provider that is nested in constructs gives the project of a migration whose domain an authorization of the app in %s has too",
  (_, project) => {
    const stack = nestedStack();
    migrate(stack, { project: "my-project" });
    new CertificateManagerDnsAuthorization(stack, "raw", {
      name: "raw",
      domain: "example.com",
      ...(project !== undefined && { project }),
    });
    expect(refusal(() => synthesize(stack))).toEqual(["authorization-repeated"]);
  },
);

test("a provider that is nested in constructs gives the project of a zone without its own", () => {
  const stack = nestedStack();
  const dns = (project?: string) =>
    DnsPublication.cloudDns({ zones: { "example.com": "z" }, ...(project !== undefined && { project }) });
  migrate(stack, { dns: dns() });
  expect(refusal(() => migrate(stack, { dns: dns("my-project") }, "again"))).toEqual([]);
  expect(refusal(() => migrate(stack, { dns: dns("other-project") }, "third"))).toEqual(["authorization-zones-differ"]);
});

test("a provider that is nested in constructs refuses a domain of two migrations, one with the provider's project and one with the same project", () => {
  const stack = nestedStack();
  migrate(stack);
  expect(() => migrate(stack, { project: "my-project" }, "again")).toThrow(
    "'example.com' is authorized by prod/shop and by prod/again, one with the provider's project and one with the same project as its 'project'; set 'project' in both, or in neither",
  );
});

test("a provider that is nested in constructs is not the provider of the stack around a nested stack, nor an alias, nor of another type", () => {
  const stack = new TerraformStack(newApp(), "prod");
  const inner = new TerraformStack(stack, "inner");
  new GoogleProvider(new Construct(inner, "base"), "google", { project: "inner-project" });
  new GoogleProvider(new Construct(stack, "aliases"), "google", { project: "alias-project", alias: "other" });
  expect(new StackProjects(stack).providerProject).toBeUndefined();
  expect(new StackProjects(inner).providerProject).toBe("inner-project");
});

test("a provider that is nested in constructs changes no address: ids contain a project that differs from providers directly below the stack", () => {
  const addressesOf = (stack: TerraformStack, project?: string) => {
    migrate(stack, { enableApis: true, ...(project !== undefined && { project }) });
    const synthesized = synthesize(stack);
    return ["google_certificate_manager_dns_authorization", "google_dns_record_set", "google_project_service"].flatMap(
      (type) => Object.keys(resourcesOf(synthesized, type)),
    );
  };
  expect(addressesOf(nestedStack())).toEqual(addressesOf(newStack()));
  const withProject = addressesOf(nestedStack(), "my-project");
  const environment = new TerraformStack(newApp(), "prod");
  new GoogleProvider(environment, "google");
  expect(withProject).toEqual(addressesOf(environment, "my-project"));
  expect(withProject).not.toEqual(addressesOf(newStack(), "my-project"));
});

test("an authorization of the app is in the project of its own provider", () => {
  const stack = newStack();
  migrate(stack);
  const provider = new GoogleProvider(stack, "other", { alias: "other", project: "other-project" });
  new CertificateManagerDnsAuthorization(stack, "raw", { name: "raw", domain: "example.com", provider });
  expect(refusal(() => synthesize(stack))).toEqual(["fixed-record-in-two-projects"]);
});
