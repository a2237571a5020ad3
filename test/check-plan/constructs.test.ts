import { checkPlan, readTerraformPlan } from "../../lib/check-plan";
import {
  Certificate,
  DnsPublication,
  LoadBalancer,
  ManagedCertMigration,
  type ManagedCertMigrationProps,
} from "../../lib/constructs";
import { startTerraformProvider } from "../../lib/terraform-provider";
import { startTestCloud } from "../support/cloud";
import { makeCertificate } from "../support/make-certificate";
import { newStack, synthesize } from "../support/synth";
import { openTerraform } from "../support/terraform";

jest.setTimeout(120_000);

const links = "projects/shop-1/global";

function stackOf(props: Omit<ManagedCertMigrationProps, "dns">): object {
  const stack = newStack(undefined, "prod", "shop-1");
  new ManagedCertMigration(stack, "shop", { ...props, dns: DnsPublication.external() });
  return synthesize(stack);
}

/** A proxy that serves today with a certificate of Compute Engine. */
const adopted = LoadBalancer.globalExternal({
  adoptTargetHttpsProxies: [
    {
      name: "web",
      urlMap: `${links}/urlMaps/urls`,
      sslCertificates: [`${links}/sslCertificates/old`],
      sslPolicy: "",
      quicOverride: "UNSET",
      tlsEarlyData: "UNSET",
      httpKeepAliveTimeoutSeconds: 0,
      serverTlsPolicy: "",
      description: "",
    },
  ],
});

test("accepts plans of the constructs: a live proxy adopted in one deployment, a rotation, another hostname", async () => {
  await using cloud = await startTestCloud({ speed: 600 });
  const parent = `/compute/v1/${links}`;
  const { certificatePem, privateKeyPem } = makeCertificate(["example.com", "www.example.com"]);
  await cloud.make("POST", `${parent}/backendServices`, {
    name: "b",
    loadBalancingScheme: "EXTERNAL_MANAGED",
  });
  await cloud.make("POST", `${parent}/urlMaps`, {
    name: "urls",
    defaultService: `${links}/backendServices/b`,
  });
  const uploaded = { name: "old", certificate: certificatePem, privateKey: privateKeyPem };
  await cloud.make("POST", `${parent}/sslCertificates`, uploaded);
  const sslCertificates = [`${links}/sslCertificates/old`];
  await cloud.make("POST", `${parent}/targetHttpsProxies`, {
    name: "web",
    urlMap: `${links}/urlMaps/urls`,
    sslCertificates,
  });
  const provider = await startTerraformProvider({ cloudUrl: cloud.endpoints.http });
  try {
    await using terraform = await openTerraform(provider);
    const judge = async (props: Omit<ManagedCertMigrationProps, "dns">) => {
      await terraform.write(stackOf(props));
      await terraform.succeed("plan", "-out=tfplan", "-input=false", "-no-color");
      const json = await terraform.succeed("show", "-json", "tfplan");
      return checkPlan(readTerraformPlan(json, "plan")).dangers.map(({ code, message }) => `${code} ${message}`);
    };
    const one = [Certificate.managed({ domains: ["example.com", "www.example.com"] })];
    expect(await judge({ certificates: one, loadBalancer: adopted })).toEqual([]);
    expect(await judge({ certificates: one, loadBalancer: adopted, gate: "none" })).toEqual([
      expect.stringMatching(/^map-switched-early .*is not issued yet/),
    ]);
    const conditioned = await judge({ certificates: one, loadBalancer: adopted, gate: "precondition" });
    expect(conditioned).toEqual([expect.stringMatching(/^repointed-behind-condition /)]);
    await terraform.apply(stackOf({ certificates: one, loadBalancer: adopted, gate: "none" }));
    const rotated = [Certificate.managed({ domains: ["example.com", "www.example.com", "shop.example.com"] })];
    expect(await judge({ certificates: rotated, loadBalancer: adopted })).toEqual([]);
    expect((await judge({ certificates: rotated, loadBalancer: adopted, gate: "none" })).join("\n")).toMatch(
      /^repointed-to-inactive /m,
    );
    const more = [...one, Certificate.managed({ domains: ["pay.example.net"] })];
    expect(await judge({ certificates: more, loadBalancer: adopted })).toEqual([]);
  } finally {
    await provider.close();
  }
});
