import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

const systems: Readonly<Record<string, string>> = { linux: "linux", darwin: "darwin", win32: "windows" };
const machines: Readonly<Record<string, string>> = { x64: "amd64", arm64: "arm64" };

/**
 * Returns the versions of hashicorp/google for this system in a filesystem mirror of Terraform, packed or unpacked,
 * oldest first.
 */
export function versionsIn(
  mirror: string,
  { platform, arch } = { platform: process.platform as string, arch: process.arch as string },
): readonly string[] {
  const folder = join(mirror, "registry.terraform.io", "hashicorp", "google");
  if (!existsSync(folder)) return [];
  const target = `${systems[platform] ?? platform}_${machines[arch] ?? arch}`;
  const packed = new RegExp(`^terraform-provider-google_(.+)_${target}\\.zip$`);
  const found = readdirSync(folder).flatMap((name) => {
    const zip = packed.exec(name)?.[1];
    if (zip !== undefined) return [zip];
    const unpacked = join(folder, name, target);
    return existsSync(unpacked) && readdirSync(unpacked).length > 0 ? [name] : [];
  });
  return [...new Set(found)].sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
}

/** Returns a CLI configuration of Terraform that installs providers only from a filesystem mirror. */
export function installationSettings(mirror: string): string {
  return `provider_installation {\n  filesystem_mirror {\n    path = ${JSON.stringify(mirror)}\n  }\n}\n`;
}
