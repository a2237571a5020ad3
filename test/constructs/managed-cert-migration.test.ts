import { ComputeRegionTargetHttpsProxy } from "@cdktf/provider-google/lib/compute-region-target-https-proxy";
import { ComputeTargetHttpsProxy } from "@cdktf/provider-google/lib/compute-target-https-proxy";
import { ComputeTargetSslProxy } from "@cdktf/provider-google/lib/compute-target-ssl-proxy";
import { type App, type TerraformStack, Testing } from "cdktf";
import {
  DnsPublication,
  InputError,
  LoadBalancer,
  ManagedCertMigration,
  type ManagedCertMigrationProps,
  WildcardCertWithAuth,
} from "../../lib";
import { newStack, onlyAddress, onlyResource, resourcesOf, synthesize } from "../support/synth";
import { mistakesOf } from "../support/terraform-check";

const cloudDns = DnsPublication.cloudDns({ zones: { "example.com": "example-com" } });

function migrate(
  stack: TerraformStack,
  change: Partial<ManagedCertMigrationProps> = {},
  id = "shop",
): ManagedCertMigration {
  return new ManagedCertMigration(stack, id, {
    certificates: [{ domains: ["example.com", "*.example.com"] }],
    dns: cloudDns,
    ...change,
  });
}

/** The codes with which something is refused. */
function refusal(act: () => unknown): readonly string[] {
  try {
    act();
  } catch (error) {
    if (error instanceof InputError) return error.problems.map(({ code }) => code);
    throw error;
  }
  return [];
}

describe("a certificate for a root and its wildcard", () => {
  test("becomes one authorization, one CNAME, one certificate, one gate, one map, two entries and the wait for these", () => {
    const stack = newStack();
    migrate(stack);
    const synthesized = synthesize(stack);
    const counts = Object.fromEntries(
      Object.entries(synthesized.resource ?? {}).map(([type, all]) => [type, Object.keys(all).length]),
    );
    expect(counts).toEqual({
      google_certificate_manager_dns_authorization: 1,
      google_dns_record_set: 1,
      google_certificate_manager_certificate: 1,
      terraform_data: 2,
      google_certificate_manager_certificate_map: 1,
      google_certificate_manager_certificate_map_entry: 2,
    });
    expect(mistakesOf(synthesized)).toEqual([]);
  });

  test("passes the record's computed name and data through untouched", () => {
    const stack = newStack();
    migrate(stack);
    const synthesized = synthesize(stack);
    const authorization = onlyAddress(synthesized, "google_certificate_manager_dns_authorization");
    expect(onlyResource(synthesized, "google_dns_record_set")).toEqual({
      managed_zone: "example-com",
      name: `\${${authorization}.dns_resource_record[0].name}`,
      rrdatas: [`\${${authorization}.dns_resource_record[0].data}`],
      ttl: 300,
      type: "CNAME",
    });
  });

  test("is in order by construction: CNAME, certificate, gate, entries, the wait for these, proxy", () => {
    const stack = newStack();
    migrate(stack, { loadBalancer: LoadBalancer.globalExternal({ newTargetHttpsProxy: { urlMap: "web" } }) });
    const synthesized = synthesize(stack);
    const certificate = onlyAddress(synthesized, "google_certificate_manager_certificate");
    const [gate, wait] = Object.entries(resourcesOf(synthesized, "terraform_data"));
    const entries = resourcesOf(synthesized, "google_certificate_manager_certificate_map_entry");
    const entryAddresses = Object.keys(entries)
      .map((entry) => `google_certificate_manager_certificate_map_entry.${entry}`)
      .sort()
      // By hostname, the wildcard first.
      .reverse();
    expect(onlyResource(synthesized, "google_certificate_manager_certificate").depends_on).toEqual([
      onlyAddress(synthesized, "google_dns_record_set"),
    ]);
    expect(gate?.[1]).toEqual({
      lifecycle: { create_before_destroy: true },
      provisioner: [
        {
          "local-exec": {
            command: `npx --no-install cert-migration wait --certificate \${${certificate}.id} --timeout 60m`,
          },
        },
      ],
      triggers_replace: [`\${${certificate}.id}`],
    });
    for (const entry of Object.values(entries)) expect(entry.depends_on).toEqual([`terraform_data.${gate?.[0]}`]);
    const names = entryAddresses.map((address) => `--entry \${${address}.id}`);
    expect(wait?.[1]).toEqual({
      depends_on: entryAddresses,
      lifecycle: { create_before_destroy: true },
      provisioner: [
        {
          "local-exec": {
            command: `npx --no-install cert-migration wait --for entries ${names.join(" ")} --timeout 60m`,
          },
        },
      ],
      triggers_replace: [`\${${certificate}.id}`],
    });
    expect(onlyResource(synthesized, "google_compute_target_https_proxy").depends_on).toEqual([
      ...entryAddresses,
      `terraform_data.${wait?.[0]}`,
    ]);
  });

  test("waits for entries by the thirties, as a command of Windows is no longer than 8,191 characters", () => {
    const stack = newStack();
    const domains = Array.from({ length: 80 }, (_, index) => `a-name-that-is-rather-long-${index}.example.com`);
    migrate(stack, { certificates: [{ domains }] });
    const waits = Object.values(resourcesOf(synthesize(stack), "terraform_data"))
      .flatMap(({ provisioner }) => provisioner as readonly { readonly "local-exec": { readonly command: string } }[])
      .map((provisioner) => provisioner["local-exec"].command)
      .filter((command) => command.includes("--for entries"));
    expect(waits.map((command) => command.split("--entry ").length - 1)).toEqual([35, 35, 10]);
  });

  test("keeps its address when a domain is added, and gets another name", () => {
    const of = (domains: readonly string[]) => {
      const stack = newStack();
      migrate(stack, { certificates: [{ domains }] });
      return synthesize(stack);
    };
    const before = of(["example.com"]);
    const after = of(["example.com", "www.example.com"]);
    const type = "google_certificate_manager_certificate";
    expect(onlyAddress(after, type)).toBe(onlyAddress(before, type));
    expect(onlyResource(after, type).name).not.toBe(onlyResource(before, type).name);
    expect(onlyResource(after, type).lifecycle).toEqual({ create_before_destroy: true });
  });
});

