import { join } from "node:path";
import { rootCertificates } from "node:tls";
import { defined } from "../json/defined";
import { type Clients, clientsOf } from "./clients";
import { type Closing, createClosing } from "./closing";
import {
  bundleName,
  clientNames,
  markFolder,
  previousBundleName,
  previousCertificatesName,
  uploadedName,
  writeOwn,
} from "./folder";
import { Kills } from "./kills";
import { type Emit, emitTo } from "./observer";
import { Operator } from "./operator";
import { routeBy } from "./previous-provider";
import { type DiscardedTry, Prober, type Route } from "./prober";
import { servingProxiesOf } from "./serving-proxies";
import { actionsOf } from "./stage-actions";
import type { StageOptions } from "./stage-options";
import { connectTerraform } from "./terraforms";
import { resolverOf, startToday, type Today } from "./today";

export type { StageOptions } from "./stage-options";

/** All running components of a rehearsal, and the actions of a pipeline and its operator. */
export type Stage = Awaited<ReturnType<typeof buildStage>>;

/** Starts cloud, previous provider, provider stand-in and prober. Returns when every hostname has been probed. */
export async function buildStage(options: StageOptions) {
  const closing = createClosing();
  try {
    return await assemble(options, closing);
  } catch (error) {
    // The reason why the stage could not be built is more useful than a failure of the cleanup.
    await closing.close().catch(() => undefined);
    throw error;
  }
}

async function assemble(options: StageOptions, closing: Closing) {
  const { migration, terraform, faults = {}, output, signal } = options;
  const { say } = output;
  markFolder(terraform.folder);
  const emit = emitTo(output.observers ?? []);
  const kills = new Kills(faults.kills ?? [], say);
  const stack = await migration.synthesize({ phase: "serve", traffic: "previous", rotated: true, reissues: 0 });
  const clients = await clientsOf(stack, options);
  let hasBegun = false;
  const today = await startToday({ stack, clients, kills, emit, closing, hasBegun: () => hasBegun }, options);
  keepChains(today, clients, { options, emit });
  const serving = servingProxiesOf(stack);
  const terraforms = await connectTerraform({ stack, today, clients, serving, emit, closing }, options);
  kills.aim(terraforms.migration);
  const route = routeBy(today.cloud.loadBalancers.listeners, today.previous.endpoint, today.world.records);
  const { trusted, prober } = startProber({ today, clients, route, emit, closing }, options);
  await prober.everyHostname();
  hasBegun = true;
  const { cloud, http, reader, addresses, world } = today;
  const place = { cloudUrl: cloud.endpoints.http, http };
  const operator = new Operator({ ...place, reader, addresses, zones: world.zones, say, signal });
  closing.add(() => operator.stop());
  if (migration.publishes === true) operator.publish();
  if (faults.plan !== undefined) cloud.faults.set(faults.plan);
  const probing = { prober, route, trusted, certificate: clients.probing?.certificate };
  return actionsOf({ today, terraforms, probing, serving, operator, kills, emit, close: closing.close }, options);
}

/** Writes the certificates by which clients and gates identify the servers, and those of clients. */
function keepChains(
  { cloud, previous, uploaded }: Today,
  { probing, identity }: Clients,
  { options, emit }: { readonly options: StageOptions; readonly emit: Emit },
): void {
  const { folder } = options.terraform;
  const chains = {
    [bundleName]: cloud.endpoints.trustBundle,
    [previousBundleName]: previous.trustBundlePem,
    [previousCertificatesName]: previous.certificatesPem,
    [uploadedName]: uploaded.join(""),
    ...(probing === undefined ? {} : { [clientNames.certificate]: identity.certificatePem }),
  };
  for (const [name, pem] of Object.entries(chains)) {
    writeOwn(join(folder, name), pem);
    options.output.keepFile?.(name, pem);
  }
  // Evidence contains no private keys.
  if (probing !== undefined) writeOwn(join(folder, clientNames.key), identity.privateKeyPem);
  emit("chains", { pem: previous.certificatesPem, side: "previous" });
  emit("chains", { pem: uploaded.join(""), side: "loadBalancer" });
}

interface ProberParts {
  readonly today: Today;
  readonly clients: Clients;
  readonly route: Route;
  readonly emit: Emit;
  readonly closing: Closing;
}

function startProber({ today, clients, route, emit, closing }: ProberParts, options: StageOptions) {
  const { cloud, previous, uploaded } = today;
  // Chains of public CAs lead to roots that all clients trust.
  const trusted = [cloud.endpoints.trustBundle, ...uploaded, ...(uploaded.length === 0 ? [] : rootCertificates)];
  const prober = new Prober({
    hostnames: options.migration.hostnames.all,
    resolver: resolverOf(cloud),
    route,
    trusted: [...trusted, previous.trustBundlePem],
    ...defined({ clients: clients.probing, pace: options.probes }),
    now: () => cloud.clock.now(),
    observers: {
      onAnswer: (answer) => emit("answer", answer),
      onProbe: (probe) => emit("probe", probe),
      onDiscarded: (discarded) => {
        emit("discarded", discarded);
        options.output.say(describeDiscarded(discarded));
      },
    },
  });
  prober.start();
  closing.add(() => prober.stop());
  return { trusted, prober };
}

function describeDiscarded({ hostname, address = "no address", error, waitedMs, ranMs }: DiscardedTry): string {
  const [still, waited] = [waitedMs - ranMs, waitedMs].map((milliseconds) => (milliseconds / 1_000).toFixed(1));
  return `${hostname} at ${address}: ${error}, but this process itself was suspended for ${still} of ${waited} s: no result, retried`;
}
