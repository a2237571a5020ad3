import { countOf } from "../../text/words";
import { familyOf, type KeyFamily } from "../../tls/key-families";
import { readCertificateChain } from "../../x509";
import { type Check, runChecks } from "../run-checks";
import { type ServingFailure, verifyCodes } from "./codes";
import type { Handshake } from "./handshake";
import { holdAgainst, type Subject } from "./hold-against";
import { probeName } from "./names";
import { createOutlook, finalRemedies, type Outlook } from "./outlook";
import type { PlannedCertificates } from "./planned";
import type { Checked, Failure, Outcome, VerifyFailure, VerifyResult } from "./results";
import type { VerifyTarget } from "./targets";

export interface VerifyOptions {
  readonly targets: readonly VerifyTarget[];
  /** One connection; `client` is what the client can check, anything where it is absent. Never rejects. */
  readonly shakeHands: (address: string, hostname: string, client?: KeyFamily) => Promise<Handshake>;
  /** The certificates that the targets have to be served with. @default - any certificate that is right for the name will do */
  readonly planned?: PlannedCertificates;
  /** Families of keys that every hostname has to be served with, each to clients that take no other. @default - those of the planned certificates, where there are several */
  readonly keyFamilies?: readonly KeyFamily[];
  /**
   * Every root that clients trust, in PEM: with them it is known of uploaded certificates whether a chain can lead anywhere.
   *
   * @default - not known: a chain that leads nowhere is tried until the time is over
   */
  readonly trusted?: readonly string[];
  /** Good handshakes in a row that count as proof; fronts take changes over one after the other. @default 3 */
  readonly repeat?: number;
  /** How long all of it may take, in milliseconds; whatever is not good until then is told as it is. @default 10 minutes */
  readonly withinMs?: number;
  /** Connections at once; slow ones don't count. @default 64 */
  readonly concurrency?: number;
  readonly signal: AbortSignal;
  readonly now: () => number;
  /** Resolves after that many milliseconds, or rejects when the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Told of each result as soon as it is settled. */
  readonly onResult?: (result: VerifyResult) => void;
  /** Told of each hostname that is bad at first and tried again, and whether anybody knows that this may help. */
  readonly onRetry?: (result: VerifyFailure, outlook: Exclude<Outlook, "final">) => void;
}

const defaultWithinMs = 10 * 60 * 1000;
const pauseMs = 5_000;

/**
 * Verifies every hostname at every address, independently of each other, so that a dead one holds up no other. What may pass by itself is tried again until
 * the time is over, unless one of them is bad for good: then nothing is waited for any more, since the whole can't be good.
 *
 * @returns a result for each pair (for each pair and key family, where there are several), in the order of targets and then addresses
 */
export async function verifyServing(options: VerifyOptions): Promise<readonly VerifyResult[]> {
  const { signal, now, sleep, concurrency = 64 } = options;
  const results: VerifyResult[] = [];
  const subjects = options.targets.flatMap((target) =>
    target.addresses.flatMap((address) => clientsFor(target, options).map((client) => ({ target, address, client }))),
  );
  const deadline = now() + (options.withinMs ?? defaultWithinMs);
  const run: Run = { outlookFor: createOutlook(options.trusted), deadline, isLost: false };
  const checks = subjects.map((subject, index) => {
    const settle = (result: VerifyResult) => {
      // A handshake that ends behind Ctrl-C comes after it was given up.
      if (results[index] !== undefined) return;
      results[index] = result;
      options.onResult?.(result);
    };
    return checkOf(subject, options, run, settle);
  });
  await runChecks(checks, { concurrency, deadline, pauseMs, signal, now, sleep });
  return results;
}

/** What the checks of one run share. */
interface Run {
  readonly outlookFor: ReturnType<typeof createOutlook>;
  readonly deadline: number;
  /** Whether one of them is bad for good. */
  isLost: boolean;
}

/** One that takes all; or one for each family of keys, where an entry has several. */
function clientsFor(
  { planned = [] }: VerifyTarget,
  { planned: certificates, keyFamilies }: VerifyOptions,
): readonly (KeyFamily | undefined)[] {
  if (keyFamilies !== undefined && keyFamilies.length > 0) return keyFamilies;
  const families = (certificates?.of(planned) ?? []).flatMap(({ facts }) => familyOf(facts?.keyType ?? "") ?? []);
  const distinct = [...new Set(families)].sort();
  return distinct.length > 1 ? distinct : [undefined];
}

/** What was seen of one subject so far. */
interface Tally {
  handshakes: number;
  bad: number;
  /** Good ones in a row, up to now. */
  row: number;
  /** How often good turned to bad or bad to good. */
  turns: number;
  /** The latest bad one. */
  last: Failure | undefined;
}

