import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CertificatesStack } from "../../examples/three-stacks/certificates";
import { type Environment, environments } from "../../examples/three-stacks/environments";
import { LoadBalancerStack } from "../../examples/three-stacks/load-balancer";
import { NetworkStack } from "../../examples/three-stacks/network";
import { newApp, onlyResource, resourcesOf, type SynthesizedStack, synthesize } from "../support/synth";

const [staging, production] = environments as readonly [Environment, Environment];

/** Returns the stacks of an environment, and what they synthesize with all validations. */
function stacksOf(environment: Environment) {
  const app = newApp();
  const network = new NetworkStack(app, environment);
  const certificates = new CertificatesStack(app, environment, network);
  const loadBalancer = new LoadBalancerStack(app, environment, network, certificates);
  const stacks = [network, certificates, loadBalancer] as const;
  // The kit writes the outputs for other stacks when it prepares an app.
  for (const stack of stacks) stack.prepareStack();
  const [ofNetwork, ofCertificates, ofLoadBalancer] = stacks.map(synthesize) as readonly SynthesizedStack[];
  return { certificates, loadBalancer, synthesized: { ofNetwork, ofCertificates, ofLoadBalancer } };
}

test.each(environments)("the certificates of $name are published in the zone of the network stack", (environment) => {
  const { ofNetwork = {}, ofCertificates = {} } = stacksOf(environment).synthesized;
  const output = "cross-stack-output-google_dns_managed_zonezonename";
  expect(ofNetwork.output?.[output]?.value).toBe("${google_dns_managed_zone.zone.name}");
  const stack = `network-${environment.name}`;
  expect(onlyResource(ofCertificates, "google_dns_record_set").managed_zone).toBe(
    `\${data.terraform_remote_state.cross-stack-reference-input-${stack}.outputs.${output}}`,
  );
});

test.each(environments)("the names of $name follow the convention", (environment) => {
  const { ofCertificates = {} } = stacksOf(environment).synthesized;
  const types = ["dns_authorization", "certificate", "certificate_map", "certificate_map_entry"];
  const names = types.flatMap((type) =>
    Object.values(resourcesOf(ofCertificates, `google_certificate_manager_${type}`)).map(({ name }) => String(name)),
  );
  const kinds = names.map((name) => new RegExp(`^acme-${environment.name}-([a-z]+)-[0-9a-f]{12}$`).exec(name)?.[1]);
  const map = environment.existingMap === undefined ? ["map"] : [];
  expect(kinds).toEqual(["authorization", "certificate", ...map, "entry", "entry"]);
});

test("the proxy of staging has the map that the other stack creates, and waits for its apply", () => {
  const { certificates, loadBalancer, synthesized } = stacksOf(staging);
  const { ofCertificates = {}, ofLoadBalancer = {} } = synthesized;
  const [address] = Object.keys(resourcesOf(ofCertificates, "google_certificate_manager_certificate_map"));
  const [output] = Object.entries(ofCertificates.output ?? {}).find(([name]) => name.startsWith("cross-stack")) ?? [];
  expect(ofCertificates.output?.[output ?? ""]?.value).toBe(
    `\${google_certificate_manager_certificate_map.${address}.id}`,
  );
  expect(onlyResource(ofLoadBalancer, "google_compute_target_https_proxy").certificate_map).toBe(
    `//certificatemanager.googleapis.com/\${data.terraform_remote_state.cross-stack-reference-input-certificates-staging.outputs.${output}}`,
  );
  expect(loadBalancer.dependencies).toContain(certificates);
});

test("production adds entries to its existing map, which the proxy has", () => {
  const { certificates, loadBalancer, synthesized } = stacksOf(production);
  const { ofCertificates = {}, ofLoadBalancer = {} } = synthesized;
  expect(resourcesOf(ofCertificates, "google_certificate_manager_certificate_map")).toEqual({});
  expect(onlyResource(ofLoadBalancer, "google_compute_target_https_proxy").certificate_map).toBe(
    `//certificatemanager.googleapis.com/${production.existingMap}`,
  );
  expect(loadBalancer.dependencies).toContain(certificates);
});

test("resources are found by their names", () => {
  const { migration } = stacksOf(production).certificates;
  expect(migration.certificate("web").managedInput?.domains).toEqual(["*.example.com", "example.com"]);
  expect(migration.entry("*.example.com").hostnameInput).toBe("*.example.com");
  expect(migration.authorization("example.com").domainInput).toBe("example.com");
  expect(() => migration.certificate("shop")).toThrow("unknown certificate 'shop'; known: 'web'");
});

test("the app has the three stacks of each environment", () => {
  const outdir = mkdtempSync(join(tmpdir(), "example-"));
  const before = process.env.CDKTF_OUTDIR;
  try {
    process.env.CDKTF_OUTDIR = outdir;
    jest.isolateModules(() => require("../../examples/three-stacks/main"));
    const { stacks } = JSON.parse(readFileSync(join(outdir, "manifest.json"), "utf8"));
    const names = environments.flatMap(({ name }) =>
      ["certificates", "load-balancer", "network"].map((part) => `${part}-${name}`),
    );
    expect(Object.keys(stacks).sort()).toEqual(names.sort());
  } finally {
    if (before === undefined) delete process.env.CDKTF_OUTDIR;
    else process.env.CDKTF_OUTDIR = before;
    rmSync(outdir, { recursive: true, force: true });
  }
});
