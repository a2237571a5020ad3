import { useStandIn } from "../support/stand-in";
import { openTerraform } from "../support/terraform";

jest.setTimeout(60_000);

const standIn = useStandIn();

function stackOf(project: string, resource: object): object {
  return {
    terraform: { required_providers: { google: { source: "hashicorp/google", version: "6.50.0" } } },
    provider: { google: { project } },
    resource,
  };
}

/** A classic front end. */
function frontEnd(labels: object | undefined): object {
  return {
    google_compute_health_check: { main: { name: "alive", tcp_health_check: { port: 443 } } },
    google_compute_backend_service: {
      main: { name: "web", health_checks: ["${google_compute_health_check.main.id}"] },
    },
    google_compute_url_map: { main: { name: "urls", default_service: "${google_compute_backend_service.main.id}" } },
    google_compute_target_http_proxy: { main: { name: "plain", url_map: "${google_compute_url_map.main.id}" } },
    google_compute_global_address: { main: { name: "front" } },
    google_compute_global_forwarding_rule: {
      main: {
        name: "front",
        labels,
        target: "${google_compute_target_http_proxy.main.id}",
        port_range: "80",
        ip_address: "${google_compute_global_address.main.id}",
      },
    },
  };
}

const rules = (project: string) => `compute/v1/projects/${project}/global/forwardingRules/front`;

function requestsOf(path: string): readonly string[] {
  return standIn.cloud.log
    .list()
    .filter(({ target, caller }) => caller.startsWith("token ") && target.startsWith(`/${path}`))
    .map(({ httpMethod, target }) => `${httpMethod} ${target.slice(path.length + 2)}`);
}

test("the attribution label is set on an address, and not on a forwarding rule", async () => {
  const project = "attribution";
  await using terraform = await openTerraform(standIn.provider);
  await terraform.apply(stackOf(project, frontEnd(undefined)));

  expect((await standIn.cloud.call("GET", rules(project))).body).not.toHaveProperty("labels");
  expect(requestsOf(rules(project))).toEqual(["GET "]);
  const { body } = await standIn.cloud.call("GET", `compute/v1/projects/${project}/global/addresses/front`);
  expect(body.labels).toEqual({ "goog-terraform-provisioned": "true" });
});

test("labels are set again after creation with the fingerprint that was read; a later change uses the fingerprint of the state", async () => {
  const project = "labelled";
  await using terraform = await openTerraform(standIn.provider);
  await terraform.apply(stackOf(project, frontEnd({ team: "web" })));
  expect(requestsOf(rules(project))).toEqual(["GET ", "POST setLabels", "GET "]);
  expect((await standIn.cloud.call("GET", rules(project))).body.labels).toEqual({ team: "web" });

  const before = requestsOf(rules(project)).length;
  await terraform.apply(stackOf(project, frontEnd({ team: "edge" })));
  // The refresh, the change, and the read of the result.
  expect(requestsOf(rules(project)).slice(before)).toEqual(["GET ", "POST setLabels", "GET "]);
  expect(await terraform.plan()).toBe(0);
});

test("labels that another client changed since the refresh are not overwritten: the state's fingerprint is refused", async () => {
  const project = "relabelled";
  await using terraform = await openTerraform(standIn.provider);
  await terraform.apply(stackOf(project, frontEnd({ team: "web" })));
  const { body } = await standIn.cloud.call("GET", rules(project));
  const others = { labels: { owner: "others" }, labelFingerprint: body.labelFingerprint };
  await standIn.cloud.call("POST", `${rules(project)}/setLabels`, others);
  await terraform.write(stackOf(project, frontEnd({ team: "edge" })));
  const { exitCode } = await terraform.run("apply", "-refresh=false", "-auto-approve", "-no-color");

  expect(exitCode).toBe(1);
  expect((await standIn.cloud.call("GET", rules(project))).body.labels).toEqual({ owner: "others" });
});

test("attributes that only the service sets stay known in the plan of an update", async () => {
  const project = "known";
  const map = (description: string) => ({
    google_certificate_manager_certificate_map: { main: { name: "map", description } },
    google_compute_health_check: { main: { name: "alive", tcp_health_check: { port: 443 } } },
    google_compute_backend_service: {
      main: { name: "web", description, health_checks: ["${google_compute_health_check.main.id}"] },
    },
  });
  await using terraform = await openTerraform(standIn.provider);
  await terraform.apply(stackOf(project, map("one")));
  await terraform.write(stackOf(project, map("two")));

  const plan = await terraform.succeed("plan", "-no-color");
  expect(plan).toContain("2 to change");
  expect(plan).not.toContain("known after apply");
});
