import { ComputeRegionTargetHttpsProxy } from "@cdktf/provider-google/lib/compute-region-target-https-proxy";
import { ComputeTargetHttpsProxy } from "@cdktf/provider-google/lib/compute-target-https-proxy";
import { Certificate, LoadBalancer, PrivateKey } from "../../lib";
import { fieldsOf, listOf } from "../../lib/json/fields";
import { migrate, refusal } from "../support/migrate";
import { newStack, onlyAddress, onlyResource, resourcesOf, synthesize } from "../support/synth";
import { mistakesOf } from "../support/terraform-check";

test("a certificate for a root and its wildcard creates one authorization, one CNAME, one certificate, one gate, one map, two entries and the wait for these", () => {
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

test("a certificate for a root and its wildcard passes on the record's computed name and data unchanged", () => {
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

test("a certificate for a root and its wildcard orders CNAME, certificate, gate, entries, the wait for these and proxy by dependencies", () => {
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
          command: "npx --no-install cert-migration wait --from-environment",
          environment: {
            CERT_MIGRATION_WAIT_FOR: "certificates",
            CERT_MIGRATION_WAIT_NAMES: `\${${certificate}.id}`,
            CERT_MIGRATION_WAIT_TIMEOUT: "60m",
          },
        },
      },
    ],
    triggers_replace: [`\${${certificate}.id}`],
  });
  for (const entry of Object.values(entries)) expect(entry.depends_on).toEqual([`terraform_data.${gate?.[0]}`]);
  const names = entryAddresses.map((address) => `\${${address}.id}`);
  expect(wait?.[1]).toEqual({
    depends_on: entryAddresses,
    lifecycle: { create_before_destroy: true },
    provisioner: [
      {
        "local-exec": {
          command: "npx --no-install cert-migration wait --from-environment",
          environment: {
            CERT_MIGRATION_WAIT_FOR: "entries",
            CERT_MIGRATION_WAIT_NAMES: names.join(","),
            CERT_MIGRATION_WAIT_TIMEOUT: "60m",
          },
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

test("a certificate for a root and its wildcard waits for at most 35 entries per gate, because a variable of Windows has at most 8,191 characters in a shell", () => {
  const stack = newStack();
  const domains = Array.from({ length: 80 }, (_, index) => `a-name-that-is-rather-long-${index}.example.com`);
  migrate(stack, { certificates: [Certificate.managed({ domains })] });
  const waits = Object.values(resourcesOf(synthesize(stack), "terraform_data"))
    .flatMap(({ provisioner }) => listOf(provisioner))
    .map((one) => fieldsOf(fieldsOf(fieldsOf(one)["local-exec"]).environment))
    .filter((environment) => environment.CERT_MIGRATION_WAIT_FOR === "entries");
  const counts = waits.map(({ CERT_MIGRATION_WAIT_NAMES: names }) => String(names).split(",").length);
  expect(counts).toEqual([35, 35, 10]);
});

test("a certificate for a root and its wildcard keeps the certificate's address when a domain is added, and changes its name", () => {
  const of = (domains: readonly string[]) => {
    const stack = newStack();
    migrate(stack, { certificates: [Certificate.managed({ domains })] });
    return synthesize(stack);
  };
  const before = of(["example.com"]);
  const after = of(["example.com", "www.example.com"]);
  const type = "google_certificate_manager_certificate";
  expect(onlyAddress(after, type)).toBe(onlyAddress(before, type));
  expect(onlyResource(after, type).name).not.toBe(onlyResource(before, type).name);
  expect(onlyResource(after, type).lifecycle).toEqual({ create_before_destroy: true });
});

describe("gates", () => {
  const state = 'managed[0].state == "ACTIVE"}';

  test("'precondition' is on every entry", () => {
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

  test("'none' creates nothing between certificate and entries", () => {
    const stack = newStack();
    migrate(stack, { gate: "none" });
    const synthesized = synthesize(stack);
    expect(synthesized.check).toBeUndefined();
    for (const entry of Object.values(resourcesOf(synthesized, "google_certificate_manager_certificate_map_entry"))) {
      expect(entry.depends_on).toBeUndefined();
    }
  });

  test("'precondition' is on the proxy if certificates are attached directly", () => {
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
  test("creates authorizations, records and certificates and changes no proxy", () => {
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

test("throws in the constructor, with the construct's path and every mistake", () => {
  const stack = newStack();
  expect(() =>
    migrate(stack, { certificates: [Certificate.managed({ domains: ["localhost"] })], labels: { Team: "web" } }),
  ).toThrow(/^prod\/shop: .*\nprod\/shop: /);
});

test("passes a private key through a sensitive variable and never in an output", () => {
  const stack = newStack();
  const { certificatePem } = jest
    .requireActual<typeof import("../support/make-certificate")>("../support/make-certificate")
    .makeCertificate(["example.com"]);
  migrate(stack, {
    certificates: [Certificate.selfManaged({ certificatePem, privateKey: PrivateKey.variable("shop_key") })],
  });
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

test("keeps two resources for domains that differ only in characters that cdktf removes from IDs", () => {
  const stack = newStack();
  migrate(stack, {
    certificates: [
      Certificate.managed({ domains: ["a.b.example.com"] }),
      Certificate.managed({ domains: ["ab.example.com"] }),
      Certificate.managed({ domains: ["*.b.example.com"] }),
      Certificate.managed({ domains: ["b.example.com"] }),
    ],
  });
  const synthesized = synthesize(stack);
  for (const type of ["google_certificate_manager_certificate", "google_certificate_manager_certificate_map_entry"]) {
    expect(Object.keys(resourcesOf(synthesized, type))).toHaveLength(4);
  }
});

test("enables APIs once, before the resources that need them, and never disables them", () => {
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

test("requires a Terraform version with import and check blocks", () => {
  const stack = newStack();
  migrate(stack);
  expect(synthesize(stack).terraform?.required_version).toBe(">= 1.5");
});

test.each(["p;reboot", "$(reboot)", "`reboot`", "p&reboot", "p|reboot"])(
  "refuses an existing certificate of project %s, because its ID would be in the gate's command line",
  (project) => {
    const id = `projects/${project}/locations/global/certificates/c`;
    const certificates = [Certificate.existing(id, { domains: ["example.com"] })];

    expect(refusal(() => migrate(newStack(), { certificates }))).toEqual(["certificate-id-malformed"]);
  },
);
