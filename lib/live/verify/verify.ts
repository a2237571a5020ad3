import { findingsOf } from "../../findings/finding";
import { defined } from "../../json/defined";
import { familyOf, type KeyFamily } from "../../tls/key-families";
import { readCertificateChain } from "../../x509";
import { type Check, runChecks } from "../run-checks";
import { type ServingFailure, verifyCodes } from "./codes";
import type { Handshake } from "./handshake";
import type { ServedCertificate } from "./handshake-model";
import { createOutlook, finalRemedies, type Outlook } from "./outlook";
import type { PlannedCertificates } from "./planned";
import {
  type Checked,
  compareWithPlan,
  type Failure,
  type Subject,
  type VerifyFailure,
  type VerifyResult,
} from "./results";
import { addOutcome, countOptional, createTally, failureIn, givenUp } from "./tally";
import { probeName, type VerifyTarget } from "./targets";

/** Options of {@link verifyServing}. */
export interface VerifyOptions {
  readonly targets: readonly VerifyTarget[];
  /** Makes one connection; `client` is the key type that the client accepts, any type if absent. Never rejects. */
  readonly shakeHands: (address: string, hostname: string, client?: KeyFamily) => Promise<Handshake>;
  /** The certificates that the targets must serve. @default - any certificate that is valid for the name is accepted */
  readonly planned?: PlannedCertificates;
  /**
   * Key types that every hostname must serve, each to clients that accept only that type.
   *
   * @default - the types of the planned certificates, if there are several
   */
  readonly keyFamilies?: readonly KeyFamily[];
  /**
   * Whether clients that accept only RSA or only ECDSA keys are tried as well, once for each address. A server may
   * refuse them, but must not serve a wrong certificate to them.
   *
   * @default true
   */
  readonly tryAllKeyTypes?: boolean;
  /**
   * Every root that clients trust, in PEM. With the roots, an incomplete chain of an uploaded certificate is detected
   * at once.
   *
   * @default - unknown: a failing chain is retried until the time limit
   */
  readonly trusted?: readonly string[];
  /**
   * Number of consecutive successful handshakes that confirm a hostname; the front ends apply changes one after the
   * other.
   *
   * @default 3
   */
  readonly repeat?: number;
  /**
   * Time limit for the whole run, in milliseconds. Hostnames that still fail are then reported with their latest
   * failure.
   *
   * @default 10 minutes
   */
  readonly withinMs?: number;
  /** Maximum number of connections at the same time; slow connections do not count. @default 64 */
  readonly concurrency?: number;
  readonly signal: AbortSignal;
  readonly now: () => number;
  /** Resolves after that many milliseconds, or rejects when the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Returns a random number from 0 to 1. */
  readonly random: () => number;
  /** Called with each result when it is settled. */
  readonly onResult?: (result: VerifyResult) => void;
  /** Called for each failed hostname that is retried, with the outlook of the retry. */
  readonly onRetry?: (result: VerifyFailure, outlook: Exclude<Outlook, "final">) => void;
}

const keyFamilies: readonly KeyFamily[] = ["rsa", "ecdsa"];
const failureOf = findingsOf<ServingFailure>(verifyCodes);
const defaultWithinMs = 10 * 60 * 1000;
const pauseMs = 5_000;

/**
 * Verifies every hostname at every address independently, so that an unreachable address does not delay the others.
 * Temporary failures are retried until the time limit. If a failure is final, all other failures are no longer retried,
 * because the whole run fails anyway.
 *
 * @returns a result for each pair (for each pair and key type, if there are several), in the order of targets and then
 * addresses
 */
export async function verifyServing(options: VerifyOptions): Promise<readonly VerifyResult[]> {
  const { signal, now, sleep, concurrency = 64 } = options;
  const results: VerifyResult[] = [];
  const subjects = options.targets.flatMap((target) =>
    target.addresses.flatMap((address) => {
      const clients = clientsFor(target, options);
      const optional =
        options.tryAllKeyTypes === false ? [] : keyFamilies.filter((family) => !clients.includes(family));
      return clients.map((client, index) => ({ target, address, client, optional: index === 0 ? optional : [] }));
    }),
  );
  const deadline = now() + (options.withinMs ?? defaultWithinMs);
  const run: Run = { outlookFor: createOutlook(options.trusted), deadline, isLost: false };
  const checks = subjects.map((subject, index) => {
    const settle = (result: VerifyResult) => {
      // A handshake may end after Ctrl-C, when the check was already given up.
      if (results[index] !== undefined) return;
      results[index] = result;
      options.onResult?.(result);
    };
    return checkOf(subject, options, run, settle);
  });
  await runChecks(checks, { concurrency, deadline, pauseMs, signal, now, sleep });
  return results;
}

interface Run {
  readonly outlookFor: ReturnType<typeof createOutlook>;
  readonly deadline: number;
  isLost: boolean;
}

