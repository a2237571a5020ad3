import { InputError } from "../../errors";

/** Something that listens on one address. */
interface Listener {
  readonly address: string;
  readonly port: number;
  readonly close: () => Promise<void>;
}

/** What became of the addresses. */
export interface Endpoints<Listening extends Listener> {
  /** One for each address that the machine has; never empty. */
  readonly listeners: readonly Listening[];
  /** Addresses that it doesn't have. */
  readonly unavailable: readonly string[];
}

/** How often a free port of the first address may turn out to be in use on another. */
const portAttempts = 20;

/**
 * Listens on the same port of all addresses that the machine has.
 *
 * @param port 0 for one that is free on all of them
 * @param listen throws InputError `listener-address-unavailable` where the machine lacks an address, `listener-address-in-use` where the port is taken
 * @throws InputError the ones of `listen`, where there is no way around
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

/** Closes them all, and waits until that is done. */
export async function closeAll(listeners: readonly Listener[]): Promise<void> {
  await Promise.all(listeners.map((listener) => listener.close()));
}

function isCode(error: unknown, code: string): error is InputError {
  return error instanceof InputError && error.code === code;
}
