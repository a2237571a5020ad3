import { X509Certificate } from "node:crypto";
import { defineGroup } from "../../behavior";
import { type Json, refusalOf, type Side } from "../../side";
import { caPages, pages, protoFile } from "../../sources";
import { caMethods, poolMethods } from "./fixtures";
import { sharedConfig } from "./issuance-configs";

const collection = "certificatemanager.projects.locations.certificates";
const iam = "https://cloud.google.com/certificate-manager/docs/configure-cas";
const dayMs = 86_400_000;

interface Fixture {
  readonly name: string;
  readonly config: string;
  readonly ca: string;
  readonly certificate: Json;
}

/** Lets the service agent of Certificate Manager request certificates from the pool. */
async function grant(side: Side, pool: string): Promise<void> {
  const { name } = await side.make("cloudresourcemanager.projects.get", { name: `projects/${side.project}` });
  const number = String(name).split("/").at(-1);
  const member = `serviceAccount:service-${number}@gcp-sa-certificatemanager.iam.gserviceaccount.com`;
  const policy = { bindings: [{ role: "roles/privateca.certificateRequester", members: [member] }] };
  await side.make(`${poolMethods}.setIamPolicy`, { resource: pool }, { policy });
}

export const issuedCertificates = defineGroup<Fixture>({
  service: "private-ca",
  concept: "issued-certificates",
  needs: ["private-ca", "issuance"],
  prepare: async (side) => {
    const { name: config, pool, ca } = await sharedConfig(side);
    await grant(side, pool);
    const parameters = { parent: side.location(), certificateId: side.name("private") };
    await side.run(`${collection}.create`, parameters, {
      managed: { domains: [side.host("internal")], issuanceConfig: config },
    });
    const name = `${side.location()}/certificates/${side.name("private")}`;
    const { value } = await side.eventually(
      () => side.make(`${collection}.get`, { name }),
      ({ managed }) => (managed as Json).state !== "PROVISIONING",
      { withinMs: 20 * 60_000 },
    );
    return { name, config, ca, certificate: value };
  },
  behaviors: [
    {
      word: "active",
      statement: "A certificate of an issuance config becomes `ACTIVE` without a DNS authorization.",
      source: [pages.managerProto, caPages.issuanceConfigs],
      reliedOnBy: ["private-ca-disabled-then-enabled", "lib/plan/issuance.ts"],
      expected: "ACTIVE",
      observe: async (_, { certificate }) => (certificate.managed as Json).state,
    },
    {
      word: "lifetime",
      statement: "A certificate of an issuance config lasts as long as the config states.",
      source: protoFile("cloud/certificatemanager/v1/certificate_issuance_config.proto"),
      reliedOnBy: ["ca-pool-lifetime-short", "renewal-overdue"],
      expected: { lifetimeDays: 21 },
      observe: async (_, { certificate }) => {
        const { expireTime, createTime } = certificate;
        return { lifetimeDays: Math.round((Date.parse(String(expireTime)) - Date.parse(String(createTime))) / dayMs) };
      },
    },
    {
      word: "signed-by-ca",
      statement: "The leaf of a certificate is signed by the CA of the pool.",
      source: caPages.states,
      reliedOnBy: ["trust-pool-unknown", "lib/google/private-cas.ts"],
      expected: true,
      observe: async (side, { certificate, ca }) => {
        const { pemCaCertificates } = await side.make(`${caMethods}.get`, { name: ca });
        const [root = ""] = pemCaCertificates as readonly string[];
        const leaf = new X509Certificate(String(certificate.pemCertificate));
        return leaf.verify(new X509Certificate(root).publicKey);
      },
    },
    {
      word: "names",
      statement: "`sanDnsnames` has the domains of the certificate.",
      source: pages.managerProto,
      reliedOnBy: ["private-ca-public-name"],
      expected: ["internal.{prefix}.{domain}"],
      observe: async (_, { certificate }) => certificate.sanDnsnames,
    },
    {
      word: "config-in-use",
      statement: "An issuance config that a certificate uses can't be deleted: 400 FAILED_PRECONDITION.",
      source: [iam, caPages.issuanceConfigs],
      reliedOnBy: ["issuance-config-deleted"],
      expected: { status: 400, code: "FAILED_PRECONDITION" },
      observe: async (side, { config }) => {
        const method = "certificatemanager.projects.locations.certificateIssuanceConfigs.delete";
        return refusalOf(await side.call(method, { name: config }));
      },
    },
  ],
});