describe("gates", () => {
  const state = 'managed[0].state == "ACTIVE"}';

  test("'precondition' stands on every entry", () => {
    const stack = newStack();
    migrate(stack, { gate: "precondition" });
    const synthesized = synthesize(stack);
    expect(resourcesOf(synthesized, "terraform_data")).toEqual({});
    for (const entry of Object.values(resourcesOf(synthesized, "google_certificate_manager_certificate_map_entry"))) {
      const { precondition } = entry.lifecycle as { precondition: { condition: string; error_message: string }[] };
      expect(precondition).toHaveLength(1);
      expect(precondition[0]?.condition).toBe(
        `\${${onlyAddress(synthesized, "google_certificate_manager_certificate")}.${state}`,
      );
      expect(precondition[0]?.error_message).toContain("not ACTIVE");
    }
  });

  test("'check' only warns", () => {
    const stack = newStack();
    migrate(stack, { gate: "check" });
    const synthesized = synthesize(stack);
    expect(Object.values(synthesized.check ?? {})).toHaveLength(1);
    expect(JSON.stringify(synthesized.resource)).not.toContain("precondition");
  });

  test("'none' leaves nothing between certificate and entries", () => {
    const stack = newStack();
    migrate(stack, { gate: "none" });
    const synthesized = synthesize(stack);
    expect(synthesized.check).toBeUndefined();
    for (const entry of Object.values(resourcesOf(synthesized, "google_certificate_manager_certificate_map_entry"))) {
      expect(entry.depends_on).toBeUndefined();
    }
  });

  test("'precondition' stands on the proxy where certificates are attached directly", () => {
    const stack = newStack();
    const proxy = new ComputeRegionTargetHttpsProxy(stack, "proxy", {
      name: "web",
      urlMap: "um",
      region: "europe-west1",
    });
    migrate(stack, {
      gate: "precondition",
      loadBalancer: LoadBalancer.regionalInternal({ region: "europe-west1", targetHttpsProxies: [proxy] }),
    });
    const block = onlyResource(synthesize(stack), "google_compute_region_target_https_proxy");
    expect((block.lifecycle as { precondition: unknown[] }).precondition).toHaveLength(1);
  });
});

