import { defineGroup } from "../../behavior";
import { isRefused, refusalOf } from "../../side";
import { aip, pages, providerFile } from "../../sources";
import { makeUpload, type Upload } from "../../uploads";
import { create, get, patch, tryCreate, tryPatch } from "./resources";

const service = "services/certificatemanager";
const resource = providerFile(`${service}/resource_certificate_manager_certificate.go`);
const examples = providerFile(`${service}/resource_certificate_manager_certificate_generated_test.go`);

const region = "us-central1";

interface Fixture {
  readonly name: string;
  readonly upload: Upload;
}

export const selfManaged = defineGroup<Fixture>({
  service: "certificate-manager",
  concept: "self-managed",
  prepare: async (side) => {
    const upload = await makeUpload(side, [side.host("upload"), `*.${side.host("upload")}`]);
    const body = { selfManaged: upload, description: "Global cert" };
    return { name: await create(side, "certificates", "upload", body), upload };
  },
  behaviors: [
    {
      word: "key-hidden",
      statement: "An uploaded certificate is returned with its chain, and without its private key.",
      source: [pages.managerProto, resource],
      reliedOnBy: ["uploaded-certificate", "lib/google/live-certificate.ts"],
      expected: { selfManaged: {}, pemCertificate: "{pem}{pem}" },
      observe: async (side, { name }) => {
        const { selfManaged, pemCertificate } = await get(side, name);
        return { selfManaged, pemCertificate };
      },
    },
    {
      word: "names",
      statement: "`sanDnsnames` has the DNS names of the uploaded certificate, in its order.",
      source: pages.managerProto,
      reliedOnBy: ["uploaded-certificate"],
      expected: ["upload.{prefix}.{domain}", "*.upload.{prefix}.{domain}"],
      observe: async (side, { name }) => (await get(side, name)).sanDnsnames,
    },
    {
      word: "expiry",
      statement: "`expireTime` is the end of the uploaded certificate, in UTC.",
      source: pages.managerProto,
      reliedOnBy: ["uploaded-expires-soon", "lib/google/live-certificate.ts"],
      expected: { expireTime: "{time}", daysLeft: 30 },
      observe: async (side, { name }) => {
        const { expireTime } = await get(side, name);
        const daysLeft = Math.round((Date.parse(String(expireTime)) - side.now().getTime()) / 86_400_000);
        return { expireTime, daysLeft };
      },
    },
    {
      word: "scope-default",
      statement: "The scope DEFAULT is left out of the answer.",
      source: [pages.managerProto, resource],
      reliedOnBy: ["lib/terraform-provider/resources/certificate-manager.ts"],
      expected: { hasScope: false },
      observe: async (side, { name }) => ({ hasScope: "scope" in (await get(side, name)) }),
    },
    {
      word: "all-regions",
      statement: "A global uploaded certificate keeps the scope ALL_REGIONS.",
      source: [resource, examples],
      reliedOnBy: ["cross-region-internal"],
      expected: "ALL_REGIONS",
      observe: async (side, { upload }) => {
        const body = { selfManaged: upload, scope: "ALL_REGIONS" };
        return (await get(side, await create(side, "certificates", "upload-all", body))).scope;
      },
    },
    {
      word: "regional",
      statement: "A certificate can be uploaded in a region.",
      source: [resource, examples],
      reliedOnBy: ["regional-external"],
      expected: "projects/{project}/locations/us-central1/certificates/{prefix}-upload-regional",
      observe: async (side, { upload }) => {
        const body = { selfManaged: upload, description: "Regional cert" };
        return (await get(side, await create(side, "certificates", "upload-regional", body, region))).name;
      },
    },
    {
      word: "scope-regional",
      statement: "A regional certificate with the scope ALL_REGIONS is refused.",
      source: resource,
      reliedOnBy: ["lib/plan/certificate-form.ts"],
      expected: true,
      observe: async (side, { upload }) => {
        const body = { selfManaged: upload, scope: "ALL_REGIONS" };
        return isRefused(await tryCreate(side, "certificates", "upload-wide", body, region));
      },
    },
    {
      word: "duplicate-id",
      statement: "A second certificate with the same name is refused with 409 ALREADY_EXISTS.",
      source: aip(133),
      reliedOnBy: ["applied-twice-at-once"],
      expected: { status: 409, code: "ALREADY_EXISTS" },
      observe: async (side, { upload }) =>
        refusalOf(await tryCreate(side, "certificates", "upload", { selfManaged: upload })),
    },
    {
      word: "wrong-key",
      statement: "An upload whose key does not belong to its certificate is refused.",
      source: pages.certificates,
      reliedOnBy: ["lib/plan/self-managed.ts"],
      expected: true,
      observe: async (side, { upload }) => {
        const { pemPrivateKey } = await makeUpload(side, [side.host("upload")]);
        const selfManaged = { ...upload, pemPrivateKey };
        return isRefused(await tryCreate(side, "certificates", "upload-key", { selfManaged }));
      },
    },
    {
      word: "without-key",
      statement: "An upload without a key is refused with 400 INVALID_ARGUMENT.",
      source: pages.certificates,
      reliedOnBy: ["lib/plan/self-managed.ts"],
      expected: { status: 400, code: "INVALID_ARGUMENT" },
      observe: async (side, { upload: { pemCertificate } }) =>
        refusalOf(await tryCreate(side, "certificates", "upload-bare", { selfManaged: { pemCertificate } })),
    },
    {
      word: "not-pem",
      statement: "An upload that is not PEM is refused with 400 INVALID_ARGUMENT.",
      source: pages.certificates,
      reliedOnBy: ["lib/plan/self-managed.ts"],
      expected: { status: 400, code: "INVALID_ARGUMENT" },
      observe: async (side, { upload }) => {
        const selfManaged = { ...upload, pemCertificate: "not a certificate" };
        return refusalOf(await tryCreate(side, "certificates", "upload-text", { selfManaged }));
      },
    },
    {
      word: "replaced-in-place",
      statement: "A patch with the mask `selfManaged` replaces certificate and key in place.",
      source: [resource, examples],
      reliedOnBy: ["uploaded-certificate-replaced"],
      expected: ["next.{prefix}.{domain}"],
      observe: async (side, { name }) => {
        await patch(side, name, "selfManaged", { selfManaged: await makeUpload(side, [side.host("next")]) });
        return (await get(side, name)).sanDnsnames;
      },
    },
    {
      word: "scope-immutable",
      statement: "A patch of the scope is refused with 400 INVALID_ARGUMENT.",
      source: [pages.managerProto, aip(203)],
      reliedOnBy: ["lib/plan/naming.ts"],
      expected: { status: 400, code: "INVALID_ARGUMENT" },
      observe: async (side, { name }) => refusalOf(await tryPatch(side, name, "scope", { scope: "ALL_REGIONS" })),
    },
    {
      word: "labels-cleared",
      statement: "A patch with the mask `labels` and no labels removes all labels.",
      source: aip(134),
      reliedOnBy: ["lib/terraform-provider/resources/certificate-manager.ts"],
      expected: { before: { team: "web" }, after: {} },
      observe: async (side, { name }) => {
        await patch(side, name, "labels", { labels: { team: "web" } });
        const before = (await get(side, name)).labels;
        await patch(side, name, "labels", {});
        return { before, after: (await get(side, name)).labels ?? {} };
      },
    },
  ],
});
