import { createSocket } from "node:dgram";
import { once } from "node:events";
import { decode, encode } from "dns-packet";
import { makeActiveCertificate, makeZone, startTestCloud, type TestCloud } from "../support/cloud";
import { readOnlyCommands } from "../support/read-only";

/** A project with one certificate, whose renewal needs fewer look-ups than those after which DNS is no longer asked. */
let cloud: TestCloud;

beforeAll(async () => {
  cloud = await startTestCloud();
  await makeZone(cloud, "example-com", "example.com.", "shop-1");
  await makeActiveCertificate(cloud, "shop", "example-com", ["example.com"], "shop-1");
});

afterAll(() => cloud.stop());

const commands = readOnlyCommands(() => cloud.requests());

/** Starts a DNS server without records, and ends it after some answers. @returns its address */
async function startBriefServer(answers: number): Promise<string> {
  const socket = createSocket("udp4");
  let left = answers;
  socket.on("message", (octets, from) => {
    const { id = 0, questions = [] } = decode(octets);
    left -= 1;
    const isLast = left === 0;
    socket.send(encode({ type: "response", id, questions }), from.port, from.address, () => isLast && socket.close());
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  const place = `127.0.0.1:${socket.address().port}`;
  if (answers === 0) socket.close();
  return place;
}

test.each([
  [0, "renewals could not be checked: no DNS server answers; use --dns-server, or --no-dns [resolver-unreachable]"],
  [2, "not every renewal could be checked: 1 of 3 DNS look-ups got no answer; use another --dns-server, or leave them"],
])(
  "notes that renewals are unchecked if DNS stops after %i answers, with fewer than eight look-ups",
  async (answers, note) => {
    const place = await startBriefServer(answers);
    const words = ["inventory", "--project", "shop-1", "--endpoint", cloud.endpoints.http, "--dns-server", place];
    const { exitCode, stderr } = await commands.run(words);
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining(note)]);
  },
);

test("has no note about DNS if every look-up is answered, or none is made", async () => {
  const words = ["inventory", "--project", "shop-1", "--endpoint", cloud.endpoints.http];
  const answered = await commands.run([...words, "--dns-server", cloud.endpoints.dns]);
  const without = await commands.run([...words, "--no-dns"]);
  for (const { exitCode, stderr } of [answered, without]) {
    expect([exitCode, stderr]).toEqual([0, expect.not.stringContaining("renewal")]);
  }
});