/** Returns one client that accepts all key types, or a client for each type if an entry has several. */
function clientsFor(
  { planned = [] }: VerifyTarget,
  { planned: certificates, keyFamilies }: VerifyOptions,
): readonly (KeyFamily | undefined)[] {
  if (keyFamilies !== undefined && keyFamilies.length > 0) return keyFamilies;
  const families = (certificates?.of(planned) ?? []).flatMap(({ facts }) => familyOf(facts?.keyType ?? "") ?? []);
  const distinct = [...new Set(families)].sort();
  return distinct.length > 1 ? distinct : [undefined];
}

function checkOf(subject: Subject, options: VerifyOptions, run: Run, settle: (result: VerifyResult) => void): Check {
  const { repeat = 3, signal, random } = options;
  const { target, address, client } = subject;
  const tally = createTally();
  const checked = (): Checked => {
    const { handshakes, bad } = tally;
    return { hostname: target.hostname, address, ...defined({ client }), handshakes, bad };
  };
  const failed = ({ code, detail, ...further }: Failure): VerifyFailure => {
    return { ...checked(), ...further, ok: false, ...failureOf(code, target.hostname, detail) };
  };
  const giveUp = () => settle(failed(givenUp(tally, repeat, { isStopped: signal.aborted, isLost: run.isLost })));
  const fail = async (failure: Failure): Promise<"settled" | "later"> => {
    if (isOfCertificate(failure.code)) await options.planned?.refresh(signal);
    // The run was stopped meanwhile, and has reported the check with its state at that time.
    if (signal.aborted) return "later";
    const outlook = run.outlookFor({
      code: failure.code,
      ...defined({ served: failure.certificate }),
      uploads: uploadsFor({ target, client: failure.client ?? client }, options.planned),
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
  };
  return {
    lane: address,
    attempt: async () => {
      const handshake = await options.shakeHands(address, probeName(target.hostname, random), client);
      // An aborted connection shows nothing about the site. The run gives up the check at the same moment.
      if (signal.aborted && !handshake.ok) return "later";
      const outcome = compareWithPlan(handshake, subject, options.planned);
      addOutcome(outcome, tally);
      if (!outcome.ok) return fail(failureIn(outcome));
      if (tally.row < repeat) return "once";
      const wrong = await wrongForKeyType(subject, outcome.certificate, options);
      if (wrong === undefined) {
        settle({ ...checked(), ...outcome });
        return "settled";
      }
      if (signal.aborted) return "later";
      countOptional(wrong, tally);
      return fail(wrong);
    },
    giveUp,
  };
}

/**
 * Makes a handshake for each optional key type that the server has not shown yet.
 *
 * @returns the first wrong certificate; undefined if there is none, or if the server refuses the key types
 */
async function wrongForKeyType(
  { target, address, optional }: Subject,
  shown: ServedCertificate,
  { shakeHands, planned, random, signal }: VerifyOptions,
): Promise<Failure | undefined> {
  for (const client of optional) {
    if (client === familyOf(shown.keyType) || signal.aborted) continue;
    const handshake = await shakeHands(address, probeName(target.hostname, random), client);
    const outcome = compareWithPlan(handshake, { target, client }, planned);
    if (outcome.ok || outcome.certificate === undefined || !isOfCertificate(outcome.code)) continue;
    const failure = failureIn(outcome);
    return { ...failure, client, detail: `a client that takes ${client} alone: ${failure.detail}` };
  }
  return undefined;
}

/** Reports whether a failure depends on the planned certificates, which may have changed since they were read. */
function isOfCertificate(code: ServingFailure): boolean {
  return code === "other-certificate" || code === "certificate-not-issued" || finalRemedies[code] !== undefined;
}

function failedForGood(failure: VerifyFailure): VerifyFailure {
  const { code, message, remedy } = failure;
  return {
    ...failure,
    message: `${message}; the plan uploads this certificate for the hostname, so a retry cannot succeed`,
    remedy: finalRemedies[code] ?? remedy,
    final: true,
  };
}

/** Returns the only uploaded certificate, once from the plan and once from Certificate Manager, as far as known. */
function uploadsFor(
  { target, client }: Pick<Subject, "target" | "client">,
  planned: PlannedCertificates | undefined,
): readonly string[] {
  const { uploads = [], planned: names = [] } = target;
  const live = planned?.of(names).map(({ upload }) => upload) ?? [];
  const isKnown = live.every((upload) => upload !== undefined);
  return [uploads, isKnown ? live : []].flatMap((pems) => {
    const fitting = pems.filter((pem) => client === undefined || familyOf(keyTypeOf(pem)) === client);
    return fitting.length === 1 ? fitting : [];
  });
}

function keyTypeOf(pem: string): string {
  return readCertificateChain(pem).leaf?.keyType ?? "";
}
