import { type ChildProcess, spawn } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { openStore } from "../../../lib/cloud/state";

const kills = Number(process.env.KILLS ?? 100);
const root = join(__dirname, "..", "..", "..");
const parent = "projects/p1/locations/global";
const zone = "dns/v1/projects/p1/managedZones/zone";
const workers = 4;

type Json = Readonly<Record<string, unknown>>;

interface Running {
  readonly http: string;
  readonly child: ChildProcess;
}

function spawnCloud(state: string): ChildProcess {
  return spawn(process.execPath, ["--require", "tsx/cjs", join(__dirname, "cloud-child.ts"), state], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
}

async function startCloud(state: string): Promise<Running> {
  const child = spawnCloud(state);
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    return { http: (JSON.parse(line) as { readonly http: string }).http, child };
  }
  throw new Error("the cloud ended before it was ready");
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once("close", resolve));
  child.kill("SIGKILL");
  await ended;
}

async function call(http: string, httpMethod: string, path: string, body?: object): Promise<Json> {
  const response = await fetch(new URL(path, http), {
    method: httpMethod,
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Refused(`${httpMethod} ${path}: ${text}`);
  return text === "" ? {} : (JSON.parse(text) as Json);
}

/** An error response, which no change in this test should get. */
class Refused extends Error {}

/**
 * What a client may rely on: for each resource, the last acknowledged version, and the version that was requested when
 * the cloud was killed. `undefined` means that the resource does not exist.
 */
class Ledger {
  readonly #acknowledged = new Map<string, string | undefined>();
  readonly #asked = new Map<string, string | undefined>();
  acknowledgements = 0;
  inFlight = 0;

  current(thing: string): string | undefined {
    return this.#acknowledged.get(thing);
  }

  /** Requests a change; without an answer, the change stays unacknowledged. */
  async change(thing: string, version: string | undefined, request: () => Promise<unknown>): Promise<void> {
    this.#asked.set(thing, version);
    await request();
    this.#asked.delete(thing);
    this.#acknowledged.set(thing, version);
    this.acknowledgements++;
  }

  /** Compares the state of a restarted cloud with the ledger, takes it over, and returns the differences. */
  settle(found: ReadonlyMap<string, string>): readonly string[] {
    const problems: string[] = [];
    for (const thing of new Set([...this.#acknowledged.keys(), ...this.#asked.keys(), ...found.keys()])) {
      const has = found.get(thing);
      const allowed = [this.#acknowledged.get(thing), ...(this.#asked.has(thing) ? [this.#asked.get(thing)] : [])];
      if (!allowed.includes(has)) problems.push(`${thing} is ${has}; ${allowed.join(" or ")} was expected`);
      if (has === undefined) this.#acknowledged.delete(thing);
      else this.#acknowledged.set(thing, has);
    }
    this.inFlight += this.#asked.size;
    this.#asked.clear();
    return problems;
  }
}

/**
 * Changes resources until the cloud is killed. Workers share no resources, so that each knows the expected state of its
 * resources.
 */
async function work(http: string, ledger: Ledger, worker: number, round: number): Promise<void> {
  let count = 0;
  const version = () => `v-${round}-${worker}-${count++}`;
  const mapPath = (id: string) => `v1/${parent}/certificateMaps/${id}`;
  const records = (id: string, text: string) => [
    { name: `${id}.example.com.`, type: "A", ttl: 60, rrdatas: [`192.0.2.${text.length}`] },
    { name: `${id}.example.com.`, type: "TXT", ttl: 60, rrdatas: [`"${text}"`] },
    { name: `other-${id}.example.com.`, type: "TXT", ttl: 60, rrdatas: [`"${text}"`] },
  ];
  for (;;) {
    const id = `w${worker}-${count % 5}`;
    const map = ledger.current(`map ${id}`);
    const description = version();
    const change = (next: string | undefined, httpMethod: string, path: string, body?: object) =>
      ledger.change(`map ${id}`, next, () => call(http, httpMethod, path, body));
    if (map === undefined)
      await change(description, "POST", `v1/${parent}/certificateMaps?certificateMapId=${id}`, { description });
    else if (count % 3 === 0) await change(undefined, "DELETE", mapPath(id));
    else await change(description, "PATCH", `${mapPath(id)}?updateMask=description`, { description });

    const was = ledger.current(`records ${id}`);
    const text = version();
    await ledger.change(`records ${id}`, text, () =>
      call(http, "POST", `${zone}/changes`, {
        additions: records(id, text),
        ...(was === undefined ? {} : { deletions: records(id, was) }),
      }),
    );

    const domain = `c-${round}-${worker}-${count}.example.com`;
    const name = domain.replaceAll(".", "-");
    await ledger.change(`authorization ${name}`, domain, () =>
      call(http, "POST", `v1/${parent}/dnsAuthorizations?dnsAuthorizationId=${name}`, { domain }),
    );
    const { dnsResourceRecord } = await call(http, "GET", `v1/${parent}/dnsAuthorizations/${name}`);
    const { name: owner, data } = dnsResourceRecord as { readonly name: string; readonly data: string };
    await call(http, "POST", `${zone}/rrsets`, { name: owner, type: "CNAME", ttl: 60, rrdatas: [data] });
    await ledger.change(`certificate ${name}`, domain, () =>
      call(http, "POST", `v1/${parent}/certificates?certificateId=${name}`, {
        managed: { domains: [domain], dnsAuthorizations: [`${parent}/dnsAuthorizations/${name}`] },
      }),
    );
  }
}

async function listAll(http: string, path: string, field: string): Promise<readonly Json[]> {
  const items: Json[] = [];
  let pageToken = "";
  do {
    const page = await call(http, "GET", `${path}${pageToken === "" ? "" : `?pageToken=${pageToken}`}`);
    items.push(...((page[field] ?? []) as readonly Json[]));
    pageToken = String(page.nextPageToken ?? "");
  } while (pageToken !== "");
  return items;
}

/** Reads the cloud's state of every resource in the ledger. */
async function readState(
  http: string,
): Promise<{ readonly found: ReadonlyMap<string, string>; readonly torn: readonly string[] }> {
  const found = new Map<string, string>();
  const torn: string[] = [];
  const idOf = ({ name }: Json) => String(name).split("/").at(-1) ?? "";
  for (const map of await listAll(http, `v1/${parent}/certificateMaps`, "certificateMaps"))
    found.set(`map ${idOf(map)}`, String(map.description));
  for (const authorization of await listAll(http, `v1/${parent}/dnsAuthorizations`, "dnsAuthorizations"))
    found.set(`authorization ${idOf(authorization)}`, String(authorization.domain));
  for (const certificate of await listAll(http, `v1/${parent}/certificates`, "certificates")) {
    const { domains, state } = certificate.managed as { readonly domains: readonly string[]; readonly state: string };
    found.set(`certificate ${idOf(certificate)}`, domains.join());
    if ((state === "ACTIVE") !== (certificate.pemCertificate !== undefined))
      torn.push(`${idOf(certificate)} is ${state}`);
  }
  const texts = new Map<string, string>();
  for (const set of await listAll(http, `${zone}/rrsets`, "rrsets")) {
    if (set.type !== "TXT" && set.type !== "A") continue;
    texts.set(`${set.type} ${set.name}`, String((set.rrdatas as readonly string[])[0]).replaceAll('"', ""));
  }
  for (const [key, text] of texts) {
    const id = /^TXT (w\d+-\d+)\.example\.com\.$/.exec(key)?.[1];
    if (id === undefined) continue;
    found.set(`records ${id}`, text);
    const others = [texts.get(`A ${id}.example.com.`), texts.get(`TXT other-${id}.example.com.`)];
    if (others[0] !== `192.0.2.${text.length}` || others[1] !== text) torn.push(`${id}: ${text}, ${others.join(", ")}`);
  }
  return { found, torn };
}

/** Returns inconsistent certificates in the state file: ACTIVE without a key, or with a key but not ACTIVE. */
function tornKeys(state: string): readonly string[] {
  const copy = `${state}.copy`;
  copyFileSync(state, copy);
  const store = openStore(copy);
  const keys = store.collection<Json>("certificatemanager.keys");
  const certificates = store.collection<{ readonly managed: { readonly state: string } }>(
    "certificatemanager.certificates",
  );
  const torn = [...certificates.entries()]
    .filter(([name, { managed }]) => keys.has(name) !== (managed.state === "ACTIVE"))
    .map(([name]) => name);
  store.close();
  rmSync(copy);
  return torn;
}

test(`a cloud that is killed ${kills} times under load loses no acknowledged change, and has no partial change`, async () => {
  const folder = mkdtempSync(join(tmpdir(), "killed-cloud-"));
  const state = join(folder, "state.json");
  const ledger = new Ledger();
  let active = 0;
  let duringStart = 0;
  try {
    let running = await startCloud(state);
    await call(running.http, "POST", "dns/v1/projects/p1/managedZones", {
      name: "zone",
      dnsName: "example.com.",
      description: "",
    });
    for (let round = 0; round < kills; round++) {
      const { http, child } = running;
      const load = Array.from({ length: workers }, (_, worker) =>
        work(http, ledger, worker, round).catch((error: unknown) => {
          if (error instanceof Refused) throw error;
        }),
      );
      const killed = new Promise((resolve) => setTimeout(resolve, Math.random() * 250)).then(() => kill(child));
      await Promise.all([...load, killed]);
      expect([round, tornKeys(state)]).toEqual([round, []]);
      if (round % 10 === 9) {
        // A start rewrites the file, so the test also kills the cloud during a start.
        const starting = spawnCloud(state);
        await new Promise((resolve) => setTimeout(resolve, 300 + Math.random() * 1_500));
        await kill(starting);
        duringStart++;
      }
      running = await startCloud(state);
      const { found, torn } = await readState(running.http);
      expect([round, ledger.settle(found), torn]).toEqual([round, [], []]);
    }
    const certificates = await listAll(running.http, `v1/${parent}/certificates`, "certificates");
    active = certificates.filter(({ pemCertificate }) => pemCertificate !== undefined).length;
    await kill(running.child);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  process.stdout.write(
    `${kills} kills under load, ${duringStart} during a start: ${ledger.acknowledgements} changes acknowledged, ${ledger.inFlight} in flight, ${active} certificates ACTIVE\n`,
  );
  expect(ledger.acknowledgements).toBeGreaterThan(kills * workers);
  expect(active).toBeGreaterThan(0);
}, 1_800_000);
