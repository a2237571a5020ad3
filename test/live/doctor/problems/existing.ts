import { makeCertificate } from "../../../support/make-certificate";
import { type DoctorProblem, makeMap, without, wwwOf } from "./make";

/** Problems with resources that the migration expects to exist. */
export const existing: readonly DoctorProblem[] = [
  {
    title: "a map that is to be added to is not there",
    spec: (spec, { project }) => ({
      ...spec,
      existingCertificateMap: `projects/${project}/locations/global/certificateMaps/none`,
    }),
    found: ({ project }) => [`existing-missing projects/${project}/locations/global/certificateMaps/none`],
    says: ["correct its id"],
  },
  {
    title: "an authorization that is to be used is not there",
    spec: (spec, { project, domain }) => ({
      ...spec,
      existingAuthorizations: { [domain]: `projects/${project}/locations/global/dnsAuthorizations/none` },
    }),
    found: ({ project }) => [`existing-missing projects/${project}/locations/global/dnsAuthorizations/none`],
    says: [/^there is no projects\/p\d+\/locations\/global\/dnsAuthorizations\/none$/],
  },
  {
    title: "a certificate that is to be used is not issued",
    spec: (spec, { project, domain }) => ({
      ...without(spec, "traffic"),
      certificates: [
        {
          domains: [domain],
          existingCertificateId: `projects/${project}/locations/global/certificates/early`,
          primary: true,
        },
      ],
    }),
    make: async ({ cloud }, { project, domain }) => {
      const parent = `projects/${project}/locations/global`;
      await cloud.make("POST", `/v1/${parent}/dnsAuthorizations?dnsAuthorizationId=early`, { domain });
      await cloud.make("POST", `/v1/${parent}/certificates?certificateId=early`, {
        managed: { domains: [domain], dnsAuthorizations: [`${parent}/dnsAuthorizations/early`] },
      });
      return undefined;
    },
    found: ({ project }) => [`existing-not-active projects/${project}/locations/global/certificates/early`],
    says: ["is PROVISIONING", "wait until it is ACTIVE"],
  },
  {
    title: "an uploaded certificate that serves already has used nine tenths of its lifetime",
    spec: (spec, { project, domain }) => ({
      ...without(spec, "traffic"),
      certificates: [
        {
          domains: [domain],
          existingCertificateId: `projects/${project}/locations/global/certificates/ending`,
          primary: true,
        },
      ],
    }),
    make: async ({ cloud }, { project, domain }) => {
      const validity = { notBefore: new Date("2026-08-24T12:00:00Z"), notAfter: new Date("2026-11-26T12:00:00Z") };
      const { certificatePem, privateKeyPem } = makeCertificate([domain], validity);
      await cloud.make("POST", `/v1/projects/${project}/locations/global/certificates?certificateId=ending`, {
        selfManaged: { pemCertificate: certificatePem, pemPrivateKey: privateKeyPem },
      });
      return undefined;
    },
    found: ({ project }) => [`uploaded-expires-soon projects/${project}/locations/global/certificates/ending`],
    says: [/: 5 days left, until 2026-11-26$/, "upload its successor now"],
  },
  {
    title: "a certificate that is to be used is issued only after traffic has moved",
    spec: (spec, { project, domain }) => ({
      ...without(spec, "traffic"),
      certificates: [
        {
          domains: [domain],
          existingCertificateId: `projects/${project}/locations/global/certificates/waiting`,
          primary: true,
        },
      ],
    }),
    make: async ({ cloud }, { project, domain }) => {
      const parent = `projects/${project}/locations/global`;
      await cloud.make("POST", `/v1/${parent}/certificates?certificateId=waiting`, { managed: { domains: [domain] } });
      return undefined;
    },
    found: ({ project }) => [`existing-awaits-traffic projects/${project}/locations/global/certificates/waiting`],
    says: ["is PROVISIONING and has no DNS authorizations", "remove it"],
  },
  {
    title: "a certificate that is to be used lacks a name",
    spec: (spec, { project, domain }) => ({
      ...spec,
      certificates: [
        {
          domains: [domain, wwwOf({ domain })],
          existingCertificateId: `projects/${project}/locations/global/certificates/old`,
          primary: true,
        },
      ],
    }),
    make: async (world, place) => {
      await makeMap(world, place, place.domain);
      return undefined;
    },
    found: ({ project }) => [`existing-names-missing projects/${project}/locations/global/certificates/old`],
    says: [/is for shop\d+\.com, and not for www\.shop\d+\.com$/],
  },
  {
    title: "a certificate that is to be used is for Media CDN",
    spec: (spec, { project, domain }) => ({
      ...without(spec, "traffic"),
      certificates: [
        {
          domains: [domain],
          existingCertificateId: `projects/${project}/locations/global/certificates/edge`,
          primary: true,
        },
      ],
    }),
    make: async ({ cloud }, { project, domain }) => {
      const { certificatePem, privateKeyPem } = makeCertificate([domain]);
      await cloud.make("POST", `/v1/projects/${project}/locations/global/certificates?certificateId=edge`, {
        scope: "EDGE_CACHE",
        selfManaged: { pemCertificate: certificatePem, pemPrivateKey: privateKeyPem },
      });
      await cloud.clock.advance(1_000);
      return undefined;
    },
    found: ({ project }) => [`existing-scope-mismatch projects/${project}/locations/global/certificates/edge`],
    says: [
      /has the scope EDGE_CACHE, and globalExternal takes certificates of the scope DEFAULT$/,
      /^gcloud certificate-manager certificates describe edge --location=global --project=p\d+$/,
    ],
  },
];
