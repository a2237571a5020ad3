import { startTerraformProvider, type TerraformProvider } from "../../lib/terraform-provider";
import { startLoadBalancerCloud } from "../support/load-balancer-cloud";
import { openTerraform } from "../support/terraform";

jest.setTimeout(600_000);

let cloud: Awaited<ReturnType<typeof startLoadBalancerCloud>>;
let provider: TerraformProvider;

beforeAll(async () => {
  cloud = await startLoadBalancerCloud({ operationMs: 100 });
  provider = await startTerraformProvider({ cloudUrl: cloud.url });
});

afterAll(async () => {
  await provider.close();
  await cloud[Symbol.asyncDispose]();
});

/** Hostnames, each with its authorization, record, certificate and entry; the state is kept over http. */
function stackOf(project: string, hostnames: number): object {
  const many = <Item>(make: (id: string, domain: string) => Item) =>
    Object.fromEntries(
      Array.from({ length: hostnames }, (_, index) => [`h${index}`, make(`h${index}`, `h${index}.example.com`)]),
    );
  return {
    terraform: {
      required_providers: { google: { source: "hashicorp/google", version: "6.50.0" } },
      backend: { http: provider.stateBackend.backendOf(project) },
    },
    provider: { google: { project } },
    resource: {
      google_dns_managed_zone: { main: { name: "zone", dns_name: "example.com." } },
      google_certificate_manager_certificate_map: { main: { name: "map" } },
      google_certificate_manager_dns_authorization: many((id, domain) => ({ name: id, domain })),
      google_dns_record_set: many((id) => {
        const record = `google_certificate_manager_dns_authorization.${id}.dns_resource_record[0]`;
        return {
          managed_zone: "${google_dns_managed_zone.main.name}",
          name: `\${${record}.name}`,
          type: "CNAME",
          ttl: 300,
          rrdatas: [`\${${record}.data}`],
        };
      }),
      google_certificate_manager_certificate: many((id, domain) => ({
        name: id,
        managed: {
          domains: [domain],
          dns_authorizations: [`\${google_certificate_manager_dns_authorization.${id}.id}`],
        },
      })),
      google_certificate_manager_certificate_map_entry: many((id, domain) => ({
        name: id,
        map: "${google_certificate_manager_certificate_map.main.name}",
        hostname: domain,
        certificates: [`\${google_certificate_manager_certificate.${id}.id}`],
      })),
    },
  };
}

test("plans, applies, finds unchanged and destroys a thousand resources", async () => {
  await using terraform = await openTerraform(provider);
  const times: Record<string, number> = {};
  const time = async <Result>(name: string, task: () => Promise<Result>): Promise<Result> => {
    const startedAt = performance.now();
    const result = await task();
    times[name] = Math.round(performance.now() - startedAt) / 1_000;
    return result;
  };
  await terraform.write(stackOf("large", 250));
  await time("apply", () => terraform.succeed("apply", "-auto-approve", "-no-color"));
  expect(await time("plan", () => terraform.plan())).toBe(0);
  await time("destroy", () => terraform.succeed("destroy", "-auto-approve", "-no-color"));
  process.stderr.write(`1,002 resources, in seconds: ${JSON.stringify(times)}\n`);

  expect((await cloud.call("GET", "v1/projects/large/locations/-/certificates")).body.certificates ?? []).toEqual([]);
});

test("completes an apply that is interrupted repeatedly, without losing a resource", async () => {
  await using terraform = await openTerraform(provider);
  await terraform.write(stackOf("interrupted", 40));
  let interruptions = 0;
  for (let afterMs = 400; ; afterMs += 150) {
    if ((await terraform.interrupt(afterMs, "apply", "-auto-approve", "-no-color")) === 0) break;
    interruptions++;
    expect(interruptions).toBeLessThan(100);
  }
  process.stderr.write(`${interruptions} interruptions\n`);

  expect(interruptions).toBeGreaterThan(0);
  expect(await terraform.plan()).toBe(0);
  const refused = cloud.log
    .list()
    .filter(({ status, target }) => status === 409 && target.includes("/projects/interrupted/"));
  expect(refused).toEqual([]);
});
