import type { CertificateSpec, MigrationSpec } from "../../../lib/plan";
import { type Scenario, type SceneAct, smallSpec, unharmed } from "./scenario";
import { afterwards, answered } from "./shown";

const certificateManager = "certificatemanager.projects.locations";

/** Deploys a changed migration in place of the deployed one, and checks every hostname. */
function change(name: string, changed: (spec: MigrationSpec) => MigrationSpec): SceneAct {
  return {
    name,
    run: async (stage, scene) => {
      const deployed = await scene.deploy(stage, changed(scene.spec));
      await stage.prober.everyHostname();
      return deployed;
    },
  };
}

/** Changes the selected certificates of {@link smallSpec}. */
function changeCertificates(
  spec: MigrationSpec,
  changed: (certificate: CertificateSpec) => readonly CertificateSpec[],
): MigrationSpec {
  return { ...spec, certificates: spec.certificates.flatMap(changed) };
}

const isPay = ({ domains = [] }: CertificateSpec) => domains.includes("pay.example.net");

const split = change("shop.example.net gets a certificate of its own", (spec) =>
  changeCertificates(spec, (each) =>
    isPay(each)
      ? [
          { ...each, domains: ["pay.example.net"] },
          { name: "own", domains: ["shop.example.net"] },
        ]
      : [each],
  ),
);

const withApi: MigrationSpec = {
  ...smallSpec,
  certificates: [...smallSpec.certificates, { name: "api", domains: ["api.example.com", "api.example.net"] }],
};

/** Changes of a migration that serves traffic, without downtime. */
export const changeScenarios: readonly Scenario[] = [
  {
    name: "domain-added",
    summary: "a domain is added to a certificate that serves",
    extras: true,
    proofs: [answered(`${certificateManager}.certificates.create`, "certificates created, one of them anew", 3)],
    expect: unharmed,
  },
  {
    name: "domain-removed",
    summary: "a domain is removed from a certificate; from then on a wildcard serves the name",
    spec: withApi,
    acts: [
      change("api.example.com is left to the wildcard", (spec) =>
        changeCertificates(spec, (each) => [each.name === "api" ? { ...each, domains: ["api.example.net"] } : each]),
      ),
    ],
    proofs: [answered(`${certificateManager}.certificateMaps.certificateMapEntries.delete`, "entries deleted")],
    expect: unharmed,
  },
  {
    name: "certificate-removed",
    summary: "a certificate and all its entries are removed; from then on a wildcard serves the name",
    spec: { ...withApi, certificates: [...smallSpec.certificates, { name: "api", domains: ["api.example.com"] }] },
    acts: [
      change("the certificate is left out", (spec) =>
        changeCertificates(spec, (each) => (each.name === "api" ? [] : [each])),
      ),
    ],
    proofs: [answered(`${certificateManager}.certificates.delete`, "certificates deleted")],
    expect: unharmed,
  },
  {
    name: "domain-moved",
    summary: "a domain moves to a certificate of its own, and back",
    acts: [split, change("and goes back", (spec) => spec)],
    proofs: [answered(`${certificateManager}.certificateMaps.certificateMapEntries.patch`, "entries repointed", 4)],
    expect: unharmed,
  },
  {
    name: "deleted-before-front-ends-know",
    summary:
      "a domain moves to another certificate while changes take a minute to reach front ends, and deleted certificates are gone there at once",
    behavior: { propagationMs: 240_000, deletedCertificates: "gone at once" },
    acts: [split],
    proofs: [
      afterwards(
        `${certificateManager}.certificates.delete`,
        `${certificateManager}.certificateMaps.certificateMapEntries.patch`,
        (seconds) => seconds >= 230,
        "certificates deleted when front ends knew of what replaces them",
      ),
    ],
    expect: unharmed,
  },
  {
    name: "domains-swapped",
    summary: "two certificates swap their domains in one apply",
    spec: {
      ...smallSpec,
      certificates: [
        { name: "one", domains: ["pay.example.net", "www.example.com"] },
        { name: "two", domains: ["shop.example.net", "api.example.com"] },
      ],
    },
    acts: [
      change("each gets the other's", (spec) =>
        changeCertificates(spec, (each) => [
          {
            ...each,
            domains:
              each.name === "one" ? ["shop.example.net", "api.example.com"] : ["pay.example.net", "www.example.com"],
          },
        ]),
      ),
    ],
    proofs: [answered(`${certificateManager}.certificateMaps.certificateMapEntries.patch`, "entries repointed", 4)],
    expect: unharmed,
  },
  {
    name: "certificate-renamed",
    summary: "a certificate gets another name, and with it another address in Terraform",
    acts: [
      change("it is called 'pay'", (spec) =>
        changeCertificates(spec, (each) => [isPay(each) ? { ...each, name: "pay" } : each]),
      ),
    ],
    proofs: [answered(`${certificateManager}.certificates.delete`, "certificates deleted")],
    expect: unharmed,
  },
  {
    name: "certificates-issued-anew",
    summary: "all certificates get another generation",
    acts: [change("generation 1", (spec) => changeCertificates(spec, (each) => [{ ...each, generation: 1 }]))],
    proofs: [answered(`${certificateManager}.certificates.delete`, "certificates deleted", 2)],
    expect: unharmed,
  },
  {
    name: "map-replaced",
    summary: "the prefix of all names changes: certificates, map, entries and proxy are replaced under the traffic",
    acts: [change("another prefix", (spec) => ({ ...spec, namePrefix: "next" }))],
    proofs: [answered(`${certificateManager}.certificateMaps.delete`, "maps deleted")],
    expect: unharmed,
  },
  {
    name: "uploaded-certificate-replaced",
    summary: "an uploaded certificate is replaced by another upload, then by a managed one",
    uploads: [["legacy.example.com"]],
    acts: [
      {
        name: "another upload",
        run: async (stage, scene) => {
          const next = await scene.upload(["legacy.example.com"]);
          return scene.deploy(
            stage,
            changeCertificates(scene.spec, (each) => ["certificatePem" in each ? next.spec : each]),
          );
        },
      },
      change("a managed one in its place", (spec) =>
        changeCertificates(spec, ({ domains = [] }) => [{ kind: "managed", domains }]),
      ),
    ],
    proofs: [answered(`${certificateManager}.certificates.delete`, "certificates deleted", 2)],
    expect: unharmed,
  },
  {
    name: "deletion-of-the-whole",
    summary:
      "traffic is rolled back, its records leave the state, and everything else is destroyed while all names are served",
    acts: [
      {
        name: "traffic goes back, and all is destroyed but its records",
        run: async (stage, scene) => {
          const back = { phase: "serve", traffic: "previous", rotated: false, reissues: 0 } as const;
          if (!(await stage.moveTraffic(back))) return false;
          const records = trafficRecordsOf(scene.stackOf(scene.script.specOf(back)));
          const { exitCode } = await stage.terraform.run("state", "rm", ...records);
          const destroyed = exitCode === 0 && (await stage.terraform.destroy()).exitCode === 0;
          await stage.pass(120);
          await stage.prober.everyHostname();
          return destroyed;
        },
      },
    ],
    proofs: [answered(`${certificateManager}.dnsAuthorizations.delete`, "authorizations deleted")],
    expect: unharmed,
  },
];

/** Returns the addresses of the record sets of step 8 in a stack, which an `import` block imports. */
function trafficRecordsOf({ import: imports = [] }: Readonly<Record<string, unknown>>): readonly string[] {
  return (imports as readonly { readonly to: string }[])
    .map(({ to }) => to)
    .filter((to) => to.startsWith("google_dns_record_set."));
}
