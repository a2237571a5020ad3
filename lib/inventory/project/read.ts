import { mapConcurrently } from "../../async/concurrent";
import { ServiceError } from "../../errors";
import { entryList, type ProjectLister, type ProjectListName, projectLists } from "../../google";
import { defined } from "../../json/defined";
import { type Fields, fieldsOf } from "../../json/fields";
import type { ProjectUnread } from "../../project-inventory";
import type { ProjectResources } from "./assemble";

/** Options of {@link readProjectResources}. */
export interface ReadProjectOptions {
  readonly project: string;
  /** Further projects whose zones are read. */
  readonly dnsProjects: readonly string[];
  readonly lister: ProjectLister;
  readonly signal: AbortSignal;
  /** Called after each page. @param count number of resources so far */
  readonly onPage?: (count: number, what: string) => void;
}

/** Maximum number of simultaneous requests. The quota of Compute Engine is 1,500 list requests a minute. */
const concurrency = 6;

const ofProject = [
  "forwardingRules",
  "targetHttpsProxies",
  "targetSslProxies",
  "urlMaps",
  "addresses",
  "sslCertificates",
  "certificates",
  "certificateMaps",
] as const satisfies readonly ProjectListName[];

/**
 * Reads the load balancers, certificates and zones of a project. A list that cannot be read is reported, and all other
 * lists are still read. If a location of a list does not answer, the resources of the other locations are kept.
 *
 * @throws ServiceError if no list could be read; the signal's reason
 */
export async function readProjectResources(options: ReadProjectOptions): Promise<ProjectResources> {
  const { project, lister, signal } = options;
  const dnsProjects = [...new Set([project, ...options.dnsProjects])];
  const { attempt, unread, errors } = createAttempts(signal);
  const counts = new Map<string, number>();
  const reportPages = (key: string, what: string) => (count: number) => {
    counts.set(key, count);
    options.onPage?.(
      [...counts.values()].reduce((sum, count) => sum + count, 0),
      what,
    );
  };
  const asked = [
    ...ofProject.map((name) => ({ name, of: project })),
    ...dnsProjects.map((of) => ({ name: "managedZones" as const, of })),
  ];
  const lists = await mapConcurrently(asked, concurrency, async ({ name, of }) => {
    const { what } = projectLists[name];
    return attempt(projectLists[name], of, async () => {
      const { items, incomplete } = await lister.list(name, of, signal, reportPages(`${name} ${of}`, what));
      if (incomplete !== undefined) unread.push({ what, project: of, reason: incomplete });
      return items;
    });
  });
  if (errors.length === asked.length) throw errors[0];
  const of = (name: ProjectListName) => lists[asked.findIndex((list) => list.name === name)] ?? [];
  const certificateMaps = await mapConcurrently(of("certificateMaps"), concurrency, async (map) => ({
    map,
    entries: await attempt(entryList, project, async () => {
      const entries = await lister.entries(String(map.name), signal);
      reportPages(`entries ${map.name}`, entryList.what)(entries.length);
      return entries;
    }),
  }));
  const usesConfigs = of("certificates").some(({ managed }) => fieldsOf(managed).issuanceConfig !== undefined);
  const configs = "certificateIssuanceConfigs";
  const issuanceConfigs = usesConfigs
    ? await attempt(projectLists[configs], project, async () => (await lister.list(configs, project, signal)).items)
    : [];
  return {
    project,
    compute: {
      forwardingRules: of("forwardingRules"),
      proxies: [...of("targetHttpsProxies"), ...of("targetSslProxies")],
      urlMaps: of("urlMaps"),
      addresses: of("addresses"),
      sslCertificates: of("sslCertificates"),
    },
    manager: { certificates: of("certificates"), issuanceConfigs, certificateMaps },
    zones: new Map(dnsProjects.map((project, index) => [project, lists[ofProject.length + index] ?? []])),
    unread: unread.sort((a, b) => compare(`${a.project} ${a.what} ${a.reason}`, `${b.project} ${b.what} ${b.reason}`)),
  };
}

/** Creates a function that reads a list, and collects what cannot be read instead of throwing. */
function createAttempts(signal: AbortSignal) {
  const unread: ProjectUnread[] = [];
  const errors: unknown[] = [];
  const attempt = async (
    { what, permission }: { readonly what: string; readonly permission: string },
    of: string,
    work: () => Promise<readonly Fields[]>,
  ): Promise<readonly Fields[]> => {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ServiceError)) throw error;
      errors.push(error);
      const isDenied = error.status === 403 && !error.retryable;
      const reason = error.message;
      unread.push({ what, project: of, ...defined({ permission: isDenied ? permission : undefined }), reason });
      return [];
    }
  };
  return { attempt, unread, errors };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
