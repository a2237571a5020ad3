import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Recording } from "./run-stacks";
import type { ProviderSchema } from "./schema";

const root = join(__dirname, "..", "fixtures", "provider");

/** Returns the folder with the recordings of a version. */
export function fixtureFolder(version: string): string {
  return join(root, version);
}

/** Returns the recorded versions. */
export function recordedVersions(): readonly string[] {
  return existsSync(root) ? readdirSync(root).filter((name) => existsSync(join(root, name, "requests.json"))) : [];
}

/** Writes one request on each line, so that differences between recordings are readable. */
export function writeRecording(version: string, recording: Recording): void {
  const stacks = Object.entries(recording).map(([stack, steps]) => {
    const lines = Object.entries(steps).map(
      ([step, requests]) =>
        `    ${JSON.stringify(step)}: [\n${requests.map((request) => `      ${JSON.stringify(request)}`).join(",\n")}\n    ]`,
    );
    return `  ${JSON.stringify(stack)}: {\n${lines.join(",\n")}\n  }`;
  });
  writeFileSync(join(fixtureFolder(version), "requests.json"), `{\n${stacks.join(",\n")}\n}\n`);
}

export function readRecording(version: string): Recording {
  return JSON.parse(readFileSync(join(fixtureFolder(version), "requests.json"), "utf8")) as Recording;
}

export function readSchema(version: string): ProviderSchema {
  return JSON.parse(readFileSync(join(fixtureFolder(version), "schema.json"), "utf8")) as ProviderSchema;
}