describe("phase 'issue'", () => {
  test("makes authorizations, records and certificates and touches no proxy", () => {
    const stack = newStack();
    const proxy = new ComputeTargetHttpsProxy(stack, "proxy", { name: "web", urlMap: "um" });
    migrate(stack, { phase: "issue", loadBalancer: LoadBalancer.globalExternal({ targetHttpsProxies: [proxy] }) });
    const synthesized = synthesize(stack);
    expect(Object.keys(synthesized.resource ?? {}).sort()).toEqual([
      "google_certificate_manager_certificate",
      "google_certificate_manager_dns_authorization",
      "google_compute_target_https_proxy",
      "google_dns_record_set",
    ]);
    expect(onlyResource(synthesized, "google_compute_target_https_proxy")).toEqual({ name: "web", url_map: "um" });
  });

  test("has the same addresses and names as 'serve'", () => {
    const of = (phase: "issue" | "serve") => {
      const stack = newStack();
      migrate(stack, { phase });
      return resourcesOf(synthesize(stack), "google_certificate_manager_certificate");
    };
    expect(of("serve")).toEqual(of("issue"));
  });
});

describe("target proxies", () => {
  test("of the app get the map with the service's name before it, and come after all entries", () => {
    const stack = newStack();
    const https = new ComputeTargetHttpsProxy(stack, "https", { name: "web", urlMap: "um", sslCertificates: [] });
    const ssl = new ComputeTargetSslProxy(stack, "ssl", { name: "tcp", backendService: "bs" });
    migrate(stack, {
      loadBalancer: LoadBalancer.globalExternal({ targetHttpsProxies: [https], targetSslProxies: [ssl] }),
    });
    const synthesized = synthesize(stack);
    const reference = `//certificatemanager.googleapis.com/\${${onlyAddress(synthesized, "google_certificate_manager_certificate_map")}.id}`;
    const block = onlyResource(synthesized, "google_compute_target_https_proxy");
    expect(block.certificate_map).toBe(reference);
    expect(block.ssl_certificates).toBeUndefined();
    // Two entries, and the wait for them.
    expect(block.depends_on).toHaveLength(3);
    expect(onlyResource(synthesized, "google_compute_target_ssl_proxy").certificate_map).toBe(reference);
  });

  test.each([
    [
      "a target SSL proxy with direct certificates",
      "ssl-proxy-holds-certificates",
      (stack: TerraformStack) =>
        LoadBalancer.globalExternal({
          targetSslProxies: [
            new ComputeTargetSslProxy(stack, "p", { name: "p", backendService: "bs", sslCertificates: ["c"] }),
          ],
        }),
    ],
    [
      "a proxy with another map",
      "proxy-holds-other-map",
      (stack: TerraformStack) =>
        LoadBalancer.globalExternal({
          targetHttpsProxies: [
            new ComputeTargetHttpsProxy(stack, "p", { name: "p", urlMap: "um", certificateMap: "m" }),
          ],
        }),
    ],
    [
      "a proxy with a map on an internal load balancer",
      "map-not-allowed",
      (stack: TerraformStack) =>
        LoadBalancer.crossRegionInternal({
          targetHttpsProxies: [
            new ComputeTargetHttpsProxy(stack, "p", { name: "p", urlMap: "um", certificateMap: "m" }),
          ],
        }),
    ],
    [
      "a regional proxy with direct certificates",
      "proxy-holds-conflicting-certificates",
      (stack: TerraformStack) =>
        LoadBalancer.regionalExternal({
          region: "europe-west1",
          targetHttpsProxies: [
            new ComputeRegionTargetHttpsProxy(stack, "p", { name: "p", urlMap: "um", sslCertificates: ["c"] }),
          ],
        }),
    ],
    [
      "a proxy of another stack",
      "proxy-in-other-stack",
      (stack: TerraformStack) =>
        LoadBalancer.globalExternal({
          targetHttpsProxies: [
            new ComputeTargetHttpsProxy(newStack(stack.node.root as App, "other"), "p", { name: "p", urlMap: "um" }),
          ],
        }),
    ],
  ])("%s is refused", (_, code, loadBalancer) => {
    const stack = newStack();
    expect(refusal(() => migrate(stack, { loadBalancer: loadBalancer(stack) }))).toEqual([code]);
  });

  test("a global proxy given to a regional load balancer is refused, whatever the types said", () => {
    const stack = newStack();
    const proxy: unknown = new ComputeTargetHttpsProxy(stack, "p", { name: "p", urlMap: "um" });
    const loadBalancer = LoadBalancer.regionalExternal({
      region: "europe-west1",
      targetHttpsProxies: [proxy as ComputeRegionTargetHttpsProxy],
    });
    expect(refusal(() => migrate(stack, { loadBalancer }))).toEqual(["proxy-kind-mismatch"]);
  });

  test("with direct certificates keep them beside the map, which is warned of", () => {
    const app = Testing.app();
    const stack = newStack(app);
    const proxy = new ComputeTargetHttpsProxy(stack, "proxy", { name: "web", urlMap: "um", sslCertificates: ["c"] });
    const migration = migrate(stack, { loadBalancer: LoadBalancer.globalExternal({ targetHttpsProxies: [proxy] }) });
    expect(migration.node.metadata.map(({ data }) => String(data))).toEqual([
      expect.stringContaining("[proxy-holds-certificates]"),
    ]);
    expect(onlyResource(synthesize(stack), "google_compute_target_https_proxy").ssl_certificates).toEqual(["c"]);
  });

  test("that are adopted are imported, keep what is stated, and can't be destroyed", () => {
    const stack = newStack();
    migrate(stack, {
      loadBalancer: LoadBalancer.globalExternal({
        adoptTargetHttpsProxies: [
          {
            name: "web",
            project: "p2",
            urlMap: "um",
            sslCertificates: ["c"],
            sslPolicy: "pol",
            quicOverride: "ENABLE",
            tlsEarlyData: null,
            httpKeepAliveTimeoutSeconds: 30,
            serverTlsPolicy: null,
            description: "Old",
          },
        ],
      }),
    });
    const synthesized = synthesize(stack);
    expect(synthesized.import).toEqual([
      {
        to: onlyAddress(synthesized, "google_compute_target_https_proxy"),
        id: "projects/p2/global/targetHttpsProxies/web",
      },
    ]);
    const {
      certificate_map: _,
      depends_on: __,
      ...rest
    } = onlyResource(synthesized, "google_compute_target_https_proxy");
    expect(rest).toEqual({
      name: "web",
      project: "p2",
      url_map: "um",
      ssl_certificates: ["c"],
      ssl_policy: "pol",
      quic_override: "ENABLE",
      http_keep_alive_timeout_sec: 30,
      description: "Old",
      lifecycle: { prevent_destroy: true },
    });
  });

  test("of a cross-region internal load balancer get certificates of scope ALL_REGIONS directly, after the gate", () => {
    const stack = newStack();
    migrate(stack, { loadBalancer: LoadBalancer.crossRegionInternal({ newTargetHttpsProxy: { urlMap: "um" } }) });
    const synthesized = synthesize(stack);
    expect(onlyResource(synthesized, "google_certificate_manager_certificate").scope).toBe("ALL_REGIONS");
    const proxy = onlyResource(synthesized, "google_compute_target_https_proxy");
    expect(proxy.certificate_manager_certificates).toEqual([
      `//certificatemanager.googleapis.com/\${${onlyAddress(synthesized, "google_certificate_manager_certificate")}.id}`,
    ]);
    expect(proxy.depends_on).toEqual([onlyAddress(synthesized, "terraform_data")]);
    expect(synthesized.resource?.google_certificate_manager_certificate_map).toBeUndefined();
  });
});

