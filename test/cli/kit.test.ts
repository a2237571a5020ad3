import { installedKit } from "../../lib/cli/synthesize";
import { installSmallBindings, type SmallPackage } from "../support/small-bindings";

const kit = (packageName: string): SmallPackage => ({ packageName });
const cdktfBindings = { packageName: "@cdktf/provider-google", providerVersion: "6.50.0" };
const cdktnBindings = (providerVersion: string) => ({ packageName: "@cdktn/provider-google", providerVersion });

test.each([
  ["only cdktf", [kit("cdktf"), cdktfBindings], "cdktf"],
  ["only cdktn", [kit("cdktn"), cdktnBindings("8.7.0")], "cdktn"],
  ["both, of one version", [kit("cdktf"), kit("cdktn"), cdktfBindings, cdktnBindings("6.50.0")], "cdktn"],
  ["both", [kit("cdktf"), kit("cdktn"), cdktfBindings, cdktnBindings("7.46.1")], "cdktn"],
  ["cdktn without its bindings", [kit("cdktf"), kit("cdktn"), cdktfBindings], "cdktf"],
  ["cdktf, and the bindings of cdktn alone", [kit("cdktf"), cdktfBindings, cdktnBindings("8.7.0")], "cdktf"],
])("synthesizes a spec with the kit %s that is installed", (_, packages, expected) => {
  using project = installSmallBindings([...packages, kit("constructs")]);

  expect(installedKit(project.folder).name).toBe(expected);
});

test.each([
  ["cdktf", [kit("cdktf"), cdktfBindings]],
  ["cdktn", [kit("cdktn"), cdktnBindings("8.7.0")]],
])("names only the constructs in the error if %s is installed and constructs is missing", (name, packages) => {
  using project = installSmallBindings(packages);

  expect(() => installedKit(project.folder)).toThrow(
    expect.objectContaining({
      code: "kit-missing",
      message: `'constructs' is not installed, and '${name}' needs it; run 'npm install constructs${name === "cdktn" ? "@10.7" : ""}'`,
    }),
  );
});

test.each([
  ["nothing", [], "missing: 'cdktf' and '@cdktf/provider-google'; 'cdktn' and '@cdktn/provider-google'"],
  ["only the bindings", [cdktfBindings, cdktnBindings("8.7.0")], "missing: 'cdktf'; 'cdktn'"],
])("names what is missing and what to run if %s is installed", (_, packages, missing) => {
  using project = installSmallBindings(packages);

  expect(() => installedKit(project.folder)).toThrow(
    expect.objectContaining({ code: "kit-missing", message: expect.stringContaining(missing) }),
  );
  expect(() => installedKit(project.folder)).toThrow(/run 'npm install cdktf .*' or 'npm install cdktn /);
});
