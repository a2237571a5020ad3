import { type ChildProcess, fork, spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import type { Profiler } from "node:inspector";
import { connect } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { connect as connectTls, createSecureContext } from "node:tls";
import type { Served, Usage } from "./cloud-server-run";
import { inTurns, type Measurement, median, medianOf, ratiosOf, type Side } from "./measurement";

export interface Servers {
  readonly served: Served;
  usage(): Promise<Usage>;
  /** CPU time of the servers during a piece of work. */
  profile(work: () => Promise<void>): Promise<Profiler.Profile>;
  end(): Promise<void>;
}

export async function startServers(): Promise<Servers> {
  const child: ChildProcess = fork(join(__dirname, "cloud-server-run.js"), { execArgv: ["--expose-gc"] });
  const [served] = (await once(child, "message")) as [Served];
  return {
    served,
    usage: async () => {
      child.send("usage");
      const [usage] = (await once(child, "message")) as [Usage];
      return usage;
    },
    profile: async (work) => {
      child.send("profile");
      await once(child, "message");
      await work();
      child.send("profiled");
      const [profile] = (await once(child, "message")) as [Profiler.Profile];
      return profile;
    },
    end: async () => {
      child.disconnect();
      await once(child, "exit");
    },
  };
}

/**
 * Measures the same work with the cloud and with the plain server, with the same client: elapsed time and CPU time of
 * the server. The CPU time also shows a difference if the client is slow. The sides alternate, so that both run under
 * the same load of the machine.
 */
async function compare(
  { usage }: Servers,
  count: number,
  short: boolean,
  work: (which: 0 | 1, count: number) => Promise<void>,
): Promise<Pick<Measurement, "ratios" | "detail">> {
  const costOf = async (side: Side) => {
    const before = await usage();
    const started = performance.now();
    await work(side === "own" ? 0 : 1, count);
    const wallMs = performance.now() - started;
    return { wallMs, cpuMicroseconds: (((await usage()).cpuMs - before.cpuMs) * 1_000) / count };
  };
  for (const which of [0, 1, 0, 1] as const) await work(which, count);
  const runs = await inTurns(short ? 9 : 15, costOf);
  const rate = (side: Side) => Math.round((count / medianOf(runs, side, ({ wallMs }) => wallMs)) * 1_000);
  const processor = (side: Side) => medianOf(runs, side, ({ cpuMicroseconds }) => cpuMicroseconds).toFixed(0);
  return {
    ratios: ratiosOf(runs, ({ wallMs }) => wallMs),
    detail: `${rate("own")} and ${rate("peer")} a second, ${processor("own")} and ${processor("peer")} microseconds of processor each`,
  };
}

/** Runs `count` pieces of work with a limited concurrency. */
async function inParallel(count: number, width: number, one: () => Promise<void>): Promise<void> {
  let left = count;
  await Promise.all(
    Array.from({ length: width }, async () => {
      while (left > 0) {
        left -= 1;
        await one();
      }
    }),
  );
}

async function measureReads(servers: Servers, short: boolean): Promise<Measurement> {
  const lengths = await Promise.all(servers.served.rest.map(answerLength));
  const result = await compare(servers, 10_000, short, async (which, count) => {
    const { hostname, port, pathname } = new URL(servers.served.rest[which]);
    const request = `GET ${pathname} HTTP/1.1\r\nhost: ${hostname}:${port}\r\naccept: */*\r\n\r\n`;
    await Promise.all(
      Array.from({ length: 16 }, () => readOn(hostname, Number(port), request, lengths[which] as number, count / 16)),
    );
  });
  // The ratio depends on the machine: one commit measured 1.94 on one machine and 2.58 on another.
  return { what: "REST reads of the cloud, time against node:http with the same answer", goal: 3, ...result };
}

/** Returns the number of octets of an answer; every answer has the same. */
async function answerLength(url: string): Promise<number> {
  const { hostname, port, pathname } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(`GET ${pathname} HTTP/1.1\r\nhost: ${hostname}:${port}\r\n\r\n`);
  let received = "";
  for await (const chunk of socket) {
    received += (chunk as Buffer).toString("latin1");
    const end = received.indexOf("\r\n\r\n");
    const length = /content-length: (\d+)/i.exec(received)?.[1];
    if (end >= 0 && length !== undefined && received.length >= end + 4 + Number(length)) break;
  }
  return received.length;
}

/** Sends requests one after another on one connection. */
function readOn(host: string, port: number, request: string, answerOctets: number, count: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true }, () => socket.write(request));
    let octets = 0;
    let answered = 0;
    socket.on("data", (chunk) => {
      octets += chunk.length;
      if (octets < answerOctets) return;
      octets -= answerOctets;
      answered += 1;
      if (answered < count) socket.write(request);
      else socket.destroy();
    });
    socket.once("error", reject);
    socket.once("close", () => resolve());
  });
}

