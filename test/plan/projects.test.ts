import { planMigration } from "../../lib/plan";
import { adoptedProxy } from "../support/adopted-proxy";
import { makeClientPki } from "../support/client-certificates";

const { root } = makeClientPki();
const adopted = adoptedProxy();

/** Plans resources of all kinds whose project has two sources. */
function projectsOf(own: { readonly certificates?: string; readonly loadBalancer?: string; readonly proxy?: string }) {
  const withProject = (project: string | undefined) => (project === undefined ? {} : { project });
  const { findings, authorizations, records, certificates, issuanceConfigs, map, attachment } = planMigration({
    name: "shop",
    project: "project-of-migration",
    certificates: [
      { domains: ["shop.example.com"], ...withProject(own.certificates) },
      {
        kind: "privateCa",
        domains: ["shop.corp.internal"],
        caPool: "projects/pools/locations/europe-west6/caPools/internal",
        ...withProject(own.certificates),
      },
    ],
    dns: { kind: "external" },
    loadBalancer: {
      kind: "globalExternal",
      ...withProject(own.loadBalancer),
      adoptTargetHttpsProxies: [
        {
          ...adopted,
          clientAuthentication: { mode: "ALLOW_INVALID_OR_MISSING_CLIENT_CERT", trustAnchors: [root.pem] },
          ...withProject(own.proxy),
        },
      ],
    },
  });
  const projectsIn = (list: readonly { readonly project?: string }[] | undefined) =>
    list?.map(({ project }) => project);
  expect(findings.filter(({ severity }) => severity === "error")).toEqual([]);
  return {
    authorizations: projectsIn(authorizations),
    records: projectsIn(records),
    certificates: projectsIn(certificates),
    issuanceConfigs: projectsIn(issuanceConfigs),
    map: map && projectsIn([map]),
    attachment: projectsIn([attachment]),
    clientAuthentications: projectsIn(attachment.clientAuthentications),
  };
}

const [ofMigration, ofCertificate, ofLoadBalancer, ofProxy] = [
  "project-of-migration",
  "project-of-certificate",
  "project-of-load-balancer",
  "project-of-proxy",
] as const;

describe("a resource is in", () => {
  test("the project of the migration, unless a project is nearer", () => {
    expect(projectsOf({})).toEqual({
      authorizations: [ofMigration],
      records: [ofMigration],
      certificates: [ofMigration, ofMigration],
      issuanceConfigs: [ofMigration],
      map: [ofMigration],
      attachment: [ofMigration],
      clientAuthentications: [ofMigration],
    });
  });

  test("the project of its certificate or load balancer, before the project of the migration", () => {
    expect(projectsOf({ certificates: ofCertificate, loadBalancer: ofLoadBalancer })).toEqual({
      authorizations: [ofCertificate],
      records: [ofCertificate],
      certificates: [ofCertificate, ofCertificate],
      issuanceConfigs: [ofCertificate],
      map: [ofMigration],
      attachment: [ofLoadBalancer],
      clientAuthentications: [ofLoadBalancer],
    });
  });

  test("the project of its adopted proxy, before all others", () => {
    const { attachment, clientAuthentications } = projectsOf({ loadBalancer: ofLoadBalancer, proxy: ofProxy });
    expect({ attachment, clientAuthentications }).toEqual({
      attachment: [ofLoadBalancer],
      clientAuthentications: [ofProxy],
    });
  });
});
