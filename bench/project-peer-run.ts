import { X509Certificate } from "node:crypto";

// Lists the same resources as `inventory --project` with fetch, and parses their certificates with Node alone:
// `project-peer-run.ts ENDPOINT PROJECT DNS_PROJECT`; prints the number of resources.

type Page = Readonly<Record<string, unknown>> & { readonly nextPageToken?: string };

async function readPages(url: string, count: (page: Page) => number): Promise<number> {
  let total = 0;
  let pageToken = "";
  do {
    const separator = url.includes("?") ? "&" : "?";
    const response = await fetch(
      pageToken === "" ? url : `${url}${separator}pageToken=${encodeURIComponent(pageToken)}`,
    );
    const page = (await response.json()) as Page;
    total += count(page);
    pageToken = page.nextPageToken ?? "";
  } while (pageToken !== "");
  return total;
}

function countItems(page: Page): number {
  let total = 0;
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) {
      for (const item of value as readonly Readonly<Record<string, unknown>>[]) {
        total += 1;
        const pem = item.certificate ?? item.pemCertificate;
        if (typeof pem === "string") new X509Certificate(pem);
      }
    } else if (typeof value === "object" && value !== null) Object.values(value).forEach(visit);
  };
  Object.values(page).forEach(visit);
  return total;
}

async function main(): Promise<void> {
  const [, , endpoint = "", project = "", dnsProject = ""] = process.argv;
  const compute = `${endpoint}compute/v1/projects/${project}`;
  const manager = `${endpoint}v1/projects/${project}/locations`;
  const maps: string[] = [];
  const counts = await Promise.all([
    ...["forwardingRules", "targetHttpsProxies", "urlMaps", "addresses", "sslCertificates"].map((collection) =>
      readPages(`${compute}/aggregated/${collection}?maxResults=500`, countItems),
    ),
    readPages(`${compute}/global/targetSslProxies?maxResults=500`, countItems),
    readPages(`${manager}/-/certificates?pageSize=1000`, countItems),
    readPages(`${manager}/-/certificateMaps?pageSize=1000`, (page) => {
      const found = (page.certificateMaps ?? []) as readonly { readonly name: string }[];
      maps.push(...found.map(({ name }) => name));
      return found.length;
    }),
    ...[project, dnsProject].map((of) =>
      readPages(`${endpoint}dns/v1/projects/${of}/managedZones?maxResults=1000`, countItems),
    ),
  ]);
  const entries = await Promise.all(
    maps.map((map) => readPages(`${endpoint}v1/${map}/certificateMapEntries?pageSize=1000`, countItems)),
  );
  process.stdout.write(`${[...counts, ...entries].reduce((sum, count) => sum + count, 0)}\n`);
}

void main();
