import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runWith, testIo } from "../support/io";
import { makeCertificate } from "../support/make-certificate";

const { certificatePem, privateKeyPem } = makeCertificate(["example.com"]);
let file: string;
beforeAll(() => {
  file = join(mkdtempSync(join(tmpdir(), "roots-")), "roots.pem");
});
afterAll(() => rmSync(join(file, ".."), { recursive: true }));

const target = ["--hostname", "example.com", "--address", "127.0.0.1"];
const commands: readonly (readonly string[])[] = [
  ["verify", ...target],
  ["watch", ...target],
  ["inventory", "127.0.0.1:9"],
];

test.each([
  ["is empty", "", "it has no certificate in PEM"],
  ["has only a key", privateKeyPem, "it has no certificate in PEM"],
  ["is cut", certificatePem.slice(0, 200), "line 1: BEGIN CERTIFICATE has no END line"],
])("commands refuse a file of --ca that %s, because Node would ignore it", async (_, content, why) => {
  writeFileSync(file, content);
  for (const words of commands) {
    const io = testIo();
    expect([words[0], await runWith([...words, "--ca", file], io)]).toEqual([words[0], 2]);
    expect(io.err()).toContain(`${why}`);
    expect(io.err()).toContain("[roots-unusable]");
  }
});
