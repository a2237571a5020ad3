import type { ComputeTargetHttpsProxy } from "@cdktf/provider-google/lib/compute-target-https-proxy";
import * as ownPackage from "cdktf";
import { Construct } from "constructs";
import { explainMissing } from "../../lib/constructs/installed";
import { kitOf, ownKit } from "../../lib/constructs/kit";
import { kits, otherKit } from "../../lib/kits";
import { type Entry, type Loaded, loadEntry, otherPackage, type Package, stackOf } from "../support/kits";
import { refusal } from "../support/migrate";
import { newStack } from "../support/synth";

const own = loadEntry(ownPackage);
const foreign = loadEntry(otherPackage);
const foreignKit = otherKit(ownKit);
const certificates = [own.entry.Certificate.managed({ domains: ["example.com"] })];
const dns = own.entry.DnsPublication.external();

/** The message of an error that stands for a mixed project. */
function mixed(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    // An entry that is loaded apart has its own class of errors.
    expect(error).toMatchObject({ name: "InputError", code: "kit-mixed" });
    return (error as Error).message;
  }
  throw new Error("nothing was refused");
}

describe("the kit of a construct", () => {
  test("is the kit of its base class, through classes of the user and of other packages", () => {
    class Base extends ownPackage.TerraformStack {}
    Object.defineProperty(Base, Symbol.for("jsii.rtti"), { value: { fqn: "my-company.Base", version: "1.0.0" } });
    class Stack extends Base {}
    expect(kitOf(new Stack(ownPackage.Testing.app(), "prod"))).toBe(ownKit);
    expect(kitOf(stackOf(foreign))).toBe(foreignKit);
  });

  test.each(["cdktf", "cdktn"])(
    "is the kit of the entry point '%s' if the kit's classes have no names of jsii",
    (kitName) => {
      jest.isolateModules(() => {
        jest.doMock("cdktf", () => ({ ...ownPackage, TerraformStack: class {} }));
        jest.doMock("../../lib/constructs/installed", () => ({ kitName }));
        expect(require("../../lib/constructs/kit").ownKit.name).toBe(kitName);
        jest.dontMock("cdktf").dontMock("../../lib/constructs/installed");
      });
    },
  );

  test("is unknown for an object that is built on no kit", () => {
    expect(kitOf({})).toBeUndefined();
    expect(kitOf(Object.create(null))).toBeUndefined();
  });
});

test.each<[string, (entry: Entry) => unknown]>([
  ["ManagedCertMigration", (e) => new e.ManagedCertMigration(stackOf(foreign), "shop", { certificates, dns })],
  ["WildcardCertWithAuth", (e) => new e.WildcardCertWithAuth(stackOf(foreign), "shop", { domain: "a.example", dns })],
  ["CommandGate", (e) => new e.CommandGate(stackOf(foreign), "shop", { command: "true", triggers: [] })],
  [
    "AdminChangeAlerts",
    (e) => new e.AdminChangeAlerts(stackOf(foreign), "shop", { organizationId: "1", project: "my-project" }),
  ],
])("a project with both kits is refused for a %s in a stack of the other kit", (_, make) => {
  const message = mixed(() => make(own.entry));
  expect(message).toBe(
    `prod/shop: the stack 'prod' is a stack of '${foreignKit.name}', and the construct is imported from '${ownKit.entry}', which is for '${ownKit.name}'; import it from '${foreignKit.entry}' and run '${foreignKit.install}'`,
  );
});

test("a project with both kits is refused for a target proxy of the other kit", () => {
  const stack = stackOf(own);
  const proxy = new foreign.proxies.ComputeTargetHttpsProxy(stackOf(foreign), "proxy", {
    name: "web",
    urlMap: "web",
  });
  const loadBalancer = own.entry.LoadBalancer.globalExternal({ targetHttpsProxies: [proxy] });
  for (const phase of ["issue", "serve"] as const) {
    const message = mixed(
      () => new own.entry.ManagedCertMigration(stack, phase, { certificates, dns, loadBalancer, phase }),
    );
    expect(message).toContain(`prod/${phase}: the target proxy 'prod/proxy' is a construct of '${foreignKit.name}'`);
    expect(message).toContain(`create it with '${ownKit.bindings}' ('${ownKit.install}')`);
    expect(message).toContain(`import the migration from '${foreignKit.entry}'`);
  }
});

