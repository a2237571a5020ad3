import { checkLoopback, explainListenError } from "../../../lib/cloud/tls/listener";
import { InputError } from "../../../lib/errors";

test.each(["127.0.0.1", "127.255.255.254", "::1"])("accepts %s as a loopback address", (address) => {
  expect(() => checkLoopback(address)).not.toThrow();
});

test.each(["0.0.0.0", "192.0.2.1", "128.0.0.1", "::", "::2", "localhost", "127.0.0.1:443", "", "127.1"])(
  "refuses %j as a loopback address",
  (address) => {
    expect(() => checkLoopback(address)).toThrow(
      new InputError(
        "listener-address-not-loopback",
        `'${address}' is not a loopback address: use one of 127.0.0.0/8, or ::1`,
      ),
    );
  },
);

test.each([
  ["EADDRINUSE", "listener-address-in-use", "127.0.0.9, port 443 is in use: end what listens there, or choose another"],
  [
    "EADDRNOTAVAIL",
    "listener-address-unavailable",
    "127.0.0.9 is not an address of this machine: add it to the loopback interface, or use 127.0.0.1",
  ],
  [
    "EAFNOSUPPORT",
    "listener-address-unavailable",
    "127.0.0.9 is not an address of this machine: add it to the loopback interface, or use 127.0.0.1",
  ],
  [
    "EACCES",
    "listener-port-forbidden",
    "127.0.0.9, port 443 may not be listened on by this user: choose a port of 1024 or above",
  ],
])("reports %s as an error of the caller: %s", (errno, code, message) => {
  const error = Object.assign(new Error(), { code: errno });

  expect(explainListenError(error, "127.0.0.9", 443)).toMatchObject({ name: "InputError", code, message });
});

test("passes any other error through", () => {
  const error = Object.assign(new Error("too many open files"), { code: "EMFILE" });

  expect(explainListenError(error, "127.0.0.9", 443)).toBe(error);
});
