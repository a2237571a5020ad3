import { listenEverywhere } from "../../lib/cloud/third-party-server";
import { InputError } from "../../lib/errors";

const lacking = (address: string) => new InputError("listener-address-unavailable", `${address} is missing`);
const inUse = (address: string) => new InputError("listener-address-in-use", `${address} is in use`);

/** Creates a fake machine with free ports 1, 2, 3 …; `fate` returns the error of a listener, if it fails. */
function machine(fate: (address: string, port: number) => Error | undefined = () => undefined) {
  const open = new Set<string>();
  let free = 0;
  return {
    open,
    listen: async (address: string, wanted: number) => {
      if (wanted === 0) free += 1;
      const port = wanted === 0 ? free : wanted;
      const refusal = fate(address, port);
      if (refusal !== undefined) throw refusal;
      open.add(`${address}:${port}`);
      return { address, port, close: async () => void open.delete(`${address}:${port}`) };
    },
  };
}

test("assigns the requested port to all addresses", async () => {
  const { listen, open } = machine();

  await listenEverywhere(["127.0.0.1", "::1"], 443, listen);

  expect([...open]).toEqual(["127.0.0.1:443", "::1:443"]);
});

test("releases a chosen port of the first address if it is in use on another, and tries the next", async () => {
  const { listen, open } = machine((address, port) => (address === "::1" && port < 3 ? inUse(address) : undefined));

  await listenEverywhere(["127.0.0.1", "::1"], 0, listen);

  expect([...open]).toEqual(["127.0.0.1:3", "::1:3"]);
});

test("gives up after twenty ports", async () => {
  const ports = new Set<number>();
  const { listen, open } = machine((address, port) =>
    address === "::1" && ports.add(port) ? inUse(address) : undefined,
  );

  await expect(listenEverywhere(["127.0.0.1", "::1"], 0, listen)).rejects.toThrow("::1 is in use");
  expect(ports.size).toBe(20);
  expect(open.size).toBe(0);
});

test("does not replace a requested port", async () => {
  const { listen, open } = machine((address) => (address === "::1" ? inUse(address) : undefined));

  await expect(listenEverywhere(["127.0.0.1", "::1"], 443, listen)).rejects.toThrow("::1 is in use");
  expect(open.size).toBe(0);
});

test("leaves out and names addresses that the machine lacks", async () => {
  const { listen } = machine((address) => (address === "127.0.0.2" ? lacking(address) : undefined));

  const { listeners, unavailable } = await listenEverywhere(["127.0.0.2", "127.0.0.1", "::1"], 0, listen);

  expect(listeners.map(({ address, port }) => `${address} ${port}`)).toEqual(["127.0.0.1 2", "::1 2"]);
  expect(unavailable).toEqual(["127.0.0.2"]);
});

test("reports each address if the machine lacks all of them", async () => {
  const { listen } = machine(lacking);

  await expect(listenEverywhere(["127.0.0.2", "127.0.0.3"], 0, listen)).rejects.toThrow(
    "127.0.0.2 is missing\n127.0.0.3 is missing",
  );
});

test("fails at any other error, with every listener closed", async () => {
  const { listen, open } = machine((address) => (address === "::1" ? new Error("too many open files") : undefined));

  await expect(listenEverywhere(["127.0.0.1", "::1"], 0, listen)).rejects.toThrow("too many open files");
  expect(open.size).toBe(0);
});