describe("what a stack shares", () => {
  test("is one authorization for a domain, whichever construct came first", () => {
    const of = (order: readonly ("migration" | "wildcard")[]) => {
      const stack = newStack();
      for (const which of order) {
        if (which === "migration") migrate(stack, { certificates: [{ domains: ["api.example.com", "example.com"] }] });
        else new WildcardCertWithAuth(stack, "wild", { domain: "example.com", dns: DnsPublication.external() });
      }
      return synthesize(stack).resource;
    };
    expect(of(["wildcard", "migration"])).toEqual(of(["migration", "wildcard"]));
    expect(Object.keys(of(["migration", "wildcard"])?.google_certificate_manager_dns_authorization ?? {})).toHaveLength(
      2,
    );
  });

  test("is the entries of a map: a proxy comes also after those of another construct", () => {
    const stack = newStack();
    const migration = migrate(stack, {
      loadBalancer: LoadBalancer.globalExternal({ newTargetHttpsProxy: { urlMap: "um" } }),
    });
    new WildcardCertWithAuth(stack, "wild", {
      domain: "example.org",
      dns: DnsPublication.external(),
      certificateMap: migration.map as NonNullable<typeof migration.map>,
    });
    expect(onlyResource(synthesize(stack), "google_compute_target_https_proxy").depends_on).toHaveLength(6);
  });

  test("a hostname twice in one map is refused with the names of both constructs, in two maps it is fine", () => {
    const stack = newStack();
    const { map } = migrate(stack);
    expect(() => migrate(stack, { existingCertificateMap: map as NonNullable<typeof map> }, "again")).toThrow(
      "'*.example.com' has an entry in the same map from prod/shop and from prod/again; keep it in one, or use two maps",
    );
    const other = newStack();
    migrate(other);
    migrate(other, {}, "again");
    expect(mistakesOf(synthesize(other))).toEqual([]);
  });

  test.each([
    [
      "two zones",
      "authorization-zones-differ",
      { dns: DnsPublication.cloudDns({ zones: { "example.com": "other" } }) },
    ],
    ["two record types", "authorization-types-differ", { authorizationType: "PER_PROJECT_RECORD" as const }],
    ["two values of a label", "authorization-labels-differ", { labels: { team: "other" } }],
  ])("%s for one domain are refused", (_, code, change) => {
    const stack = newStack();
    migrate(stack, { labels: { team: "web" } });
    expect(refusal(() => migrate(stack, change, "again"))).toEqual([code]);
  });

  test("ends at the stack: the second one is told to pass the authorization", () => {
    const app = Testing.app();
    migrate(newStack(app, "one"));
    expect(refusal(() => migrate(newStack(app, "two")))).toEqual(["authorization-in-two-stacks"]);
    expect(refusal(() => migrate(newStack(app, "three", "other-project")))).toEqual(["fixed-record-in-two-projects"]);
    expect(
      refusal(() => migrate(newStack(app, "four", "other-project"), { authorizationType: "PER_PROJECT_RECORD" })),
    ).toEqual([]);
    const existingAuthorizations = { "example.com": "projects/my-project/locations/global/dnsAuthorizations/a" };
    expect(
      refusal(() => migrate(newStack(app, "five"), { existingAuthorizations, dns: DnsPublication.external() })),
    ).toEqual([]);
  });
});

