import { InputError } from "../../errors";

/** A listener on one address. */
interface Listener {
  readonly address: string;
  readonly port: number;
  readonly close: () => Promise<void>;
}

/** Listeners and unavailable addresses. */
export interface Endpoints<Listening extends Listener> {
  /** One listener per available address; never empty. */
  readonly listeners: readonly Listening[];
  /** Addresses that the machine lacks. */
  readonly unavailable: readonly string[];
}

/** Maximum number of attempts to find a port that is free on all addresses. */
const portAttempts = 20;

/**
 * Listens on the same port of all available addresses.
 *
 * @param port 0 for a port that is free on all addresses
 * @param listen throws InputError `listener-address-unavailable` if the machine lacks an address,
 * `listener-address-in-use` if the port is in use
 * @throws InputError of `listen` if no attempt succeeds
 */
export async function listenEverywhere<Listening extends Listener>(
  addresses: readonly string[],
  port: number,
  listen: (address: string, port: number) => Promise<Listening>,
): Promise<Endpoints<Listening>> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await listenOnce(addresses, port, listen);
    } catch (error) {
      if (!isCode(error, "listener-address-in-use") || port !== 0 || attempt === portAttempts) throw error;
    }
  }
}

async function listenOnce<Listening extends Listener>(
  addresses: readonly string[],
  port: number,
  listen: (address: string, port: number) => Promise<Listening>,
): Promise<Endpoints<Listening>> {
  const listeners: Listening[] = [];
  const missing = new Map<string, InputError>();
  try {
    for (const address of addresses) {
      try {
        listeners.push(await listen(address, listeners[0]?.port ?? port));
      } catch (error) {
        if (!isCode(error, "listener-address-unavailable")) throw error;
        missing.set(address, error);
      }
    }
    if (listeners.length === 0) throw new InputError([...missing.values()].flatMap(({ problems }) => problems));
    return { listeners, unavailable: [...missing.keys()] };
  } catch (error) {
    await closeAll(listeners);
    throw error;
  }
}

/** Closes all listeners; resolves when all are closed. */
export async function closeAll(listeners: readonly Listener[]): Promise<void> {
  await Promise.all(listeners.map((listener) => listener.close()));
}

function isCode(error: unknown, code: string): error is InputError {
  return error instanceof InputError && error.code === code;
}
