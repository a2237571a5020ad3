import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeZone, startTestCloud, type TestCloud } from "../support/cloud";
import { runCli } from "../support/io";
import { serve } from "../support/loopback";

/** What the doctor reports, by code and subject, errors first. */
interface Examined {
  readonly exitCode: number;
  readonly found: readonly string[];
  /** All findings as JSON. */
  readonly text: string;
}

/**
 * The surroundings of a migration of `example.com` in project `shop-1`: zone, records, backend service, URL map,
 * addresses.
 */
export interface DoctorWorld extends AsyncDisposable {
  readonly cloud: TestCloud;
  /** Writes a file and runs the doctor with its path. @param endpoint @default the cloud with all kinds of resources */
  readonly examine: (option: string, file: string, content: unknown, endpoint?: string) => Promise<Examined>;
}

/** Resources of kinds that the cloud does not emulate, by the end of the path of their list. */
const further: Readonly<Record<string, object>> = {
  "global/sslPolicies": { items: [{ name: "modern" }] },
  "global/networks": { items: [{ name: "default" }] },
  "regions/europe-west1/subnetworks": { items: [{ name: "proxies" }] },
  "locations/global/serverTlsPolicies": {
    serverTlsPolicies: [{ name: "projects/1/locations/global/serverTlsPolicies/mutual" }],
  },
};

export async function startDoctorWorld(): Promise<DoctorWorld> {
  const folder = mkdtempSync(join(tmpdir(), "defects-doctor-"));
  const cloud = await startTestCloud();
  // The same cloud, with the kinds of resources that it does not emulate.
  const whole = await serve(async (request, response) => {
    const [at = ""] = (request.url ?? "").split("?");
    const listed = Object.entries(further).find(([end]) => at.endsWith(`/projects/shop-1/${end}`));
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = "GET" } = request;
    const body = method === "GET" ? {} : { body: Buffer.concat(chunks) };
    const headers = { "content-type": "application/json" };
    const answer =
      listed === undefined
        ? await fetch(new URL(request.url ?? "", cloud.endpoints.http), { method, headers, ...body })
        : Response.json(listed[1]);
    response.writeHead(answer.status, headers).end(await answer.text());
  });
  await makeZone(cloud, "example-com", "example.com.", "shop-1");
  const additions = ["example.com.", "www.example.com."].map((name) => ({
    name,
    type: "A",
    ttl: 60,
    rrdatas: ["198.51.100.1"],
  }));
  await cloud.make("POST", "/dns/v1/projects/shop-1/managedZones/example-com/changes", { additions });
  const compute = "/compute/v1/projects/shop-1";
  for (const scope of ["global", "regions/europe-west1"]) {
    const service = { name: "web", loadBalancingScheme: "EXTERNAL_MANAGED" };
    await cloud.make("POST", `${compute}/${scope}/backendServices`, service);
    await cloud.make("POST", `${compute}/${scope}/urlMaps`, {
      name: "web",
      defaultService: `${scope}/backendServices/web`,
    });
  }
  const reserve = (scope: string, name: string, address: string) =>
    cloud.make("POST", `${compute}/${scope}/addresses`, { name, address });
  await reserve("global", "shop", "203.0.113.7");
  await reserve("global", "shop6", "2001:db8::7");
  await reserve("regions/europe-west1", "local", "203.0.113.8");
  await reserve("regions/us-central1", "far", "203.0.113.9");
  await cloud.clock.advance(1_000);
  return {
    cloud,
    examine: async (option, file, content, endpoint = whole.url) => {
      const path = join(folder, file);
      writeFileSync(path, JSON.stringify(content));
      const places = ["--endpoint", endpoint, "--dns-server", cloud.endpoints.dns];
      const { exitCode, stdout, stderr } = await runCli([
        "doctor",
        option,
        path,
        "--project",
        "shop-1",
        ...places,
        "--json",
      ]);
      if (stdout === "") throw new Error(stderr);
      const { findings } = JSON.parse(stdout) as { findings: readonly Readonly<Record<string, string>>[] };
      return {
        exitCode,
        found: findings.map(({ code, subject }) => `${code} ${subject}`),
        text: JSON.stringify(findings),
      };
    },
    [Symbol.asyncDispose]: async () => {
      rmSync(folder, { recursive: true, force: true });
      await whole[Symbol.asyncDispose]();
      await cloud.stop();
    },
  };
}
