import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Extractor, ExtractorConfig, ExtractorLogLevel } from "@microsoft/api-extractor";

/** A declaration of the package's types, as API Extractor represents it. */
export interface ApiItem {
  readonly kind: string;
  readonly name: string;
  readonly docComment?: string;
  readonly excerptTokens: readonly { readonly kind: string; readonly text: string }[];
  readonly members?: readonly ApiItem[];
  readonly isOptional?: boolean;
  readonly isStatic?: boolean;
  readonly propertyTypeTokenRange?: TokenRange;
  readonly typeTokenRange?: TokenRange;
}

interface TokenRange {
  readonly startIndex: number;
  readonly endIndex: number;
}

/** An entry point of the package. */
export interface EntryPoint {
  /** `index` stands for the package itself. */
  readonly name: string;
  readonly items: readonly ApiItem[];
  /** All signatures, committed to the repository: a changed signature changes the public API. */
  readonly report: string;
}

const root = join(__dirname, "..", "..");

/** Compiles the package's types and reads every entry point. */
export function readEntryPoints(names: readonly string[]): readonly EntryPoint[] {
  const folder = mkdtempSync(join(tmpdir(), "api-"));
  try {
    execFileSync("npx", ["--no-install", "tsc", "-p", "tsconfig.build.json", "--outDir", join(folder, "dist")], {
      cwd: root,
      stdio: "inherit",
    });
    cpSync(join(root, "package.json"), join(folder, "package.json"));
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    for (const part of ["report", "model"]) mkdirSync(join(folder, part));
    return names.map((name) => readEntryPoint(folder, name));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readEntryPoint(folder: string, name: string): EntryPoint {
  const quiet = { default: { logLevel: ExtractorLogLevel.None } };
  const config = ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: join(folder, "package.json"),
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath: join(folder, "dist", name === "index" ? "" : name, "index.d.ts"),
      compiler: {
        overrideTsconfig: {
          compilerOptions: {
            module: "node16",
            target: "es2022",
            lib: ["es2022", "esnext.disposable"],
            strict: true,
            skipLibCheck: true,
            types: ["node"],
          },
          include: [join(folder, "dist", "**", "*.d.ts")],
        },
      },
      apiReport: {
        enabled: true,
        reportFolder: join(folder, "report"),
        reportTempFolder: join(folder, "report"),
        reportFileName: name,
      },
      docModel: { enabled: true, apiJsonFilePath: join(folder, "model", `${name}.json`) },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      newlineKind: "lf",
      messages: {
        compilerMessageReporting: quiet,
        extractorMessageReporting: quiet,
        tsdocMessageReporting: quiet,
      },
    },
  });
  const { succeeded } = Extractor.invoke(config, {
    localBuild: true,
    messageCallback: (message) => {
      message.handled = message.logLevel !== "error";
    },
  });
  if (!succeeded) throw new Error(`the types of ${name} can't be read`);
  const model = JSON.parse(readFileSync(join(folder, "model", `${name}.json`), "utf8")) as {
    readonly members: readonly [{ readonly members: readonly ApiItem[] }];
  };
  const report = readFileSync(join(folder, "report", `${name}.api.md`), "utf8");
  return { name, items: model.members[0].members, report };
}

/** Returns a type or a whole declaration on one line. */
export function textOf({ excerptTokens }: ApiItem, range?: TokenRange): string {
  const tokens = range === undefined ? excerptTokens : excerptTokens.slice(range.startIndex, range.endIndex);
  return tokens
    .map(({ text }) => text)
    .join("")
    .replace(/\s+/g, " ")
    .trim();
}
