import { BlockList, isIP } from "node:net";
import { InputError } from "../../errors";
import { quote } from "../../text/quote";

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8);
loopback.addAddress("::1", "ipv6");

/**
 * Rejects addresses that other machines could reach, because the listeners are for rehearsals and may use real private
 * keys.
 *
 * @throws InputError `listener-address-not-loopback`
 */
export function checkLoopback(address: string): void {
  const family = isIP(address);
  if (family !== 0 && loopback.check(address, family === 6 ? "ipv6" : "ipv4")) return;
  throw new InputError(
    "listener-address-not-loopback",
    `${quote(address)} is not a loopback address: use one of 127.0.0.0/8, or ::1`,
  );
}

/** Converts an error of `listen` to an InputError about the address or port; returns any other error unchanged. */
export function explainListenError(error: NodeJS.ErrnoException, address: string, port: number): Error {
  const where = `${address}, port ${port}`;
  switch (error.code) {
    case "EADDRINUSE":
      return new InputError("listener-address-in-use", `${where} is in use: end what listens there, or choose another`);
    case "EADDRNOTAVAIL":
    case "EAFNOSUPPORT":
      return new InputError(
        "listener-address-unavailable",
        `${address} is not an address of this machine: add it to the loopback interface, or use 127.0.0.1`,
      );
    case "EACCES":
      return new InputError(
        "listener-port-forbidden",
        `${where} may not be listened on by this user: choose a port of 1024 or above`,
      );
    default:
      return error;
  }
}
