import * as ownPackage from "cdktf";
import { type Cloud, startCloud } from "../../lib/cloud";
import { ownKit } from "../../lib/constructs/kit";
import { otherKit } from "../../lib/kits";
import { startTerraformProvider, type TerraformProvider } from "../../lib/terraform-provider";
import { type Loaded, loadEntry, otherPackage, stackOf } from "../support/kits";
import { openTerraform } from "../support/terraform";

jest.setTimeout(60_000);

let cloud: Cloud;
let provider: TerraformProvider;

beforeAll(async () => {
  cloud = await startCloud({ speed: 60, behavior: { propagationMs: 0 } });
  provider = await startTerraformProvider({ cloudUrl: cloud.endpoints.http });
});

afterAll(async () => {
  await provider.close();
  await cloud.stop();
});

/** Creates a migration up to its map, with a zone of the same stack. */
function synthesize(loaded: Loaded, domains: readonly string[] = ["example.com", "*.example.com"]): object {
  const { entry, kit, zones } = loaded;
  const stack = stackOf(loaded);
  const zone = new zones.DnsManagedZone(stack, "zone", { name: "zone", dnsName: "example.com." });
  new entry.ManagedCertMigration(stack, "shop", {
    certificates: [entry.Certificate.managed({ domains })],
    dns: entry.DnsPublication.cloudDns({ zones: { "example.com": zone } }),
    loadBalancer: entry.LoadBalancer.globalExternal(),
    gate: "check",
  });
  return JSON.parse(kit.Testing.synth(stack, true));
}

test(`plans no change for a state that was applied with ${ownKit.name} after a move to ${otherKit(ownKit).name} and after the move back`, async () => {
  const own = loadEntry(ownPackage);
  const other = loadEntry(otherPackage);
  await using directory = await openTerraform(provider);
  await directory.apply(synthesize(own));

  await directory.write(synthesize(other));
  expect(await directory.succeed("plan", "-input=false", "-no-color")).toContain("No changes.");
  // A change of the migration is a change, whichever kit makes it.
  const changed = synthesize(other, ["example.com"]);
  await directory.write(changed);
  expect(await directory.plan()).toBe(2);
  await directory.apply(changed);

  await directory.write(synthesize(own, ["example.com"]));
  expect(await directory.succeed("plan", "-input=false", "-no-color")).toContain("No changes.");
  await directory.write(synthesize(own));
  expect(await directory.plan()).toBe(2);
});