describe("step 8", () => {
  const previous = {
    "example.com": { a: ["198.51.100.1"], aaaa: ["2001:db8:1::1"] },
    "www.example.com": { cname: "old.example.net" },
  };
  const loadBalancer = LoadBalancer.globalExternal({ addresses: ["203.0.113.7", "2001:db8::7"] });
  const of = (to: "previous" | "loadBalancer", change: Partial<ManagedCertMigrationProps> = {}) => {
    const stack = newStack();
    migrate(stack, { loadBalancer, traffic: { to, previous }, ...change });
    return synthesize(stack);
  };
  const data = (synthesized: ReturnType<typeof of>) =>
    Object.fromEntries(
      Object.values(resourcesOf(synthesized, "google_dns_record_set"))
        .filter(({ ttl }) => ttl === 60)
        .map(({ name, type, rrdatas }) => [`${name} ${type}`, (rrdatas as string[]).join()]),
    );

  test("changes records in place, an alias by its target, and back", () => {
    const ingress = {
      "cert-migration-ingress.example.com. A": "203.0.113.7",
      "cert-migration-ingress.example.com. AAAA": "2001:db8::7",
    };
    expect(data(of("previous"))).toEqual({
      ...ingress,
      "example.com. A": "198.51.100.1",
      "example.com. AAAA": "2001:db8:1::1",
      "www.example.com. CNAME": "old.example.net.",
    });
    expect(data(of("loadBalancer"))).toEqual({
      ...ingress,
      "example.com. A": "203.0.113.7",
      "example.com. AAAA": "2001:db8::7",
      "www.example.com. CNAME": "cert-migration-ingress.example.com.",
    });
    expect(Object.keys(of("previous").resource?.google_dns_record_set ?? {})).toEqual(
      Object.keys(of("loadBalancer").resource?.google_dns_record_set ?? {}),
    );
  });

  test("takes over the records that exist", () => {
    expect(of("previous").import?.map(({ id }) => id)).toEqual([
      "example-com/example.com./A",
      "example-com/example.com./AAAA",
      "example-com/www.example.com./CNAME",
    ]);
  });

  test("comes after a verification of the load balancer where the gate is 'wait'", () => {
    const synthesized = of("loadBalancer");
    const [address, verification] =
      Object.entries(resourcesOf(synthesized, "terraform_data")).find(([id]) => id.includes("verification")) ?? [];
    expect(verification?.provisioner).toEqual([
      {
        "local-exec": {
          command:
            'npx --no-install cert-migration verify --stack . --migration "prod/shop" --address 203.0.113.7 --address 2001:db8::7',
        },
      },
    ]);
    const moved = Object.values(resourcesOf(synthesized, "google_dns_record_set")).filter(({ ttl }) => ttl === 60);
    for (const record of moved) expect(record.depends_on).toContain(`terraform_data.${address}`);
    expect(JSON.stringify(of("previous").resource?.terraform_data)).not.toContain("verify");
  });

  test("is handed out where DNS is elsewhere", () => {
    const synthesized = of("loadBalancer", { dns: DnsPublication.external() });
    expect(synthesized.resource?.google_dns_record_set).toBeUndefined();
    const value = synthesized.output?.cert_migration?.value as {
      migrations: Record<string, { traffic: unknown }>;
    };
    expect(value.migrations["prod/shop"]?.traffic).toEqual({
      to: "loadBalancer",
      hostnames: ["example.com", "www.example.com"],
      records: [
        { name: "cert-migration-ingress.example.com.", type: "A", data: ["203.0.113.7"] },
        { name: "cert-migration-ingress.example.com.", type: "AAAA", data: ["2001:db8::7"] },
        { name: "example.com.", type: "A", data: ["203.0.113.7"] },
        { name: "example.com.", type: "AAAA", data: ["2001:db8::7"] },
        { name: "www.example.com.", type: "CNAME", data: ["cert-migration-ingress.example.com."] },
      ],
    });
  });
});

