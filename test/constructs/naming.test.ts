import {
  Certificate,
  DnsPublication,
  type INaming,
  LoadBalancer,
  NamedResource,
  type NamedResourceKind,
  WildcardCertWithAuth,
} from "../../lib";
import { namesInPlan } from "../../lib/plan";
import { rehearsalContextKey } from "../../lib/rehearsed";
import { migrate, refusal } from "../support/migrate";
import { newApp, newStack, onlyResource, resourcesOf, synthesize } from "../support/synth";

const dns = DnsPublication.cloudDns({ zones: { "example.com": "example-com" } });
const acme: INaming = { name: (_, suggested) => `acme-${suggested.slice(-12)}` };
/** Gives only resources of one kind another name. */
const renaming = (renamed: NamedResourceKind, name: string): INaming => ({
  name: (kind, suggested) => (kind === renamed ? name : suggested),
});
const loadBalancer = LoadBalancer.globalExternal({
  newTargetHttpsProxy: { urlMap: "web", forwardingRules: { ipv4Address: "203.0.113.7" } },
});

test("the resources of a migration have the names that 'naming' returns, and keep their addresses", () => {
  const [named, derived] = [{ naming: acme }, {}].map((naming) => {
    const stack = newStack();
    const migration = migrate(stack, { ...naming, loadBalancer });
    return { names: namesInPlan(migration.plan).map(({ name }) => name), synthesized: synthesize(stack) };
  });
  const types = Object.keys(named?.synthesized.resource ?? {});
  const withNames = types
    .filter((type) => type.startsWith("google_certificate_manager_") || type.startsWith("google_compute_"))
    .flatMap((type) => Object.values(resourcesOf(named?.synthesized ?? {}, type)).map(({ name }) => name));
  expect(withNames.sort()).toEqual([...(named?.names ?? [])].sort());
  expect(withNames.every((name) => /^acme-[0-9a-f]{12}$/.test(String(name)))).toBe(true);
  for (const type of types) {
    const addresses = [named, derived].map((each) => Object.keys(resourcesOf(each?.synthesized ?? {}, type)));
    expect(addresses[0]).toEqual(addresses[1]);
  }
});

test("the resources of WildcardCertWithAuth have the names that 'naming' returns", () => {
  const stack = newStack();
  const map = "projects/p/locations/global/certificateMaps/web";
  const { migration } = new WildcardCertWithAuth(stack, "wild", {
    domain: "example.com",
    dns,
    naming: acme,
    certificateMap: map,
  });
  const synthesized = synthesize(stack);
  expect(namesInPlan(migration.plan)).toHaveLength(4);
  expect(onlyResource(synthesized, "google_certificate_manager_certificate").name).toMatch(/^acme-[0-9a-f]{12}$/);
  expect(onlyResource(synthesized, "google_certificate_manager_dns_authorization").name).toMatch(/^acme-[0-9a-f]{12}$/);
});

test("a class with the method is a convention too", () => {
  class Convention implements INaming {
    name(kind: NamedResourceKind, suggested: string): string {
      return kind === NamedResource.MAP ? "web" : suggested;
    }
  }
  expect(migrate(newStack(), { naming: new Convention() }).plan.map).toMatchObject({ name: "web" });
});

test("constants have the words of all kinds", () => {
  const kinds = new Set<string>();
  const naming: INaming = {
    name: (kind, suggested) => {
      kinds.add(kind);
      return suggested;
    },
  };
  migrate(newStack(), { naming, loadBalancer });
  expect(Object.values(NamedResource)).toEqual(expect.arrayContaining([...kinds]));
});

test("a rehearsal of the app has the same names", () => {
  const namesIn = (context?: Readonly<Record<string, unknown>>) =>
    namesInPlan(migrate(newStack(newApp(context)), { naming: acme, loadBalancer }).plan);
  const variant = { phase: "serve", traffic: "loadBalancer", rotated: false, reissues: 0 };
  const context = { version: 2, variant, gateCommand: "cert-migration" };
  expect(namesIn({ [rehearsalContextKey]: context })).toEqual(namesIn());
});

test("mistakes of 'naming' are reported together with all other mistakes", () => {
  const naming: INaming = { name: (kind, suggested) => (kind === "map" ? "The Map" : suggested) };
  expect(refusal(() => migrate(newStack(), { naming, labels: { Team: "web" } }))).toEqual([
    "label-key-invalid",
    "resource-name-invalid",
  ]);
  expect(refusal(() => migrate(newStack(), { naming: {} as INaming, labels: { Team: "web" } }))).toEqual([
    "label-key-invalid",
    "naming-invalid",
  ]);
});

