import { CloudError } from "../cloud-error";
import type { Json, WireAnswer } from "../front";
import type { Clock } from "../state";
import type { ByteBudget, ObjectPlan } from "./objects";
import { type ContentRange, readContentRange } from "./upload-format";

interface NewSession {
  readonly plan: ObjectPlan;
  /** Length of the whole content in bytes, if the client stated it. */
  readonly total: number | undefined;
  readonly answer: (resource: Json) => WireAnswer;
}

interface Session extends NewSession {
  total: number | undefined;
  readonly beganAtMs: number;
  pieces: Uint8Array[];
  heldBytes: number;
  /** Set when the object is stored, so that a client that missed the answer gets it again. */
  done?: WireAnswer;
}

/** Pieces other than the last are kept in multiples of this length: 256 KiB. */
const unitBytes = 256 * 1024;
const lifetimeMs = 7 * 24 * 60 * 60 * 1_000;
/** Bytes reserved for the metadata of a session, so that sessions without content count as well. */
const sessionBytes = 16 * 1024;

interface SessionsOptions {
  readonly clock: Clock;
  readonly budget: ByteBudget;
  readonly makeId: () => string;
  readonly finish: (plan: ObjectPlan, content: Uint8Array) => Json;
}

/** Sessions of resumable uploads. A session expires a week after its start, in the cloud's time. */
export class UploadSessions {
  readonly #options: SessionsOptions;
  readonly #sessions = new Map<string, Session>();

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  /** Starts a session, and returns its id. @throws CloudError 413 beyond the limits, 429 for too many open uploads */
  begin(session: NewSession): string {
    const { budget, clock, makeId } = this.#options;
    if (session.total !== undefined) budget.checkObject(session.total);
    this.#dropExpired();
    const { openUploads } = budget.limits;
    const sessions = [...this.#sessions];
    const finished = sessions.filter(([, { done }]) => done !== undefined);
    if (sessions.length - finished.length >= openUploads) {
      const message = `${openUploads} uploads are open, which is the limit of the rehearsal cloud: finish or cancel some`;
      throw new CloudError("RESOURCE_EXHAUSTED", message);
    }
    const [oldest] = finished;
    if (finished.length >= openUploads && oldest !== undefined) this.#drop(...oldest);
    budget.take(sessionBytes);
    const id = makeId();
    this.#sessions.set(id, { ...session, beganAtMs: clock.now().getTime(), pieces: [], heldBytes: 0 });
    return id;
  }

  /** Stores a piece, or returns the status of an upload. @throws CloudError 400 for a wrong position, 404, 413 */
  receive(id: string, octets: Uint8Array, header: string | undefined): WireAnswer {
    const session = this.#find(id);
    if (session.done !== undefined) return session.done;
    const range = readContentRange(header, octets.byteLength);
    const { total } = range;
    if (total !== undefined && session.total !== undefined && total !== session.total) {
      const message = `the Content-Range states ${total} bytes in all; the upload began with ${session.total} bytes`;
      throw new CloudError("INVALID_ARGUMENT", message);
    }
    if (total !== undefined) {
      this.#options.budget.checkObject(total);
      session.total = total;
    }
    this.#keep(session, octets, range);
    return session.heldBytes === session.total ? this.#finish(id, session) : incomplete(session);
  }

  /** Cancels an upload. @throws CloudError 404 */
  cancel(id: string): void {
    this.#drop(id, this.#find(id));
  }

  clear(): void {
    for (const [id, session] of [...this.#sessions]) this.#drop(id, session);
  }

  #keep(session: Session, octets: Uint8Array, { from, end, total }: ContentRange): void {
    if (from === undefined || end === undefined) return;
    if (from > session.heldBytes) {
      const message = `the piece begins at byte ${from}, the upload has ${session.heldBytes} bytes: send the bytes between them first`;
      throw new CloudError("INVALID_ARGUMENT", message);
    }
    const isLast = end === total;
    if (!isLast && octets.byteLength < unitBytes) {
      const message = `the piece has ${octets.byteLength} bytes: every piece but the last has a multiple of ${unitBytes} bytes`;
      throw new CloudError("INVALID_ARGUMENT", message);
    }
    const keptEnd = isLast ? end : Math.floor(end / unitBytes) * unitBytes;
    if (keptEnd <= session.heldBytes) return;
    const { budget } = this.#options;
    budget.checkObject(keptEnd);
    budget.take(keptEnd - session.heldBytes);
    const kept = octets.subarray(session.heldBytes - from, keptEnd - from);
    // Copies a part: a slice would keep the whole request body in memory.
    session.pieces.push(kept.byteLength === octets.byteLength ? kept : new Uint8Array(kept));
    session.heldBytes = keptEnd;
  }

  #finish(id: string, session: Session): WireAnswer {
    const content = Buffer.concat(session.pieces);
    // The object replaces the pieces; an upload that is rejected here has failed permanently.
    this.#drop(id, session);
    const done = session.answer(this.#options.finish(session.plan, content));
    this.#keepDone(id, session, done);
    return done;
  }

  /** Keeps the answer if there is enough space; the object is stored in any case. */
  #keepDone(id: string, session: Session, done: WireAnswer): void {
    const { budget } = this.#options;
    if (budget.takenBytes + sessionBytes > budget.limits.totalBytes) return;
    budget.take(sessionBytes);
    this.#sessions.set(id, { ...session, pieces: [], heldBytes: 0, done });
  }

  #find(id: string): Session {
    this.#dropExpired();
    const session = this.#sessions.get(id);
    if (session === undefined)
      throw new CloudError("NOT_FOUND", "the upload session of this upload_id does not exist: begin the upload again");
    return session;
  }

  #dropExpired(): void {
    const now = this.#options.clock.now().getTime();
    for (const [id, session] of [...this.#sessions]) {
      if (now - session.beganAtMs > lifetimeMs) this.#drop(id, session);
    }
  }

  #drop(id: string, session: Session): void {
    if (this.#sessions.delete(id)) this.#options.budget.release(session.heldBytes + sessionBytes);
  }
}

function incomplete({ heldBytes }: Session): WireAnswer {
  return { status: 308, headers: heldBytes === 0 ? {} : { range: `bytes=0-${heldBytes - 1}` }, body: "" };
}
