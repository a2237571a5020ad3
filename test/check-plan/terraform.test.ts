import { checkPlan, readTerraformPlan } from "../../lib/check-plan";
import { startTerraformProvider } from "../../lib/terraform-provider";
import { startTestCloud } from "../support/cloud";
import { openTerraform } from "../support/terraform";

jest.setTimeout(60_000);

const cm = "google_certificate_manager";

/** A hand-written stack that does not use this library. */
function stackOf(name: string, gated: boolean, lifecycle?: object): object {
  return {
    terraform: { required_providers: { google: { source: "hashicorp/google", version: "6.50.0" } } },
    provider: { google: { project: "p1" } },
    resource: {
      [`${cm}_dns_authorization`]: { root: { name: "root", domain: "example.com" } },
      [`${cm}_certificate`]: {
        shop: {
          name,
          managed: { domains: ["example.com"], dns_authorizations: [`\${${cm}_dns_authorization.root.id}`] },
          lifecycle: { create_before_destroy: true },
        },
      },
      [`${cm}_certificate_map`]: { main: { name: "main" } },
      [`${cm}_certificate_map_entry`]: {
        root: {
          name: "root",
          map: `\${${cm}_certificate_map.main.name}`,
          hostname: "example.com",
          certificates: [`\${${cm}_certificate.shop.id}`],
          ...(gated ? { depends_on: ["terraform_data.gate"] } : {}),
          ...(lifecycle === undefined ? {} : { lifecycle }),
        },
      },
      ...(gated
        ? {
            terraform_data: {
              gate: {
                triggers_replace: [`\${${cm}_certificate.shop.id}`],
                provisioner: [{ "local-exec": { command: "true" } }],
              },
            },
          }
        : {}),
    },
  };
}

test("checks plans of real Terraform: refuses a swap without a gate and destroy-first, accepts a gate, warns of a precondition, does not accept a postcondition as a gate", async () => {
  await using cloud = await startTestCloud({ speed: 600 });
  const provider = await startTerraformProvider({ cloudUrl: cloud.endpoints.http });
  try {
    await using terraform = await openTerraform(provider);
    await terraform.apply(stackOf("one", false));
    const judge = async (...words: readonly string[]) => {
      await terraform.succeed("plan", "-out=tfplan", "-input=false", "-no-color", ...words);
      const json = await terraform.succeed("show", "-json", "tfplan");
      return checkPlan(readTerraformPlan(json, "plan")).dangers.map(
        ({ code, subject: address }) => `${code} ${address}`,
      );
    };
    expect(await judge()).toEqual([]);

    await terraform.write(stackOf("two", false));
    expect(await judge()).toEqual([`repointed-to-inactive ${cm}_certificate_map_entry.root`]);

    const precondition = [
      { condition: `\${${cm}_certificate.shop.managed[0].state == "ACTIVE"}`, error_message: "not yet" },
    ];
    await terraform.write(stackOf("two", false, { precondition }));
    expect(await judge()).toEqual([`repointed-behind-condition ${cm}_certificate_map_entry.root`]);

    const postcondition = [{ condition: '${self.hostname != ""}', error_message: "no hostname" }];
    await terraform.write(stackOf("two", false, { postcondition }));
    expect(await judge()).toEqual([`repointed-to-inactive ${cm}_certificate_map_entry.root`]);

    await terraform.write(stackOf("two", true));
    expect(await judge()).toEqual([]);

    const lone = stackOf("one", false) as { readonly resource: Readonly<Record<string, unknown>> };
    const { [`${cm}_dns_authorization`]: _, ...resource } = lone.resource;
    const certificate = {
      shop: { name: "one", managed: { domains: ["example.com"] }, lifecycle: { create_before_destroy: false } },
    };
    await terraform.write({ ...lone, resource: { ...resource, [`${cm}_certificate`]: certificate } });
    expect(await judge()).toEqual(
      expect.arrayContaining([
        `authorization-deleted ${cm}_dns_authorization.root`,
        `certificate-replaced-destroy-first ${cm}_certificate.shop`,
      ]),
    );

    // No proxy presents any of it: it may go.
    expect(await judge("-destroy")).toEqual([]);
  } finally {
    await provider.close();
  }
});