test("a mistake is thrown in the constructor, with the construct's path and every other mistake", () => {
  const stack = newStack();
  expect(() => migrate(stack, { certificates: [{ domains: ["localhost"] }], labels: { Team: "web" } })).toThrow(
    /^prod\/shop: .*\nprod\/shop: /,
  );
});

test("a private key goes through a sensitive variable and is in no output", () => {
  const stack = newStack();
  const { certificatePem } = jest
    .requireActual<typeof import("../support/make-certificate")>("../support/make-certificate")
    .makeCertificate(["example.com"]);
  migrate(stack, { certificates: [{ selfManaged: { certificatePem, privateKeyVariable: "shop_key" } }] });
  const synthesized = synthesize(stack);
  expect(synthesized.variable).toEqual({
    shop_key: { description: expect.any(String), sensitive: true, type: "string" },
  });
  expect(onlyResource(synthesized, "google_certificate_manager_certificate").self_managed).toEqual({
    pem_certificate: certificatePem.replace(/\r\n/g, "\n"),
    pem_private_key: "${var.shop_key}",
  });
  expect(JSON.stringify(synthesized.output)).not.toContain("shop_key");
});

test("two domains that differ only in what cdktf removes from ids stay two resources", () => {
  const stack = newStack();
  migrate(stack, {
    certificates: [
      { domains: ["a.b.example.com"] },
      { domains: ["ab.example.com"] },
      { domains: ["*.b.example.com"] },
      { domains: ["b.example.com"] },
    ],
  });
  const synthesized = synthesize(stack);
  for (const type of ["google_certificate_manager_certificate", "google_certificate_manager_certificate_map_entry"]) {
    expect(Object.keys(resourcesOf(synthesized, type))).toHaveLength(4);
  }
});

test("APIs are switched on once, before what needs them, and never off", () => {
  const stack = newStack();
  migrate(stack, {
    enableApis: true,
    loadBalancer: LoadBalancer.globalExternal({ newTargetHttpsProxy: { urlMap: "um" } }),
  });
  const services = Object.values(resourcesOf(synthesize(stack), "google_project_service"));
  expect(services.map(({ service, disable_on_destroy }) => [service, disable_on_destroy])).toEqual([
    ["certificatemanager.googleapis.com", false],
    ["compute.googleapis.com", false],
    ["dns.googleapis.com", false],
  ]);
});

test("requires a Terraform that has import and check blocks", () => {
  const stack = newStack();
  migrate(stack);
  expect(synthesize(stack).terraform?.required_version).toBe(">= 1.5");
});
