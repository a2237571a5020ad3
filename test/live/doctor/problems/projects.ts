import { type DoctorProblem, inRegion, manyNames, refusing, reserving, statingProject, without } from "./make";

/** Problems with projects. */
export const projects: readonly DoctorProblem[] = [
  {
    title: "the project has no billing account",
    make: statingProject({ billingEnabled: false }),
    found: ({ project }) => [`billing-off ${project}`],
    says: ["has no open billing account", "link the project", /^gcloud billing projects describe p\d+$/],
  },
  {
    title: "an API is not enabled",
    make: async ({ cloud }, { project }) => {
      await cloud.make("POST", `/v1/projects/${project}/services/dns.googleapis.com:disable`, {});
      return undefined;
    },
    found: ({ project, domain }) => [`api-disabled ${project}`, `check-needs-api shop (${domain})`],
    says: ["dns.googleapis.com is not enabled", /^gcloud services enable dns\.googleapis\.com --project=p\d+$/],
  },
  {
    title: "the caller lacks a permission to make what comes next",
    make: statingProject({ deniedPermissions: ["dns.changes.create"] }),
    found: ({ project }) => [`permission-missing ${project}`],
    says: ["the caller lacks dns.changes.create", "grant roles/dns.admin", /--role=roles\/dns\.admin$/],
  },
  {
    title: "the caller is an editor of certificates, who may not delete",
    make: statingProject({ deniedPermissions: ["certificatemanager.*.delete"] }),
    found: ({ project }) => [`permission-to-delete-missing ${project}`],
    says: ["certificatemanager.certs.delete", "grant roles/certificatemanager.owner"],
  },
  {
    title: "a quota is used up",
    make: statingProject({ quotas: { TARGET_HTTPS_PROXIES: 0 } }),
    found: ({ project }) => [`quota-exceeded ${project}`],
    says: [/has 0 of 0 TARGET_HTTPS_PROXIES, and the migration makes 1 more/, "request a higher quota"],
  },
  {
    title: "a quota is all but used up",
    make: statingProject({ quotas: { FORWARDING_RULES: 1 } }),
    found: ({ project }) => [`quota-tight ${project}`],
    says: ["has 0 of 1 FORWARDING_RULES"],
  },
  {
    title: "the uptime checks of the alerts are more than a project has by default",
    spec: (spec) => ({ ...spec, alerts: {} }),
    make: async ({ cloud }, { project }) => {
      for (let number = 0; number < 90; number++) {
        await cloud.make("POST", `/v3/projects/${project}/uptimeCheckConfigs`, {
          displayName: `check ${number}`,
          timeout: "10s",
          monitoredResource: { type: "uptime_url", labels: { host: `n${number}.example.com` } },
        });
      }
      return undefined;
    },
    // The project of the world has not enabled Monitoring either.
    found: ({ project }) => [`api-disabled ${project}`, `quota-tight ${project}`],
    says: [/has 90 uptime checks, the migration makes 1 more, and 100 are the default quota/],
  },
  {
    title: "the caller may not see what is checked",
    make: refusing("dns.managedZones.list", "PERMISSION_DENIED"),
    found: ({ domain }) => [`check-denied shop (${domain})`],
    says: ["listing the DNS zones of project", "grant the viewer role"],
  },
  {
    title: "a service does not answer",
    make: refusing("cloudbilling.projects.getBillingInfo", "UNAVAILABLE"),
    found: ({ project }) => [`check-unanswered ${project}`],
    says: ["HTTP 503", "run the command again"],
  },
  {
    title: "a quota of the load balancer's region is used up",
    spec: inRegion,
    make: async (world, place, spec) => {
      await reserving({})(world, place, spec);
      return statingProject({ quotas: { EXTERNAL_MANAGED_FORWARDING_RULES: 0 } })(world, place, spec);
    },
    found: ({ project }) => [`quota-exceeded ${project}`],
    says: [
      /in europe-west1 has 0 of 0 EXTERNAL_MANAGED_FORWARDING_RULES, and the migration makes 1 more/,
      /^gcloud compute regions describe europe-west1 --project=p\d+$/,
    ],
  },
  {
    title: "so many resources are created that unpublished quotas and rates matter",
    records: (domain) => manyNames(domain).map((name) => [name, "A", 60, "198.51.100.1"]),
    spec: (spec, { domain }) => ({
      ...without(spec, "traffic"),
      dns: { kind: "external" },
      certificates: manyNames(domain).map((name) => ({ domains: [name] })),
    }),
    found: ({ project, domain }, { map }) => [
      `clients-without-sni ${map?.id}`,
      `dns-host-recognized ${domain}`,
      `issuance-many ${domain}`,
      `quota-unknown ${project}`,
      `quota-unknown ${project}`,
      `quota-unknown ${project}`,
      `request-rate ${project}`,
    ],
    says: [
      /has 0 DNS authorizations, and the migration makes 101 more$/,
      /has 0 entries in the certificate map, and the migration makes 101 more$/,
      /^101 certificates for shop\d+\.com are to be issued at once$/,
      /^making 303 resources takes 909 requests, of which 300 a minute are taken$/,
      /^count on 4 minutes for the first apply/,
      /^gcloud beta quotas info list --service=certificatemanager\.googleapis\.com --project=p\d+$/,
    ],
  },
];
