import { checkMade, failed, makeEvidence, rewrite, sign } from "./made-evidence";

/** Makes valid evidence as builds before the names of today wrote it. */
function makeFormer(): void {
  makeEvidence().keep();
  rewrite("previous-trust-bundle.pem", "old-trust-bundle.pem");
  rewrite("previous-certificates.pem", "old-certificates.pem");
  rewrite("probes.jsonl", "probes.jsonl", {
    '"side":"previous"': '"side":"old"',
    '"side":"loadBalancer"': '"side":"new"',
  });
  rewrite("result.json", "result.json", { '"faultCounts"': '"struck"' });
  sign();
}

test("accepts evidence with the names of former builds in every check", async () => {
  makeEvidence().keep();
  const present = await checkMade();
  makeFormer();
  const hasDigest = ({ name }: { readonly name: string }) => name === "manifest";
  expect((await checkMade()).filter((check) => !hasDigest(check))).toEqual(
    present.filter((check) => !hasDigest(check)),
  );
});

test("refuses a probe of the other side in former evidence", async () => {
  makeFormer();
  rewrite("probes.jsonl", "probes.jsonl", { '"side":"new"': '"side":"old"' });
  sign();
  expect(await failed()).toEqual(["sides"]);
});
