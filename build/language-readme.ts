import { type Language, statementIn } from "../docs/generate/languages";
import { devDependencies, name, version } from "../package.json";

/** Languages by their names in the packaging tool, with their usual names. */
const languages: Readonly<Record<string, { readonly title: string; readonly example: Language }>> = {
  typescript: { title: "TypeScript", example: "typescript" },
  python: { title: "Python", example: "python" },
  java: { title: "Java", example: "java" },
  go: { title: "Go", example: "go" },
  dotnet: { title: "C#", example: "csharp" },
};

/** Returns the README of the package in a language, for example `python` or `dotnet`. */
export function languageReadme(language: string): string {
  const known = languages[language];
  if (known === undefined) throw new Error(`no README for ${language}; add it to build/language-readme.ts`);
  const { title, example } = known;
  return `# Constructs for certificate migrations to Google Cloud load balancers, in ${title}

Constructs for CDK Terrain that create DNS authorizations, CNAME records, certificates, a certificate map with one entry
per hostname, and the attachment to target proxies, in the order in which no handshake fails.

## Example

\`\`\`${example}
${statementIn(example)}
\`\`\`

## Requirements

- cdktn ${devDependencies.cdktn} and the bindings of the google provider.
- Node 22.11 or later on every machine that synthesizes or applies: jsii runs the constructs with Node, and the gates
  run the command \`cert-migration\`.
- The npm package \`${name}\` ${version}, which has the command, in the folder where Terraform runs.

## Documentation

The npm package contains the documentation: \`docs/languages.md\` for other languages, \`docs/constructs.md\` for all
constructs and props, with their names in TypeScript.
`;
}
