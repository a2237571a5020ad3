import { realProviderArguments } from "../../lib/terraform-provider";
import { deriveBlock, openBindings } from "../../lib/terraform-provider/schema";

test("the real provider is pointed at the cloud by arguments that it has", () => {
  const settings = realProviderArguments({ cloudUrl: "http://127.0.0.1:8080" });
  const { attributes } = deriveBlock(openBindings().read("provider") ?? new Map(), "GoogleProvider");

  expect(settings).toEqual({
    access_token: "rehearsal",
    certificate_manager_custom_endpoint: "http://127.0.0.1:8080/v1/",
    compute_custom_endpoint: "http://127.0.0.1:8080/compute/v1/",
    dns_custom_endpoint: "http://127.0.0.1:8080/dns/v1/",
    resource_manager_v3_custom_endpoint: "http://127.0.0.1:8080/v3/",
    service_usage_custom_endpoint: "http://127.0.0.1:8080/v1/",
    user_project_override: false,
  });
  expect(Object.keys(settings).filter((name) => !attributes.has(name))).toEqual([]);
});