test.each<[string, () => object]>([
  ["dns", () => ({ dns: foreign.entry.DnsPublication.external() })],
  ["loadBalancer", () => ({ dns, loadBalancer: foreign.entry.LoadBalancer.globalExternal() })],
])("a project with both kits is refused for '%s' from the other entry", (property, change) => {
  const props = { certificates, dns, ...change() };
  const message = mixed(() => new own.entry.ManagedCertMigration(stackOf(own), "shop", props));
  expect(message).toContain(`prod/shop: '${property}' is a `);
  expect(message).toContain(` from '${foreignKit.entry}', and the migration is imported from '${ownKit.entry}'`);
  expect(message).toContain(ownKit.install);
  expect(message).toContain(foreignKit.install);
});

test("a project with both kits is refused for a zone, a map and a log bucket of the other kit", () => {
  const stack = stackOf(own);
  const elsewhere = stackOf(foreign);
  const zone = new foreign.zones.DnsManagedZone(elsewhere, "zone", { name: "z", dnsName: "example.com." });
  const map = new foreign.maps.CertificateManagerCertificateMap(elsewhere, "map", { name: "map" });
  const logBucket = new foreign.buckets.LoggingProjectBucketConfig(elsewhere, "bucket", {
    project: "p",
    location: "global",
    bucketId: "b",
  });
  const { AdminChangeAlerts, DnsPublication, ManagedCertMigration } = own.entry;
  expect(mixed(() => DnsPublication.cloudDns({ zones: { "example.com": zone } }))).toContain(
    "the zone of 'example.com' is a construct of",
  );
  expect(
    mixed(() => new ManagedCertMigration(stack, "shop", { certificates, dns, existingCertificateMap: map })),
  ).toContain("prod/shop: 'existingCertificateMap' is a construct of");
  const alerts = { organizationId: "1", project: "my-project", logBucket };
  expect(mixed(() => new AdminChangeAlerts(stack, "alerts", alerts))).toContain("prod/alerts: 'logBucket'");
});

const inForeign: readonly [string, string, (stack: Package["TerraformStack"]["prototype"]) => unknown][] = [
  ["provider", ownKit.bindings, (s) => new foreign.provider.GoogleProvider(s, "other", { project: "my-project" })],
  ["zone", ownKit.bindings, (s) => new foreign.zones.DnsManagedZone(s, "other", { name: "z", dnsName: "a.example." })],
  ["backend", ownKit.name, (s) => new otherPackage.GcsBackend(s, { bucket: "b", prefix: "p" })],
  ["output", ownKit.name, (s) => new otherPackage.TerraformOutput(s, "other", { value: "x" })],
  ["nested stack", ownKit.name, (s) => new otherPackage.TerraformStack(s, "other")],
];

test.each(inForeign)(
  "a project with both kits is refused for a %s of the other kit that is created before the migration",
  (_, name, make) => {
    const stack = stackOf(own);
    const construct = make(stack) as Construct;
    const message = mixed(() => new own.entry.ManagedCertMigration(stack, "shop", { certificates, dns }));
    expect(message).toBe(
      `prod: the stack is a stack of '${ownKit.name}' with constructs that are imported from packages of '${foreignKit.name}' ('${construct.node.path}'); import them from '${name}'`,
    );
  },
);

test.each(inForeign)(
  "a project with both kits is refused at synthesis for a %s of the other kit that is created later",
  (_, name, make) => {
    const [synthesized, tested] = [newStack(), newStack()];
    // An earlier construct, so that the other construct comes before the migration in the tree.
    const parents = [synthesized, tested].map((stack) => new Construct(stack, "parent"));
    for (const stack of [synthesized, tested]) {
      new own.entry.CommandGate(stack, "gate", { command: "true", triggers: [] });
    }
    for (const [at, stack] of [synthesized, tested].entries()) {
      // A nested stack and a backend are children of the stack itself.
      make(/stack|backend/.test(_) ? stack : (parents[at] as never));
    }
    const message = mixed(() => (synthesized.node.root as ownPackage.App).synth());
    expect(message).toContain(`imported from packages of '${foreignKit.name}' ('prod/`);
    expect(message).toContain(`import them from '${name}'`);
    expect(mixed(() => ownPackage.Testing.synth(tested))).toBe(message);
    expect(mixed(() => ownPackage.Testing.synth(tested, true))).toBe(message);
  },
);

test("a project with both kits is refused for an app of the other kit", () => {
  const stack = new ownPackage.TerraformStack(otherPackage.Testing.app() as never, "prod");
  expect(mixed(() => new own.entry.CommandGate(stack, "gate", { command: "true", triggers: [] }))).toContain(
    `imported from packages of '${foreignKit.name}' (the app); import them from '${ownKit.name}'`,
  );
});

