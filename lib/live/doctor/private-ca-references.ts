import { plannedIssuer } from "../../plan";
import { gcloud } from "../../text/command-line";
import { locationFlags } from "./compute-names";
import { literal, parentIdOf } from "./plan-mentions";
import { amongNames, type ReferenceKind } from "./reference-kind";
import { managerIdOf, namedBy } from "./stack-references";

const issuanceConfigType = "google_certificate_manager_certificate_issuance_config";

export const privateCaReferences: readonly ReferenceKind[] = [
  {
    noun: "CA pool",
    of: (_subject, plan) =>
      (plan?.issuanceConfigs ?? []).flatMap(({ caPool }) =>
        literal(caPool) ? { id: caPool, by: "CA pool of the certificate" } : [],
      ),
    inStack: {
      types: ["google_privateca_ca_pool"],
      namedBy: namedBy(
        [issuanceConfigType],
        "certificate_authority_config.certificate_authority_service_config.ca_pool",
      ),
      idOf: managerIdOf("caPools"),
    },
    inOutputs: ({ certificates }) => certificates.private.flatMap(({ issuer }) => issuer.caPool ?? []),
    find: async (id, { options: { google, signal } }) =>
      (await google.privateCas.pool(id, signal)) === undefined
        ? { isThere: false, others: await google.privateCas.poolsIn(parentIdOf(id), signal) }
        : { isThere: true },
    check: { name: "caPools", subject: (id) => id },
    command: (id) => gcloud("privateca pools list", ...locationFlags(id)),
  },
  {
    noun: "issuance config",
    of: (_subject, plan) =>
      (plan?.certificates ?? []).flatMap((certificate) => {
        const issuer = plan === undefined ? undefined : plannedIssuer(certificate, plan);
        if (issuer === undefined || !("existingIssuanceConfig" in issuer)) return [];
        const { existingIssuanceConfig: id } = issuer;
        return literal(id) ? { id, by: `issuance config of certificate '${certificate.id}'` } : [];
      }),
    inStack: {
      types: [issuanceConfigType],
      namedBy: namedBy(["google_certificate_manager_certificate"], "managed.issuance_config"),
      idOf: managerIdOf("certificateIssuanceConfigs"),
    },
    inOutputs: ({ certificates }) => certificates.private.flatMap(({ issuer }) => issuer.existingIssuanceConfig ?? []),
    find: (id, { options: { google, signal } }) =>
      amongNames(id, google.privateCas.issuanceConfigs(parentIdOf(id), signal)),
    check: { name: "caPools", subject: (id) => id },
    command: (id) => gcloud("certificate-manager issuance-configs list", ...locationFlags(id)),
  },
];
