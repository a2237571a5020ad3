import * as ownPackage from "cdktf";
import { version } from "../../package.json";
import { type Entry, type Loaded, loadEntry, stackOf } from "../support/kits";
import type { SynthesizedStack } from "../support/synth";
import { mistakesOf } from "../support/terraform-check";

/** Copies of the package, as a wrapper library or a linked workspace has its own. */
const first = loadEntry(ownPackage);
const second = loadEntry(ownPackage);
const withOwnKit = loadEntry();
const other = loadEntry(ownPackage, "9.9.9");

type Stack = ReturnType<typeof stackOf>;

const zones = { zones: { "example.com": "example-com" } };

function migrate(
  { Certificate, ManagedCertMigration, DnsPublication, LoadBalancer }: Entry,
  stack: Stack,
  id: string,
  domain: string,
) {
  return new ManagedCertMigration(stack, id, {
    certificates: [Certificate.managed({ domains: [domain, `*.${domain}`] })],
    dns: DnsPublication.cloudDns(zones),
    loadBalancer: LoadBalancer.globalExternal({ newTargetHttpsProxy: { urlMap: "web" } }),
    enableApis: true,
  });
}

function problemsOf(act: () => unknown): readonly (readonly [string, string])[] {
  try {
    act();
  } catch (error) {
    for (const { InputError } of [first.entry, second.entry, withOwnKit.entry, other.entry]) {
      expect(error).toBeInstanceOf(InputError);
    }
    return (error as InstanceType<Entry["InputError"]>).problems.map(({ code, message }) => [code, message] as const);
  }
  throw new Error("nothing was refused");
}

test("are copies", () => {
  for (const copy of [second, withOwnKit, other]) {
    expect(copy.entry.ManagedCertMigration).not.toBe(first.entry.ManagedCertMigration);
    expect(copy.entry.InputError).not.toBe(first.entry.InputError);
  }
});

describe.each<[string, Loaded]>([
  ["of the package", second],
  ["of the package, the kit and the bindings", withOwnKit],
])("two copies %s, of one version,", (_, copy) => {
  test("synthesize one stack as one copy does, with a shared authorization and shared entries", () => {
    const synthesized = (entry: Entry) => {
      const stack = stackOf(first);
      const { map } = migrate(first.entry, stack, "shop", "example.com");
      migrate(entry, stack, "pay", "pay.example.com");
      new entry.WildcardCertWithAuth(stack, "wild", {
        domain: "wild.example.com",
        dns: entry.DnsPublication.cloudDns(zones),
        certificateMap: map as never,
      });
      new entry.ManagedCertMigration(stack, "more", {
        certificates: [first.entry.Certificate.managed({ domains: ["example.com"] })],
        dns: first.entry.DnsPublication.cloudDns(zones),
        loadBalancer: first.entry.LoadBalancer.globalExternal(),
        phase: "issue",
      });
      return ownPackage.Testing.synth(stack, true);
    };
    const text = synthesized(copy.entry);
    expect(text).toBe(synthesized(first.entry));
    const stack = JSON.parse(text) as SynthesizedStack;
    expect(mistakesOf(stack)).toEqual([]);
    expect(Object.keys(stack.resource?.google_certificate_manager_dns_authorization ?? {})).toHaveLength(3);
    const migrations = ["prod/more", "prod/pay", "prod/shop", "prod/wild"];
    expect(stack.output?.cert_migration?.value).toEqual({
      version: 1,
      migrations: Object.fromEntries(migrations.map((path) => [path, expect.anything()])),
    });
  });

  test("synthesize with either copy as the first", () => {
    const synthesized = (...entries: readonly [Entry, Entry]) => {
      const stack = stackOf(first);
      for (const [at, entry] of entries.entries()) migrate(entry, stack, `m${at}`, "example.com");
      return ownPackage.Testing.synth(stack, true);
    };
    expect(synthesized(copy.entry, first.entry)).toBe(synthesized(first.entry, copy.entry));
  });

  test("find each other's entries, authorizations and zones", () => {
    const stack = stackOf(first);
    const { map } = migrate(first.entry, stack, "shop", "example.com");
    const { WildcardCertWithAuth, DnsPublication } = copy.entry;
    const problems = problemsOf(
      () =>
        new WildcardCertWithAuth(stack, "wild", {
          domain: "example.com",
          dns: DnsPublication.cloudDns({ zones: { "example.com": "other" } }),
          certificateMap: map as never,
        }),
    );
    expect(problems.map(([code]) => code)).toEqual([
      "authorization-zones-differ",
      "entry-in-two-constructs",
      "entry-in-two-constructs",
    ]);
  });

  test("find each other's authorizations in two stacks of an app", () => {
    const stack = stackOf(first);
    migrate(first.entry, stack, "shop", "example.com");
    const elsewhere = new ownPackage.TerraformStack(stack.node.root as ownPackage.App, "elsewhere");
    new first.provider.GoogleProvider(elsewhere, "google", { project: "my-project" });
    expect(problemsOf(() => migrate(copy.entry, elsewhere, "shop", "example.com"))).toEqual([
      [
        "authorization-in-two-stacks",
        expect.stringMatching(/^'example\.com' is authorized by prod\/shop and by elsewhere\/shop, in two stacks/),
      ],
    ]);
  });
});

