import { defined } from "../../json/defined";
import { readCertificateChain } from "../../x509";
import type { Listed } from "../cloud-reader";
import type { Stage } from "../stage";
import type { DaysFailure } from "./failures";
import type { DayOfCertificate, DaysIncident, DaysResult } from "./model";

export interface DaysOptions {
  /** Days of the cloud's time, 1 to 3,650. */
  readonly days: number;
  /** What goes wrong on the first day. @default - nothing */
  readonly failure?: DaysFailure;
  /** Whether the failure is repaired when the first incident opens that it can have caused. @default false */
  readonly repairs?: boolean;
  /**
   * Replaces the uploaded certificates whose chains are due. @returns whether that succeeded
   *
   * @default - uploaded certificates are not replaced
   */
  readonly replaceUploads?: (chainsPem: readonly string[]) => Promise<boolean>;
  readonly signal: AbortSignal;
}

/** The parts of a stage that the days need. */
type DaysStage = Pick<Stage, "cloud" | "prober" | "reader" | "noteCertificates" | "setApi"> & {
  readonly pipeline: Pick<Stage["pipeline"], "planIsEmpty">;
};

const dayMs = 24 * 3_600_000;
/** Clients connect to every hostname at least twice a day of the cloud's time. */
const stepDays = 0.5;
/** Share of its lifetime after which an uploaded certificate is replaced. */
const replacedAfter = 2 / 3;

/**
 * Lets days of the cloud's time pass. Certificates are renewed by the cloud when they are due; clients connect to every
 * hostname, and judge certificates by the cloud's time. After each renewal, Terraform plans.
 */
export async function passDays(stage: DaysStage, options: DaysOptions): Promise<DaysResult> {
  const { cloud, prober, reader, pipeline, noteCertificates } = stage;
  const { days, failure, repairs = false, replaceUploads, signal } = options;
  const from = cloud.clock.now();
  const dayOf = (time: Date) => Math.round(((time.getTime() - from.getTime()) / dayMs) * 10) / 10;
  const before = prober.count();
  const watch = new CertificateWatch(await reader.certificates());
  const renewals: DayOfCertificate[] = [];
  const expiries: DayOfCertificate[] = [];
  const replacements: DayOfCertificate[] = [];
  let haveReplaced = true;
  const counts = { plans: 0, plansWithChanges: 0 };
  let firstFailureDay: number | undefined;
  let repairedDay: number | undefined;
  let effectDay: number | undefined;
  let hadEffect = false;
  let incidents: readonly DaysIncident[] = [];
  if (failure !== undefined) await begin(stage, failure);
  for (let passed = 0; passed < days && !signal.aborted; passed += stepDays) {
    await cloud.clock.advance(Math.min(stepDays, days - passed) * dayMs);
    await prober.everyHostname();
    const now = cloud.clock.now();
    const day = dayOf(now);
    if (prober.count().failed > before.failed) firstFailureDay ??= day;
    const found = await reader.certificates();
    if (watch.showsEffect(found, now)) effectDay ??= day;
    const isForgotten = failure?.forgetsUploads === true && repairedDay === undefined;
    const { renewed, expired, due } = watch.look(found, now, { replacesDue: !isForgotten });
    renewals.push(...renewed.map((certificate) => ({ day, certificate })));
    expiries.push(...expired.map((certificate) => ({ day, certificate })));
    if (due.length > 0 && !isForgotten && replaceUploads !== undefined) {
      replacements.push(...due.map(({ name }) => ({ day, certificate: name })));
      if (!(await replaceUploads(due.map(({ pem }) => pem)))) haveReplaced = false;
    }
    if (renewed.length > 0) {
      await noteCertificates();
      counts.plans += 1;
      if (!(await pipeline.planIsEmpty())) counts.plansWithChanges += 1;
    }
    incidents = (await reader.incidents()).map(({ openTime, closeTime, policy }) => ({
      day: dayOf(new Date(openTime)),
      ...(closeTime === undefined ? {} : { closedDay: dayOf(new Date(closeTime)) }),
      policy,
    }));
    // An incident of the first hours has another cause, unless the failure has an effect by then.
    const isAlerted = incidents.some((incident) => incident.day > stepDays || incident.day >= (effectDay ?? days));
    if (failure !== undefined && repairs && repairedDay === undefined && isAlerted) {
      hadEffect = await end(stage, failure, watch);
      repairedDay = day;
    }
  }
  if (failure !== undefined && repairedDay === undefined) hadEffect = await end(stage, failure, watch);
  const after = prober.count();
  const failedHandshakes = after.failed - before.failed;
  return {
    days: dayOf(cloud.clock.now()),
    from: from.toISOString(),
    until: cloud.clock.now().toISOString(),
    ok:
      failedHandshakes === 0 &&
      counts.plansWithChanges === 0 &&
      haveReplaced &&
      (failure === undefined || hadEffect) &&
      !signal.aborted,
    probes: after.probes - before.probes,
    failedHandshakes,
    ...(firstFailureDay === undefined ? {} : { firstFailureDay }),
    renewals,
    replacements,
    expiries,
    incidents: [...incidents].sort((a, b) => a.day - b.day),
    ...counts,
    ...(failure === undefined
      ? {}
      : { failure: { name: failure.name, beganDay: 0, ...defined({ repairedDay }), hadEffect } }),
  };
}