test("a project with both kits is refused with the paths of three constructs and the number of all others", () => {
  const stack = stackOf(own);
  for (const id of ["a", "b", "c", "d"]) new otherPackage.TerraformOutput(stack as never, id, { value: "x" });
  new foreign.zones.DnsManagedZone(stack, "e", { name: "z", dnsName: "a.example." });
  expect(mixed(() => new own.entry.CommandGate(stack, "gate", { command: "true", triggers: [] }))).toMatch(
    new RegExp(
      `\\('prod/a', 'prod/b', 'prod/c' and 2 more\\); import them from '${ownKit.bindings}' and '${ownKit.name}'$`,
    ),
  );
});

test("a project with both kits works with each kit in its own stack", () => {
  for (const loaded of [own, foreign]) {
    const stack = stackOf(loaded);
    const { Certificate, DnsPublication, ManagedCertMigration } = loaded.entry;
    new ManagedCertMigration(stack, "shop", {
      certificates: [Certificate.managed({ domains: ["example.com"] })],
      dns: DnsPublication.external(),
    });
    expect(loaded.kit.Testing.synth(stack, true)).toContain("google_certificate_manager_certificate");
  }
});

describe("several copies of one kit", () => {
  const copy = loadEntry();

  test("are copies", () => {
    expect(copy.kit.TerraformStack).not.toBe(own.kit.TerraformStack);
    expect(copy.entry.DnsPublication).not.toBe(own.entry.DnsPublication);
  });

  test("synthesize to the same stack as one copy", () => {
    const json = (stack: ReturnType<typeof stackOf>, entry: Entry, values: Loaded, proxies: Loaded) => {
      const targetHttpsProxies = [
        new proxies.proxies.ComputeTargetHttpsProxy(stack, "proxy", { name: "web", urlMap: "web" }),
      ];
      const zone = new proxies.zones.DnsManagedZone(stack, "zone", { name: "z", dnsName: "example.com." });
      new entry.ManagedCertMigration(stack, "shop", {
        certificates,
        dns: values.entry.DnsPublication.cloudDns({ zones: { "example.com": zone } }),
        loadBalancer: values.entry.LoadBalancer.globalExternal({ targetHttpsProxies }),
      });
      return own.kit.Testing.synth(stack, true);
    };
    expect(json(stackOf(copy), own.entry, copy, copy)).toBe(json(stackOf(own), own.entry, own, own));
  });

  test("recognize their target proxies by type", () => {
    const stack = stackOf(own);
    const proxy = new copy.regionalProxies.ComputeRegionTargetHttpsProxy(stack, "proxy", {
      name: "web",
      urlMap: "web",
      region: "europe-west1",
    }) as unknown as ComputeTargetHttpsProxy;
    const loadBalancer = own.entry.LoadBalancer.globalExternal({ targetHttpsProxies: [proxy] });
    expect(() => new own.entry.ManagedCertMigration(stack, "shop", { certificates, dns, loadBalancer })).toThrow(
      "regional target HTTPS proxy 'prod/proxy' can't have a certificate map",
    );
  });
});

describe("a missing package", () => {
  const missing = (name: string) =>
    Object.assign(new Error(`Cannot find module '${name}'\nRequire stack:\n- /app/main.js`), {
      code: "MODULE_NOT_FOUND",
    });

  test.each(["constructs", ownKit.name, `${ownKit.bindings}/lib/dns-record-set`])("'%s' is named", (name) => {
    const error = explainMissing(missing(name), ownKit);
    expect(error).toMatchObject({ code: "kit-missing" });
    expect(error?.message).toBe(
      `'${name.replace("/lib/dns-record-set", "")}' is not installed, and '${ownKit.entry}' needs it; run '${ownKit.install}', or import from '${foreignKit.entry}' in an app of '${foreignKit.name}'`,
    );
  });

  test("is explained when the entry is imported", () => {
    jest.isolateModules(() => {
      jest.doMock("cdktf", () => {
        throw missing("cdktf");
      });
      expect(() => require("../../lib")).toThrow(
        expect.objectContaining({ code: "kit-missing", message: expect.stringContaining(kits.cdktf.install) }),
      );
      jest.dontMock("cdktf");
    });
  });

  test.each([
    missing("undici"),
    missing("constructs-hub"),
    missing(`${ownKit.name}-cli`),
    new Error("Cannot find module 'cdktf'"),
    new TypeError("x is not a function"),
  ])("is not assumed for other errors: %s", (error) => {
    expect(explainMissing(error, ownKit)).toBeUndefined();
  });
});

test("reports a missing value and a value that is not a DnsPublication", () => {
  const { ManagedCertMigration } = require("../../lib") as Entry;
  for (const value of [undefined, null, {}, "external", own.entry.LoadBalancer.globalExternal()]) {
    const props = { certificates, dns: value as never };
    expect(refusal(() => new ManagedCertMigration(newStack(), "shop", props))).toEqual([
      value === undefined ? "property-missing" : "value-wrong-type",
    ]);
  }
});
