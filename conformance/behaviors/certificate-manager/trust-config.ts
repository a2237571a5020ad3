import { defineGroup } from "../../behavior";
import { type Json, refusalOf, type Side } from "../../side";
import { aip, pages, providerFile } from "../../sources";
import { makeUpload } from "../../uploads";
import { create, get, nameOf, patch, tryCreate, tryPatch } from "./resources";

const tests = providerFile("services/certificatemanager/resource_certificate_manager_trust_config_test.go");
const examples = providerFile(
  "services/certificatemanager/resource_certificate_manager_trust_config_generated_test.go",
);
const reference = `${pages.managerRest}/v1/projects.locations.trustConfigs`;
const remove = "certificatemanager.projects.locations.trustConfigs.delete";

interface Fixture {
  readonly name: string;
  readonly anchor: string;
}

/** Returns one certificate of a chain: a trust anchor is any certificate of a CA. */
async function makeAnchor(side: Side): Promise<string> {
  const { pemCertificate } = await makeUpload(side, [side.host("anchor")]);
  return `${pemCertificate.split("-----END CERTIFICATE-----").at(-2)?.trim()}\n-----END CERTIFICATE-----\n`;
}

export const trustConfig = defineGroup<Fixture>({
  service: "certificate-manager",
  concept: "trust-config",
  prepare: async (side) => {
    const anchor = await makeAnchor(side);
    const trustStores = [{ trustAnchors: [{ pemCertificate: anchor }] }];
    const body = { description: "sample description for the trust config", trustStores };
    return { name: await create(side, "trustConfigs", "trust", body), anchor };
  },
  behaviors: [
    {
      word: "resource",
      statement: "A trust config is returned with its certificates and an etag.",
      source: [reference, tests],
      reliedOnBy: ["mutual-tls-required", "lib/terraform-provider/resources/certificate-manager.ts"],
      expected: {
        name: "projects/{project}/locations/global/trustConfigs/{prefix}-trust",
        description: "sample description for the trust config",
        trustStores: [{ trustAnchors: [{ pemCertificate: "{pem}" }] }],
        etag: "{etag}",
        createTime: "{time}",
        updateTime: "{time}",
      },
      observe: (side, { name }) => get(side, name),
    },
    {
      word: "update",
      statement: "A patch with the masks `description` and `allowlistedCertificates` adds certificates in place.",
      source: tests,
      reliedOnBy: ["mutual-tls-required"],
      expected: { description: "sample description for the trust config 2", allowlisted: 1, anchors: 1 },
      observe: async (side, { name, anchor }) => {
        const body = {
          description: "sample description for the trust config 2",
          allowlistedCertificates: [{ pemCertificate: anchor }],
        };
        await patch(side, name, "description,allowlistedCertificates", body);
        const after = await get(side, name);
        const { allowlistedCertificates = [], trustStores = [] } = after as Readonly<Record<string, readonly Json[]>>;
        return {
          description: after.description,
          allowlisted: allowlistedCertificates.length,
          anchors: trustStores.length,
        };
      },
    },
    {
      word: "stores-replaced",
      statement:
        "A patch with the masks `trustStores` and `labels` replaces anchors, intermediate CAs and labels in place.",
      source: tests,
      reliedOnBy: ["lib/terraform-provider/resources/certificate-manager.ts"],
      expected: { anchors: true, intermediates: true, labels: { bar: "foo" } },
      observe: async (side, { name }) => {
        const pemCertificate = await makeAnchor(side);
        const store = { trustAnchors: [{ pemCertificate }], intermediateCas: [{ pemCertificate }] };
        await patch(side, name, "labels", { labels: { foo: "bar" } });
        await patch(side, name, "trustStores,labels", { trustStores: [store], labels: { bar: "foo" } });
        const { trustStores, labels } = await get(side, name);
        const [found] = trustStores as readonly (typeof store)[];
        const isKept = (certificates: typeof store.trustAnchors | undefined) =>
          certificates?.length === 1 && certificates[0]?.pemCertificate.trim() === pemCertificate.trim();
        return { anchors: isKept(found?.trustAnchors), intermediates: isKept(found?.intermediateCas), labels };
      },
    },
    {
      word: "regional",
      statement: "A trust config can be in a region, with one certificate as anchor and as intermediate CA.",
      source: examples,
      reliedOnBy: ["regional-external", "lib/plan/client-authentication.ts"],
      expected: {
        name: "projects/{project}/locations/us-central1/trustConfigs/{prefix}-trust-regional",
        labels: { foo: "bar" },
        trustStores: [{ trustAnchors: [{ pemCertificate: "{pem}" }], intermediateCas: [{ pemCertificate: "{pem}" }] }],
      },
      observe: async (side, { anchor: pemCertificate }) => {
        const trustStores = [{ trustAnchors: [{ pemCertificate }], intermediateCas: [{ pemCertificate }] }];
        const body = { trustStores, labels: { foo: "bar" } };
        const found = await get(side, await create(side, "trustConfigs", "trust-regional", body, "us-central1"));
        return { name: found.name, labels: found.labels, trustStores: found.trustStores };
      },
    },
    {
      word: "allowlist-only",
      statement: "A trust config may have allowlisted certificates and no trust store.",
      source: examples,
      reliedOnBy: ["lib/plan/client-authentication.ts"],
      expected: { allowlisted: 2, hasStores: false },
      observe: async (side, { anchor }) => {
        const allowlistedCertificates = [{ pemCertificate: anchor }, { pemCertificate: await makeAnchor(side) }];
        const name = await create(side, "trustConfigs", "trust-allowlist", { allowlistedCertificates });
        const found = await get(side, name);
        const { length } = found.allowlistedCertificates as readonly unknown[];
        return { allowlisted: length, hasStores: "trustStores" in found };
      },
    },
    {
      word: "etag-changes",
      statement: "A change gives a trust config another etag.",
      source: reference,
      reliedOnBy: ["lib/cloud/certificate-manager/trust-configs.ts"],
      expected: true,
      observe: async (side, { name }) => {
        const before = await get(side, name);
        await patch(side, name, "description", { description: "another etag" });
        return before.etag !== (await get(side, name)).etag;
      },
    },
    {
      word: "etag-of-patch",
      statement: "A patch with an old etag is refused with 409 ABORTED.",
      source: [reference, aip(154)],
      reliedOnBy: ["lib/cloud/certificate-manager/resource-handlers.ts"],
      expected: { status: 409, code: "ABORTED" },
      observe: async (side, { name }) =>
        refusalOf(await tryPatch(side, name, "description", { description: "late", etag: "b3V0ZGF0ZWQ" })),
    },
    {
      word: "etag-of-deletion",
      statement: "A deletion with an old etag is refused with 409 ABORTED.",
      source: [reference, aip(154)],
      reliedOnBy: ["lib/cloud/certificate-manager/resource-handlers.ts"],
      expected: { status: 409, code: "ABORTED" },
      observe: async (side, { name }) => refusalOf(await side.call(remove, { name, etag: "b3V0ZGF0ZWQ" })),
    },
    {
      word: "two-stores",
      statement: "A trust config with two trust stores is refused with 400 INVALID_ARGUMENT.",
      source: reference,
      reliedOnBy: ["lib/plan/client-authentication.ts"],
      expected: { status: 400, code: "INVALID_ARGUMENT" },
      observe: async (side, { anchor }) => {
        const store = { trustAnchors: [{ pemCertificate: anchor }] };
        return refusalOf(await tryCreate(side, "trustConfigs", "trust-two", { trustStores: [store, store] }));
      },
    },
    {
      word: "not-pem",
      statement: "A trust anchor that is not PEM is refused with 400 INVALID_ARGUMENT.",
      source: pages.trustConfigs,
      reliedOnBy: ["client-authentication-pem-unusable"],
      expected: { status: 400, code: "INVALID_ARGUMENT" },
      observe: async (side) => {
        const trustStores = [{ trustAnchors: [{ pemCertificate: "not a certificate" }] }];
        return refusalOf(await tryCreate(side, "trustConfigs", "trust-text", { trustStores }));
      },
    },
    {
      word: "deletion",
      statement: "A trust config that no policy uses can be deleted.",
      source: pages.trustConfigs,
      reliedOnBy: ["left-behind"],
      expected: { status: 404, code: "NOT_FOUND" },
      observe: async (side, { anchor }) => {
        const trustStores = [{ trustAnchors: [{ pemCertificate: anchor }] }];
        const name = await create(side, "trustConfigs", "trust-gone", { trustStores });
        await side.run(remove, { name });
        const method = "certificatemanager.projects.locations.trustConfigs.get";
        return refusalOf(await side.call(method, { name: nameOf(side, "trustConfigs", "trust-gone") }));
      },
    },
  ],
});