async function measureAnswers(servers: Servers, short: boolean): Promise<Measurement> {
  const result = await compare(servers, 20_000, short, (which, count) => ask(servers.served.dns[which], count, 32));
  return { what: "DNS answers of the cloud, time against a bare dgram echo", goal: 1 / 0.7, ...result };
}

/** Queries CNAME records with a limited concurrency; repeats a query that gets no answer. */
export async function ask(port: number, count: number, width: number): Promise<void> {
  const socket = createSocket("udp4");
  socket.connect(port, "127.0.0.1");
  await once(socket, "connect");
  const questions = Array.from({ length: 500 }, (_, number) => questionFor(number));
  await new Promise<void>((resolve) => {
    let asked = 0;
    let answered = 0;
    const next = () => {
      socket.send(questions[asked % questions.length] as Buffer);
      asked += 1;
    };
    let seen = -1;
    const watch = setInterval(() => {
      if (answered === seen) next();
      seen = answered;
    }, 200);
    socket.on("message", () => {
      answered += 1;
      if (answered >= count) {
        clearInterval(watch);
        resolve();
      } else next();
    });
    for (let at = 0; at < width; at += 1) next();
  });
  await new Promise<void>((resolve) => socket.close(resolve));
}

function questionFor(number: number): Buffer {
  const labels = ["_acme-challenge", `n${number}`, "example", "com"].map((label) =>
    Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]),
  );
  const header = Buffer.from([number >> 8, number & 255, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
  return Buffer.concat([header, ...labels, Buffer.from([0, 0, 5, 0, 1])]);
}

async function measureHandshakes(servers: Servers, short: boolean): Promise<Measurement> {
  // Only the server is measured: the client does not validate the certificate.
  const secureContext = createSecureContext();
  const result = await compare(servers, short ? 600 : 1_200, short, (which, count) =>
    inParallel(count, 16, () => {
      const [, host = "", port = ""] = /^\[?(.*?)\]?:(\d+)$/.exec(servers.served.tls[which]) ?? [];
      return new Promise<void>((resolve, reject) => {
        const socket = connectTls(
          { host, port: Number(port), servername: "example.com", secureContext, rejectUnauthorized: false },
          () => socket.destroy(),
        );
        socket.once("error", reject);
        socket.once("close", () => resolve());
      });
    }),
  );
  return { what: "TLS handshakes of the cloud, time against tls.createServer", goal: 1 / 0.85, ...result };
}

/** Measures the time from the start of the command to the line with the endpoints. */
async function measureStart(short: boolean): Promise<Measurement> {
  const times: number[] = [];
  for (let round = 0; round < (short ? 3 : 7); round += 1) {
    const started = performance.now();
    const child = spawn(process.execPath, [join(__dirname, "..", "lib", "cli", "main.js"), "cloud", "--json"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const lines = createInterface({ input: child.stdout });
    await once(lines, "line");
    times.push(performance.now() - started);
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await ended;
  }
  return {
    what: "start of the cloud to ready, seconds",
    goal: 1,
    ratios: times.map((ms) => ms / 1_000),
    detail: `${median(times).toFixed(0)} ms`,
  };
}

/** Creates certificates with keys, and a map entry for each, by API requests. */
async function measureMemory(): Promise<Measurement> {
  const count = 10_000;
  const servers = await startServers();
  const { http } = servers.served;
  const parent = "projects/p1/locations/global";
  const before = await servers.usage();
  const call = async (path: string, body: object) => {
    const response = await fetch(new URL(path, http), { method: "POST", body: JSON.stringify(body) });
    await response.text();
    if (!response.ok) throw new Error(`${path}: HTTP ${response.status}`);
  };
  const { pemCertificate, pemPrivateKey } = servers.served.upload;
  let number = 0;
  await inParallel(count, 16, async () => {
    number += 1;
    const id = `c${number}`;
    await call(`v1/${parent}/certificates?certificateId=${id}`, { selfManaged: { pemCertificate, pemPrivateKey } });
    await call(`v1/${parent}/certificateMaps/map/certificateMapEntries?certificateMapEntryId=${id}`, {
      hostname: `${id}.example.com`,
      certificates: [`${parent}/certificates/${id}`],
    });
  });
  const after = await servers.usage();
  await servers.end();
  const mebibytes = after.rssMebibytes - before.rssMebibytes;
  return {
    what: `${count} certificates and entries in the cloud, memory over that at the start, share of 400 MiB`,
    goal: 1,
    ratios: [mebibytes / 400],
    detail: `${mebibytes.toFixed(0)} MiB`,
  };
}

export async function measureCloud(short: boolean): Promise<readonly Measurement[]> {
  const servers = await startServers();
  const measurements = [
    await measureReads(servers, short),
    await measureAnswers(servers, short),
    await measureHandshakes(servers, short),
  ];
  await servers.end();
  return [...measurements, await measureStart(short), await measureMemory()];
}
