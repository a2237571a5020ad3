import { useStandIn } from "../support/stand-in";
import { openTerraform } from "../support/terraform";

jest.setTimeout(60_000);

const standIn = useStandIn();

function stackOf(project: string, resource: object): object {
  return {
    terraform: { required_providers: { google: { source: "hashicorp/google", version: "6.50.0" } } },
    provider: { google: { project, region: "europe-west1" } },
    resource,
  };
}

/** Certificates and a URL map in the place of a proxy, made past Terraform. @param location `global` or a region */
async function makeSurroundings(project: string, location: string, certificates: readonly string[]): Promise<void> {
  const isGlobal = location === "global";
  const compute = `compute/v1/projects/${project}/${isGlobal ? "global" : `regions/${location}`}`;
  await standIn.cloud.call("POST", `${compute}/healthChecks`, {
    name: "alive",
    type: "TCP",
    tcpHealthCheck: { port: 443 },
  });
  await standIn.cloud.call("POST", `${compute}/backendServices`, {
    name: "web",
    protocol: "HTTP",
    loadBalancingScheme: "INTERNAL_MANAGED",
    healthChecks: [`https://www.googleapis.com/${compute}/healthChecks/alive`],
  });
  const service = `https://www.googleapis.com/${compute}/backendServices/web`;
  await standIn.cloud.call("POST", `${compute}/urlMaps`, { name: "urls", defaultService: service });
  const manager = `v1/projects/${project}/locations/${location}`;
  await standIn.cloud.call("POST", `${manager}/dnsAuthorizations?dnsAuthorizationId=a1`, { domain: "example.com" });
  for (const name of certificates) {
    await standIn.cloud.call("POST", `${manager}/certificates?certificateId=${name}`, {
      ...(isGlobal ? { scope: "ALL_REGIONS" } : {}),
      managed: {
        domains: ["example.com"],
        dnsAuthorizations: [`projects/${project}/locations/${location}/dnsAuthorizations/a1`],
      },
    });
  }
}

function mutationsOf(project: string): readonly string[] {
  return standIn.cloud.log
    .list()
    .filter(
      ({ target, mutation, caller }) => mutation && caller.startsWith("token ") && target.includes(`/${project}/`),
    )
    .map(({ httpMethod, target }) => `${httpMethod} ${target.replace(/^.*\/projects\/[^/]+\//, "")}`);
}

const host = "//certificatemanager.googleapis.com/";

describe.each([
  ["global", "google_compute_target_https_proxy", "global"],
  ["regional", "google_compute_region_target_https_proxy", "europe-west1"],
])("certificate_manager_certificates of a %s proxy", (kind, type, location) => {
  const project = `direct-${kind}`;
  const id = (name: string, of = project) => `projects/${of}/locations/${location}/certificates/${name}`;
  const urlMap = `projects/${project}/${location === "global" ? "global" : `regions/${location}`}/urlMaps/urls`;
  const proxyOf = (...links: readonly string[]) =>
    stackOf(project, { [type]: { main: { name: "front", url_map: urlMap, certificate_manager_certificates: links } } });

  beforeAll(() => makeSurroundings(project, location, ["one", "two"]));

  test("are accepted as ids, and another spelling is not a difference", async () => {
    await using terraform = await openTerraform(standIn.provider);
    await terraform.apply(proxyOf(id("one")));
    expect(await terraform.plan()).toBe(0);
    expect(await terraform.show(`${type}.main`)).toMatchObject({ certificate_manager_certificates: [id("one")] });

    const made = mutationsOf(project).length;
    for (const link of [
      `${host}${id("one")}`,
      `https://certificatemanager.googleapis.com/v1/${id("one")}`,
      // The provider compares names alone.
      id("one", "another-project"),
    ]) {
      await terraform.write(proxyOf(link));
      expect(await terraform.plan()).toBe(0);
    }
    expect(mutationsOf(project).length).toBe(made);
    await terraform.succeed("destroy", "-auto-approve", "-no-color");
  });

  test("are exchanged in place by setSslCertificates", async () => {
    await using terraform = await openTerraform(standIn.provider);
    await terraform.apply(proxyOf(id("one")));
    const made = mutationsOf(project).length;
    await terraform.apply(proxyOf(`${host}${id("one")}`, id("two")));

    expect(mutationsOf(project).slice(made)).toEqual([expect.stringMatching(/^POST .*\/front\/setSslCertificates$/)]);
    expect(await terraform.plan()).toBe(0);
    await terraform.succeed("destroy", "-auto-approve", "-no-color");
  });

  test.each(["one", "global/certificates/one"])(
    "are refused as '%s', which is neither a URL nor an id",
    async (link) => {
      await using terraform = await openTerraform(standIn.provider);
      await terraform.write(proxyOf(link));
      const { exitCode, stderr } = await terraform.run("apply", "-auto-approve", "-no-color");

      expect([exitCode, stderr.replace(/\s+/g, " ")]).toEqual([
        1,
        expect.stringContaining(`certificate_manager_certificates: '${link}' is not the id of a certificate`),
      ]);
    },
  );
});

