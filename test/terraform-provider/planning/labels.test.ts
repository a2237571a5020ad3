import { planLabels, toldLabels } from "../../../lib/terraform-provider/planning";
import { unknown } from "../../../lib/terraform-provider/value";

describe("labels", () => {
  const settings = { defaultLabels: { env: "prod" }, attribution: "creation" } as const;
  const mark = { "goog-terraform-provisioned": "true" };

  test("of a new resource are the provider's, the mark and its own", () => {
    expect(planLabels(undefined, { team: "web", env: "test" }, settings)).toEqual({
      terraform_labels: { env: "test", team: "web", ...mark },
      effective_labels: { env: "test", team: "web", ...mark },
    });
  });

  test("that others have set stay, those that Terraform no longer sets go", () => {
    const prior = {
      terraform_labels: { env: "prod", team: "web", ...mark },
      effective_labels: { env: "prod", team: "web", owner: "audit", ...mark },
    };

    expect(planLabels(prior, null, settings).effective_labels).toEqual({ env: "prod", owner: "audit", ...mark });
  });

  test("of a resource that was made without the mark stay without it", () => {
    const prior = { terraform_labels: {}, effective_labels: { team: "web" } };

    expect(planLabels(prior, { team: "web" }, settings).terraform_labels).toEqual({ env: "prod", team: "web" });
    expect(planLabels(prior, {}, { ...settings, attribution: "always" }).terraform_labels).toEqual({
      env: "prod",
      ...mark,
    });
    expect(planLabels(undefined, {}, { ...settings, attribution: "never" }).terraform_labels).toEqual({ env: "prod" });
  });

  test("are unknown as long as one of them is", () => {
    expect(planLabels(undefined, { team: unknown }, settings)).toEqual({
      terraform_labels: unknown,
      effective_labels: unknown,
    });
  });

  test("that the service tells are shared out by whose they are", () => {
    const known = { labels: { team: "web" }, terraform_labels: { team: "web", ...mark } };

    expect(toldLabels(known, { team: "shop", owner: "audit", ...mark })).toEqual({
      labels: { team: "shop" },
      terraform_labels: { team: "shop", ...mark },
      effective_labels: { team: "shop", owner: "audit", ...mark },
    });
  });
});
