import { CertificateManagerCertificate } from "@cdktf/provider-google/lib/certificate-manager-certificate";
import { CertificateManagerCertificateMap } from "@cdktf/provider-google/lib/certificate-manager-certificate-map";
import { CertificateManagerCertificateMapEntry } from "@cdktf/provider-google/lib/certificate-manager-certificate-map-entry";
import { CertificateManagerDnsAuthorization } from "@cdktf/provider-google/lib/certificate-manager-dns-authorization";
import { ComputeTargetHttpsProxy } from "@cdktf/provider-google/lib/compute-target-https-proxy";
import { DnsRecordSet } from "@cdktf/provider-google/lib/dns-record-set";
import { GoogleProvider } from "@cdktf/provider-google/lib/provider";
import { App, Op, TerraformResource, TerraformStack } from "cdktf";
import type { Construct } from "constructs";
import { Certificate, DnsPublication, LoadBalancer, ManagedCertMigration } from "../lib";
import { splitMigration } from "../lib/plan";

type Gate = "wait" | "precondition";

/**
 * The same migration in several variants: with the constructs, split into stacks, and written with the classes of
 * cdktf, with each of two gates. Each certificate has a domain and its wildcard.
 */
export const variants = {
  constructs: withConstructs("wait"),
  constructsWithPrecondition: withConstructs("precondition"),
  fleet,
  byHand: byHand("wait"),
  byHandWithPrecondition: byHand("precondition"),
} as const;

type Synthesize = (count: number, outdir: string) => void;

function newStack(outdir: string): { readonly app: App; readonly stack: TerraformStack } {
  const app = new App({ outdir });
  const stack = new TerraformStack(app, "bench");
  new GoogleProvider(stack, "google", { project: "my-project" });
  return { app, stack };
}

const domain = (index: number) => `shop-${index}.example.com`;

function withConstructs(gate: Gate): Synthesize {
  return (count, outdir) => {
    const { app, stack } = newStack(outdir);
    new ManagedCertMigration(stack, "fleet", {
      gate,
      certificates: Array.from({ length: count }, (_, index) =>
        Certificate.managed({ domains: [domain(index), `*.${domain(index)}`] }),
      ),
      dns: DnsPublication.cloudDns({ zones: { "example.com": "example-com" } }),
      loadBalancer: LoadBalancer.globalExternal({ newTargetHttpsProxy: { urlMap: "web" } }),
    });
    app.synth();
  };
}

/** Stacks of at most 1,000 entries, each with its own map and proxy. */
function fleet(count: number, outdir: string): void {
  const app = new App({ outdir });
  const { stacks } = splitMigration(
    {
      name: "fleet",
      certificates: Array.from({ length: count }, (_, index) => ({ domains: [domain(index), `*.${domain(index)}`] })),
      dns: { kind: "cloudDns", zones: { "example.com": "example-com" } },
    },
    {
      maxEntriesPerMap: 1_000,
      loadBalancerOf: (stack) => ({ kind: "globalExternal", newTargetHttpsProxy: { urlMap: stack } }),
    },
  );
  for (const { name, spec } of stacks) {
    const stack = new TerraformStack(app, name);
    new GoogleProvider(stack, "google", { project: "my-project" });
    ManagedCertMigration.fromSpec(stack, "migration", spec);
  }
  app.synth();
}

/** A `terraform_data` as the constructs create it: without the version check that cdktf's class runs at synthesis. */
class Wait extends TerraformResource {
  readonly #certificateId: string;

  constructor(scope: Construct, id: string, certificateId: string) {
    super(scope, id, {
      terraformResourceType: "terraform_data",
      lifecycle: { createBeforeDestroy: true },
      provisioners: [
        {
          type: "local-exec",
          command: `npx --no-install cert-migration wait --certificate ${certificateId} --timeout 60m`,
        },
      ],
    });
    this.#certificateId = certificateId;
  }

  protected override synthesizeAttributes() {
    return { triggers_replace: [this.#certificateId] };
  }
}

function byHand(gate: Gate): Synthesize {
  return (count, outdir) => {
    const { app, stack } = newStack(outdir);
    const lifecycle = { createBeforeDestroy: true };
    const map = new CertificateManagerCertificateMap(stack, "map", {
      name: "fleet",
      description: "Certificates",
      lifecycle,
    });
    const entries: CertificateManagerCertificateMapEntry[] = [];
    for (let index = 0; index < count; index += 1) {
      const name = domain(index);
      const slug = `shop-${index}`;
      const authorization = new CertificateManagerDnsAuthorization(stack, `authorization-${slug}`, {
        name: slug,
        domain: name,
        type: "FIXED_RECORD",
        location: "global",
        description: `Authorizes certificates for ${name}`,
        lifecycle,
      });
      const challenge = authorization.dnsResourceRecord.get(0);
      const record = new DnsRecordSet(stack, `record-${slug}`, {
        managedZone: "example-com",
        name: challenge.name,
        type: "CNAME",
        ttl: 300,
        rrdatas: [challenge.data],
      });
      const certificate = new CertificateManagerCertificate(stack, `certificate-${slug}`, {
        name: slug,
        description: `Serves ${name}`,
        location: "global",
        scope: "DEFAULT",
        managed: { domains: [name, `*.${name}`], dnsAuthorizations: [authorization.id] },
        dependsOn: [record],
        lifecycle,
      });
      const gates = gate === "wait" ? [new Wait(stack, `wait-${slug}`, certificate.id)] : [];
      const { state } = certificate.managed;
      const precondition = [
        { condition: Op.eq(state, "ACTIVE"), errorMessage: `the certificate of ${name} is ${state}, not ACTIVE` },
      ];
      for (const [id, hostname] of [
        [slug, name],
        [`wildcard-${slug}`, `*.${name}`],
      ] as const) {
        entries.push(
          new CertificateManagerCertificateMapEntry(stack, `entry-${id}`, {
            name: id,
            map: map.name,
            hostname,
            certificates: [certificate.id],
            description: `Serves ${hostname}`,
            dependsOn: gates,
            lifecycle: gate === "wait" ? lifecycle : { ...lifecycle, precondition },
          }),
        );
      }
    }
    new ComputeTargetHttpsProxy(stack, "proxy", {
      name: "fleet",
      urlMap: "web",
      certificateMap: `//certificatemanager.googleapis.com/${map.id}`,
      dependsOn: entries,
      lifecycle,
    });
    app.synth();
  };
}