test("an error of the caller is an InputError of every copy, but a subclass of a copy is not another subclass", () => {
  class OwnError extends first.entry.InputError {}
  const [own, copied] = [new OwnError("input-invalid", "x"), new second.entry.InputError("input-invalid", "x")];
  expect(own instanceof second.entry.InputError).toBe(true);
  expect(copied instanceof first.entry.InputError).toBe(true);
  expect(own instanceof OwnError).toBe(true);
  expect(copied instanceof OwnError).toBe(false);
  for (const value of [undefined, null, "InputError", new Error("x"), { name: "InputError" }]) {
    expect((value as unknown) instanceof first.entry.InputError).toBe(false);
  }
});

describe("two versions of the package", () => {
  const advice =
    "install one version for all packages of the app ('npm ls cdktf-google-cert-migration' lists the copies)";

  test("are refused in one stack, with both versions and the other constructs", () => {
    const stack = stackOf(first);
    migrate(first.entry, stack, "shop", "example.com");
    migrate(second.entry, stack, "pay", "pay.example.com");
    const [[code, message] = []] = problemsOf(() => migrate(other.entry, stack, "new", "new.example.com"));
    expect(code).toBe("package-versions-mixed");
    expect(message).toMatch(/^prod\/new: the construct is from cdktf-google-cert-migration(\/cdktn)? 9\.9\.9, and /);
    expect(message).toContain(`its stack has constructs from version ${version} ('prod/shop', 'prod/pay'); ${advice}`);
  });

  test.each<[string, string, () => object]>([
    ["dns", "DnsPublication", () => ({ dns: other.entry.DnsPublication.external() })],
    ["loadBalancer", "LoadBalancer", () => ({ loadBalancer: other.entry.LoadBalancer.globalExternal() })],
  ])("are refused for '%s' of another version, with both versions", (property, name, change) => {
    const { Certificate, ManagedCertMigration, DnsPublication } = first.entry;
    const props = {
      certificates: [Certificate.managed({ domains: ["example.com"] })],
      dns: DnsPublication.external(),
      ...change(),
    };
    const [[code, message] = []] = problemsOf(() => new ManagedCertMigration(stackOf(first), "shop", props));
    expect(code).toBe("package-versions-mixed");
    expect(message).toContain(`prod/shop: '${property}' is a ${name} from `);
    expect(message).toContain(` 9.9.9, and the migration is from ${version}; ${advice}`);
  });

  test("work in two stacks of an app, and find each other's authorizations at synthesis", () => {
    const stack = stackOf(first);
    migrate(first.entry, stack, "shop", "example.com");
    const elsewhere = new ownPackage.TerraformStack(stack.node.root as ownPackage.App, "elsewhere");
    new first.provider.GoogleProvider(elsewhere, "google", { project: "my-project" });
    migrate(other.entry, elsewhere, "pay", "pay.example.com");
    expect(() => ownPackage.Testing.synth(elsewhere, true)).not.toThrow();
    migrate(other.entry, elsewhere, "shop", "example.com");
    expect(problemsOf(() => ownPackage.Testing.synth(elsewhere, true)).map(([code]) => code)).toEqual([
      "authorization-in-two-stacks",
    ]);
  });
});