describe("an authorization that two migrations share", () => {
  const second = { certificates: [Certificate.managed({ domains: ["example.com"] })], map: "second" };
  const both = (first: INaming | undefined, further: INaming | undefined) => {
    const stack = newStack();
    migrate(stack, first && { naming: first });
    migrate(stack, { certificates: second.certificates, ...(further && { naming: further }) }, "again");
    return resourcesOf(synthesize(stack), "google_certificate_manager_dns_authorization");
  };

  test("exists once if both give it the same name", () => {
    expect(Object.values(both(acme, { name: (...given) => acme.name(...given) }))).toMatchObject([
      { name: expect.stringMatching(/^acme-[0-9a-f]{12}$/) },
    ]);
  });

  test.each<[string, INaming | undefined, INaming | undefined]>([
    ["only the first has a convention", acme, undefined],
    ["only the second has a convention", undefined, acme],
    ["the conventions differ", acme, { name: (_, suggested) => `other-${suggested.slice(-12)}` }],
  ])("is refused if %s", (_, first, further) => {
    expect(refusal(() => both(first, further))).toEqual(["authorization-names-differ"]);
  });

  test("is refused with both names and both constructs", () => {
    expect(() => both(renaming("authorization", "one"), renaming("authorization", "two"))).toThrow(
      "the authorization of 'example.com' has the name 'one' from prod/shop and 'two' from prod/again; let 'naming' of both return the same name, or pass the id of the first authorization to the second construct as existingAuthorizations: { \"example.com\": … }",
    );
  });
});

describe("a name that two migrations give to different resources of one kind", () => {
  const code = "resource-name-in-two-constructs";
  const twice = (kind: NamedResourceKind, name = "web") => {
    const app = newApp();
    return (first: { stack: string; project?: string }, further: { stack: string; project?: string }) =>
      refusal(() => {
        const stack = newStack(app, first.stack, first.project);
        const other = first.stack === further.stack ? stack : newStack(app, further.stack, further.project);
        migrate(stack, { naming: renaming(kind, name) });
        const certificates = [Certificate.managed({ domains: ["pay.example.net"] })];
        migrate(other, { certificates, dns: DnsPublication.external(), naming: renaming(kind, name) }, "again");
      });
  };

  test.each<NamedResourceKind>(["map", "certificate", "authorization"])(
    "is refused in a stack, for the kind %s",
    (kind) => {
      expect(twice(kind)({ stack: "prod" }, { stack: "prod" })).toEqual([code]);
    },
  );

  test("is refused with both resources and both constructs", () => {
    const stack = newStack();
    migrate(stack, { naming: renaming("map", "web") });
    const certificates = [Certificate.managed({ domains: ["pay.example.net"] })];
    const again = { certificates, dns: DnsPublication.external(), naming: renaming("map", "web") };
    expect(() => migrate(stack, again, "again")).toThrow(
      "the name 'web' is used for the map of the migration of prod/shop and for the map of the migration of prod/again, which are of the same kind 'map' in the same place; let 'naming' return different names",
    );
  });

  test("is refused in two stacks of one project, and accepted in two projects", () => {
    const a = { stack: "a", project: "my-project" };
    expect(twice("map")(a, { stack: "b", project: "my-project" })).toEqual([code]);
    expect(twice("map")(a, { stack: "b", project: "other-project" })).toEqual([]);
  });

  test("is accepted for entries of two maps, and refused for entries of one", () => {
    const refused = (isOneMap: boolean) => {
      const stack = newStack();
      const naming: INaming = {
        name: (kind, suggested) => (kind === "entry" ? `e-${suggested.startsWith("wildcard") ? 2 : 1}` : suggested),
      };
      const { map } = migrate(stack, { naming });
      const certificates = [Certificate.managed({ domains: ["pay.example.net"] })];
      const existingCertificateMap = isOneMap ? map : undefined;
      const again = { certificates, dns: DnsPublication.external(), naming };
      return refusal(() =>
        migrate(stack, { ...again, ...(existingCertificateMap && { existingCertificateMap }) }, "again"),
      );
    };
    expect(refused(false)).toEqual([]);
    expect(refused(true)).toEqual([code]);
  });
});