function checkOf(subject: Subject, options: VerifyOptions, run: Run, settle: (result: VerifyResult) => void): Check {
  const { repeat = 3, signal, random } = options;
  const { target, address, client } = subject;
  const tally: Tally = { handshakes: 0, bad: 0, row: 0, turns: 0, last: undefined };
  const checked = (): Checked => {
    const { handshakes, bad } = tally;
    return { hostname: target.hostname, address, ...(client === undefined ? {} : { client }), handshakes, bad };
  };
  const failed = (failure: Failure): VerifyFailure => {
    const { remedy } = verifyCodes[failure.code];
    return { ...checked(), ok: false, ...failure, remedy };
  };
  const giveUp = () => settle(failed(givenUp(tally, repeat, { isStopped: signal.aborted, isLost: run.isLost })));
  return {
    lane: address,
    attempt: async () => {
      const handshake = await options.shakeHands(address, probeName(target.hostname, random), client);
      // What was cut off says nothing of the site; it is given up in the same moment.
      if (signal.aborted && !handshake.ok) return "later";
      const outcome = holdAgainst(handshake, subject, options.planned);
      count(outcome, tally);
      if (outcome.ok) {
        if (tally.row < repeat) return "once";
        settle({ ...checked(), ...outcome });
        return "settled";
      }
      const { ok: _, ...failure } = outcome;
      if (isOfCertificate(failure.code)) await options.planned?.refresh(signal);
      // What was stopped in the meantime is given up, and told, as it was then.
      if (signal.aborted) return "later";
      const outlook = run.outlookFor({
        code: failure.code,
        ...(failure.certificate === undefined ? {} : { served: failure.certificate }),
        uploads: uploadsFor(subject, options.planned),
        nowMs: options.now(),
        deadlineMs: run.deadline,
      });
      if (outlook === "final") {
        run.isLost = true;
        settle(failedForGood(failed(failure)));
        return "settled";
      }
      if (run.isLost) {
        giveUp();
        return "settled";
      }
      options.onRetry?.(failed(failure), outlook);
      return "later";
    },
    giveUp,
  };
}

function count(outcome: Outcome, tally: Tally): void {
  if (tally.handshakes > 0 && outcome.ok !== tally.row > 0) tally.turns += 1;
  tally.handshakes += 1;
  if (outcome.ok) {
    tally.row += 1;
    return;
  }
  const { ok: _, ...failure } = outcome;
  tally.row = 0;
  tally.bad += 1;
  tally.last = failure;
}

/** What is told of a subject that is given up: what was seen last, and whether it comes and goes. */
function givenUp(
  { handshakes, bad, row, turns, last }: Tally,
  repeat: number,
  { isStopped, isLost }: { readonly isStopped: boolean; readonly isLost: boolean },
): Failure {
  if (last === undefined && isStopped) return { code: "stopped", detail: "the run was stopped" };
  if (last === undefined) {
    const detail = handshakes === 0 ? "nothing was tried" : `${handshakes} of ${repeat} good handshakes`;
    return { code: "not-tried", detail };
  }
  const why = isLost ? "; not tried for longer, as another one is bad for good" : "";
  const comesAndGoes = turns > 1 || row > 0;
  if (!comesAndGoes) return { ...last, detail: `${last.detail}${why}` };
  const detail = `${bad} of ${countOf(handshakes, "handshake")} bad, the latest of them ${last.code} (${last.detail})`;
  return { ...last, code: "flapping", detail: `${detail}${why}` };
}

/** What is known of it can have changed meanwhile. */
function isOfCertificate(code: ServingFailure): boolean {
  return code === "other-certificate" || code === "certificate-not-issued" || finalRemedies[code] !== undefined;
}

function failedForGood(failure: VerifyFailure): VerifyFailure {
  const { code, detail, remedy } = failure;
  return {
    ...failure,
    detail: `${detail}; it is the certificate that is uploaded for it, so that no waiting helps`,
    remedy: finalRemedies[code] ?? remedy,
    final: true,
  };
}

/** The only certificate that is uploaded for it, once as the plan has it and once as Certificate Manager has it, as far as they are known. */
function uploadsFor({ target, client }: Subject, planned: PlannedCertificates | undefined): readonly string[] {
  const { uploads = [], planned: names = [] } = target;
  const live = planned?.of(names).map(({ upload }) => upload) ?? [];
  const isKnown = live.every((upload) => upload !== undefined);
  return [uploads, isKnown ? live : []].flatMap((pems) => {
    const fitting = pems.filter((pem) => client === undefined || familyOf(keyTypeOf(pem)) === client);
    return fitting.length === 1 ? fitting : [];
  });
}

function keyTypeOf(pem: string | undefined): string {
  return readCertificateChain(pem ?? "").leaf?.keyType ?? "";
}
