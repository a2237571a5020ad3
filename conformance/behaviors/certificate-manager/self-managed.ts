import { defineGroup } from "../../behavior";
import { refusalOf } from "../../side";
import { aip, pages, providerFile } from "../../sources";
import { makeUpload, type Upload } from "../../uploads";

const collection = "certificatemanager.projects.locations.certificates";
const resource = providerFile("services/certificatemanager/resource_certificate_manager_certificate.go");

interface Fixture {
  readonly name: string;
  readonly upload: Upload;
}

export const selfManaged = defineGroup<Fixture>({
  service: "certificate-manager",
  concept: "self-managed",
  prepare: async (side) => {
    const upload = await makeUpload(side, [side.host("upload"), `*.${side.host("upload")}`]);
    const parameters = { parent: side.location(), certificateId: side.name("upload") };
    await side.run(`${collection}.create`, parameters, { selfManaged: upload });
    return { name: `${side.location()}/certificates/${side.name("upload")}`, upload };
  },
  behaviors: [
    {
      word: "key-hidden",
      statement: "An uploaded certificate is returned with its chain, and without its private key.",
      source: [pages.managerProto, resource],
      reliedOnBy: ["uploaded-certificate", "lib/google/live-certificate.ts"],
      expected: { selfManaged: {}, pemCertificate: "{pem}{pem}" },
      observe: async (side, { name }) => {
        const { selfManaged, pemCertificate } = await side.make(`${collection}.get`, { name });
        return { selfManaged, pemCertificate };
      },
    },
    {
      word: "names",
      statement: "`sanDnsnames` has the DNS names of the uploaded certificate, in its order.",
      source: pages.managerProto,
      reliedOnBy: ["uploaded-certificate"],
      expected: ["upload.{prefix}.{domain}", "*.upload.{prefix}.{domain}"],
      observe: async (side, { name }) => (await side.make(`${collection}.get`, { name })).sanDnsnames,
    },
    {
      word: "duplicate-id",
      statement: "A second certificate with the same name is refused with 409 ALREADY_EXISTS.",
      source: aip(133),
      reliedOnBy: ["applied-twice-at-once"],
      expected: { status: 409, code: "ALREADY_EXISTS" },
      observe: async (side, { upload }) => {
        const parameters = { parent: side.location(), certificateId: side.name("upload") };
        return refusalOf(await side.call(`${collection}.create`, parameters, { selfManaged: upload }));
      },
    },
  ],
});