async function begin({ cloud, setApi }: DaysStage, { faults, disabledApi }: DaysFailure): Promise<void> {
  if (faults !== undefined) cloud.faults.set(faults);
  if (disabledApi !== undefined) await setApi(disabledApi, "disable");
}

/** Repairs what failed. @returns whether a renewal has failed because of it, or an upload is due and not replaced */
async function end(
  { cloud, reader, setApi }: DaysStage,
  { faults, disabledApi }: DaysFailure,
  watch: CertificateWatch,
): Promise<boolean> {
  if (faults !== undefined) cloud.faults.set({});
  if (disabledApi !== undefined) await setApi(disabledApi, "enable");
  // While the API is disabled, no certificate can be read.
  return watch.showsEffect(await reader.certificates(), cloud.clock.now());
}

/** Compares certificates with how they were before. */
class CertificateWatch {
  readonly #chains = new Map<string, { readonly pem: string; readonly beginMs: number; readonly endMs: number }>();
  readonly #expired = new Set<string>();
  readonly #replaced = new Set<string>();

  constructor(certificates: readonly Listed[]) {
    for (const { name, pemCertificate = "" } of certificates) this.#chains.set(name, factsOf(pemCertificate));
  }

  look(certificates: readonly Listed[], now: Date, { replacesDue }: { readonly replacesDue: boolean }) {
    const renewed: string[] = [];
    const expired: string[] = [];
    const due: { readonly name: string; readonly pem: string }[] = [];
    for (const certificate of certificates) {
      const { name, pemCertificate = "" } = certificate;
      const known = this.#chains.get(name);
      if (pemCertificate !== "" && known?.pem !== pemCertificate) {
        // The rehearsal's CAs date certificates by the machine's time, which the cloud's has left behind.
        this.#chains.set(name, { ...factsOf(pemCertificate), beginMs: now.getTime() });
        this.#expired.delete(name);
        if (known !== undefined && known.pem !== "") renewed.push(name);
      }
      const { endMs } = this.#chains.get(name) ?? factsOf("");
      if (now.getTime() >= endMs && !this.#expired.has(name)) {
        this.#expired.add(name);
        expired.push(name);
      }
      if (this.#isDueUpload(certificate, now)) {
        if (replacesDue) this.#replaced.add(name);
        due.push({ name, pem: pemCertificate });
      }
    }
    return { renewed, expired, due };
  }

  /** Returns whether a renewal has failed, or an uploaded certificate is due and was not replaced. */
  showsEffect(certificates: readonly Listed[], now: Date): boolean {
    return certificates.some((each) => each.managed?.provisioningIssue !== undefined || this.#isDueUpload(each, now));
  }

  #isDueUpload({ name, managed }: Listed, now: Date): boolean {
    // Each is replaced once: a certificate that the rehearsal can't replace keeps its name.
    if (managed !== undefined || this.#replaced.has(name)) return false;
    const { beginMs, endMs } = this.#chains.get(name) ?? factsOf("");
    return now.getTime() >= beginMs + (endMs - beginMs) * replacedAfter;
  }
}

function factsOf(pem: string) {
  const [leaf] = pem === "" ? [] : readCertificateChain(pem).certificates;
  const endMs = leaf?.notAfter.getTime() ?? Number.POSITIVE_INFINITY;
  return { pem, beginMs: leaf?.notBefore.getTime() ?? endMs, endMs };
}
