import { openBindings } from "../../../lib/terraform-provider/schema";
import { installSmallBindings, type SmallPackage } from "../../support/small-bindings";

const cdktf: SmallPackage = { packageName: "@cdktf/provider-google", providerVersion: "6.50.0" };
const cdktn = (providerVersion: string): SmallPackage => ({ packageName: "@cdktn/provider-google", providerVersion });

test.each([
  ["6.50.0", "@cdktf/provider-google"],
  ["~> 6.0", "@cdktf/provider-google"],
  ["~> 8.0", "@cdktn/provider-google"],
  ["8.7.0", "@cdktn/provider-google"],
  [">= 6.0", "@cdktn/provider-google"],
  [">= 6.0, < 8.0", "@cdktf/provider-google"],
  [undefined, "@cdktn/provider-google"],
])(
  "with bindings for 6.50.0 and 8.7.0, chooses for a stack that requires '%s' the package %s",
  (version, packageName) => {
    using bindings = installSmallBindings([cdktf, cdktn("8.7.0")]);

    expect(openBindings({ version }, [bindings.folder]).packageName).toBe(packageName);
  },
);

test("compares the bindings of two folders, whichever has the lower version", () => {
  using near = installSmallBindings([cdktn("7.41.0")]);
  using far = installSmallBindings([cdktn("8.7.0")]);

  const versions = [
    [near.folder, far.folder],
    [far.folder, near.folder],
  ].map((folders) => openBindings({ version: ">= 7.0" }, folders).providerVersion);
  expect(versions).toEqual(["8.7.0", "8.7.0"]);
  expect(openBindings({ version: "~> 7.0" }, [far.folder, near.folder]).providerVersion).toBe("7.41.0");
});

test.each([
  "google",
  "hashicorp/google",
  "registry.terraform.io/hashicorp/google",
  "registry.opentofu.org/hashicorp/google",
  "HashiCorp/Google",
])("accepts the source %s for the google provider", (source) => {
  using bindings = installSmallBindings([cdktf]);

  expect(openBindings({ source }, [bindings.folder]).providerVersion).toBe("6.50.0");
});

test.each(["acme/google", "registry.example.com/hashicorp/google", "hashicorp/google-beta"])(
  "refuses the source %s, which has no bindings",
  (source) => {
    using bindings = installSmallBindings([cdktf]);

    expect(() => openBindings({ source }, [bindings.folder])).toThrow(
      expect.objectContaining({
        code: "bindings-missing",
        message: expect.stringContaining(`'${source}', of which no bindings are known`),
      }),
    );
  },
);

test.each([
  ["~> 7.30", ["@cdktn/provider-google@19", "@cdktn/provider-google@20"]],
  ["7.41.0", ["@cdktn/provider-google@19", "@cdktn/provider-google@20"]],
  ["8.7.0", ["@cdktn/provider-google@21"]],
  [">= 8.0", ["@cdktn/provider-google@21"]],
  ["6.40.0", ["@cdktn/provider-google@18", "@cdktf/provider-google@16"]],
  [
    ">= 6.60, < 8.0",
    [
      "@cdktn/provider-google@18",
      "@cdktn/provider-google@19",
      "@cdktn/provider-google@20",
      "@cdktf/provider-google@16",
    ],
  ],
  ["~> 9.0", ["@cdktn/provider-google", "@cdktf/provider-google"]],
])("reports for '%s' what to install beside bindings for 6.50.0", (version, packages) => {
  using bindings = installSmallBindings([cdktf]);
  const { message } = errorOf(() => openBindings({ version }, [bindings.folder]));

  expect(message).toContain(`requires the provider 'hashicorp/google' '${version}'`);
  expect(message).toContain("the installed bindings do not fit: @cdktf/provider-google (google 6.50.0)");
  expect([...message.matchAll(/npm install ([^']+)'/g)].map(([, name]) => name)).toEqual(packages);
});

test("names the override for bindings that require an earlier cdktn", () => {
  const { message } = errorOf(() => openBindings({ version: "< 8.0" }, ["/"]));

  const override = /'npm install ([^']+)' \(google [67]\.x, with the override in docs\/cdk-terrain\.md\)/g;
  expect([...message.matchAll(override)].map(([, name]) => name)).toEqual([
    "@cdktn/provider-google@18",
    "@cdktn/provider-google@19",
  ]);
});

test("names a package of each kit if bindings are missing", () => {
  const { message } = errorOf(() => openBindings({}, ["/"]));

  expect(message).toContain("no bindings of it are installed");
  expect(message).toContain("npm install @cdktn/provider-google@21");
  expect(message).toContain("npm install @cdktf/provider-google@16");
});

test("fails if the bindings lack the source maps that contain the schema", () => {
  using bindings = installSmallBindings([{ ...cdktf, sources: { "provider/index": "" }, isStripped: true }]);
  const opened = openBindings({}, [bindings.folder]);

  expect(() => opened.read("provider")).toThrow(
    expect.objectContaining({ code: "bindings-unreadable", message: expect.stringContaining("has no source map") }),
  );
});

test("fails if the bindings do not state the provider's version", () => {
  using bindings = installSmallBindings([{ packageName: "@cdktn/provider-google" }]);

  expect(() => openBindings({}, [bindings.folder])).toThrow(
    expect.objectContaining({
      code: "bindings-unreadable",
      message: expect.stringContaining("does not state the version of the provider"),
    }),
  );
});

function errorOf(action: () => unknown): Error {
  try {
    action();
  } catch (error) {
    return error as Error;
  }
  throw new Error("it did not fail");
}
