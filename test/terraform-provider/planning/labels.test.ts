import { labelAttributes, planLabels } from "../../../lib/terraform-provider/planning";
import { unknown } from "../../../lib/terraform-provider/value";

describe("labels", () => {
  const settings = { defaultLabels: { env: "prod" }, attribution: "creation" } as const;
  const mark = { "goog-terraform-provisioned": "true" };

  test("of a new resource are the provider's labels, the attribution label and its own labels", () => {
    expect(planLabels(undefined, { team: "web", env: "test" }, settings)).toEqual({
      terraform_labels: { env: "test", team: "web", ...mark },
      effective_labels: { env: "test", team: "web", ...mark },
    });
  });

  test("of other clients stay, and labels that Terraform no longer sets are removed", () => {
    const prior = {
      terraform_labels: { env: "prod", team: "web", ...mark },
      effective_labels: { env: "prod", team: "web", owner: "audit", ...mark },
    };

    expect(planLabels(prior, null, settings).effective_labels).toEqual({ env: "prod", owner: "audit", ...mark });
  });

  test("of a resource without the attribution label stay without it", () => {
    const prior = { terraform_labels: {}, effective_labels: { team: "web" } };

    expect(planLabels(prior, { team: "web" }, settings).terraform_labels).toEqual({ env: "prod", team: "web" });
    expect(planLabels(prior, {}, { ...settings, attribution: "always" }).terraform_labels).toEqual({
      env: "prod",
      ...mark,
    });
    expect(planLabels(undefined, {}, { ...settings, attribution: "never" }).terraform_labels).toEqual({ env: "prod" });
  });

  test("are unknown while any of them is unknown", () => {
    expect(planLabels(undefined, { team: unknown }, settings)).toEqual({
      terraform_labels: unknown,
      effective_labels: unknown,
    });
  });

  test("from the service are assigned to their owners", () => {
    const known = { labels: { team: "web" }, terraform_labels: { team: "web", ...mark } };

    expect(labelAttributes(known, { team: "shop", owner: "audit", ...mark })).toEqual({
      labels: { team: "shop" },
      terraform_labels: { team: "shop", ...mark },
      effective_labels: { team: "shop", owner: "audit", ...mark },
    });
  });
});