test("certificates directly on a proxy are refused if the URL map has no backend service", async () => {
  const project = "no-backend";
  await makeSurroundings(project, "global", ["one"]);
  await standIn.cloud.call("POST", `compute/v1/projects/${project}/global/urlMaps`, {
    name: "redirect",
    defaultUrlRedirect: { httpsRedirect: true, stripQuery: false },
  });
  await using terraform = await openTerraform(standIn.provider);
  const proxy = {
    name: "front",
    url_map: `projects/${project}/global/urlMaps/redirect`,
    certificate_manager_certificates: [`projects/${project}/locations/global/certificates/one`],
  };
  await terraform.write(stackOf(project, { google_compute_target_https_proxy: { main: proxy } }));
  const { exitCode, stderr } = await terraform.run("apply", "-auto-approve", "-no-color");

  expect([exitCode, stderr.replace(/\s+/g, " ")]).toEqual([
    1,
    expect.stringContaining("has to lead to a backend service"),
  ]);
});

test("another spelling of the same certificate map is a difference, which setCertificateMap sends", async () => {
  const project = "spelled";
  await makeSurroundings(project, "global", []);
  await standIn.cloud.call("POST", `v1/projects/${project}/locations/global/certificateMaps?certificateMapId=map`, {});
  const name = `projects/${project}/locations/global/certificateMaps/map`;
  const proxyOf = (map: string) =>
    stackOf(project, {
      google_compute_target_https_proxy: {
        main: { name: "front", url_map: `projects/${project}/global/urlMaps/urls`, certificate_map: map },
      },
    });
  await using terraform = await openTerraform(standIn.provider);
  await terraform.apply(proxyOf(`${host}${name}`));
  expect(await terraform.plan()).toBe(0);

  await terraform.write(proxyOf(`https://certificatemanager.googleapis.com/v1/${name}`));
  expect(await terraform.plan()).toBe(2);
  await terraform.succeed("apply", "-auto-approve", "-no-color");
  expect(mutationsOf(project).at(-1)).toBe("POST global/targetHttpsProxies/front/setCertificateMap");
});

describe("the SSL policy of a regional proxy", () => {
  const region = "europe-west1";
  const policies = (project: string) => `projects/${project}/regions/${region}/sslPolicies`;
  const proxyOf = (project: string, more: object) =>
    stackOf(project, {
      google_compute_region_target_https_proxy: {
        main: {
          name: "front",
          url_map: `projects/${project}/regions/${region}/urlMaps/urls`,
          certificate_manager_certificates: [`projects/${project}/locations/${region}/certificates/one`],
          ...more,
        },
      },
    });
  const makePolicies = async (project: string) => {
    for (const name of ["old", "new"]) await standIn.cloud.call("POST", `compute/v1/${policies(project)}`, { name });
  };
  const served = async (project: string) =>
    (await standIn.cloud.call("GET", `compute/v1/projects/${project}/regions/${region}/targetHttpsProxies/front`)).body;

  test("is changed by a PATCH with serverTlsPolicy null, which removes mutual TLS", async () => {
    const project = "policy-changed";
    await makeSurroundings(project, region, ["one"]);
    await makePolicies(project);
    const server_tls_policy = `//networksecurity.googleapis.com/projects/${project}/locations/${region}/serverTlsPolicies/m`;
    await using terraform = await openTerraform(standIn.provider);
    await terraform.apply(proxyOf(project, { server_tls_policy, ssl_policy: `${policies(project)}/old` }));
    expect(await served(project)).toMatchObject({ serverTlsPolicy: server_tls_policy });

    await terraform.write(proxyOf(project, { server_tls_policy, ssl_policy: `${policies(project)}/new` }));
    await terraform.run("apply", "-auto-approve", "-no-color");
    const after = await served(project);
    expect(after.sslPolicy).toMatch(/sslPolicies\/new$/);
    expect(after).not.toHaveProperty("serverTlsPolicy");
    // The next apply puts it back.
    expect(await terraform.plan()).toBe(2);
  });

  test("stays when it is removed from the configuration", async () => {
    const project = "policy-removed";
    await makeSurroundings(project, region, ["one"]);
    await makePolicies(project);
    await using terraform = await openTerraform(standIn.provider);
    await terraform.apply(proxyOf(project, { ssl_policy: `${policies(project)}/old` }));
    await terraform.write(proxyOf(project, {}));
    await terraform.run("apply", "-auto-approve", "-no-color");

    expect((await served(project)).sslPolicy).toMatch(/sslPolicies\/old$/);
    expect(await terraform.plan()).toBe(2);
  });
});
