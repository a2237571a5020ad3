#!/bin/sh
# The package as users get it: checked by publint and attw, packed, installed into empty projects, and used there.
# Starts from what git knows of the work tree, without `dist`, as from a fresh clone: packing builds. Prints one line for each check and ends with `N passed, N failed`.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0
check() { # name, command…
  name=$1
  shift
  if "$@" > "$work/log" 2>&1; then
    passed=$((passed + 1))
    echo "ok: $name"
  else
    failed=$((failed + 1))
    echo "FAILED: $name"
    tail -n 40 "$work/log"
  fi
}
# What depends on npm or on TypeScript and not on the version of Node runs once.
once=$(node -p 'process.versions.node.split(".")[0] === "24" || ""')
cd "$root" || exit 1
mkdir "$work/tree" "$work/unpacked"
# shellcheck disable=SC2016
git ls-files -z --cached --others --exclude-standard | xargs -0 sh -c 'for path do [ ! -f "$path" ] || cp --parents "$path" "$0"; done' "$work/tree"
ln -s "$root/node_modules" "$work/tree/node_modules"
cd "$work/tree" || exit 1
check "packing builds" npm pack --silent --pack-destination "$work"
tar -xzf "$work"/*.tgz -C "$work/unpacked" || exit 1
check "publint finds nothing" "$root/node_modules/.bin/publint" run "$work/unpacked/package" --strict --pack false
[ -z "$once" ] || check "attw finds nothing" "$root/node_modules/.bin/attw" "$work"/*.tgz --exclude-entrypoints ./migration.schema.json ./output.schema.json ./project-inventory.schema.json
refuses() { # sentence, command…
  sentence=$1
  shift
  if "$@" > "$work/refusal" 2>&1; then return 1; fi
  grep -F "$sentence" "$work/refusal"
}
check "nothing is published while nobody knows where the repository is" refuses "not published: name the public repository" npm run prepublishOnly
check "with a repository it may be" sh -c "npm pkg set repository=github:owner/name && npm run prepublishOnly"
octets() { wc -c < "$1"; }
# 1.44 MB: the entry point of CDK Terrain has 40 kB, the pages of docs have 140 kB, the examples that they link to 12 kB,
# and the descriptions of CA Service and Network Security 12 kB. The formats of results, the run task of HCP Terraform and the
# stand-ins for DNS providers have 20 kB more, with their pages. The checks of alerts and of the time after a migration
# have 10 kB.
check "the tarball is within its budget of 1.64 MB" test "$(octets "$work"/*.tgz)" -le 1640000
check "nothing is in it but what is used" sh -c "! tar -tzf '$work'/*.tgz | grep -Ev '^package/(dist/.*[.](js|json|d[.]ts|css|proto)|docs/[A-Za-z-]+[.](md|svg)|examples/from-certificates/certificates/(intranet|pay|shop)[.]pem|examples/[a-z0-9-]+/[a-z-]+[.](ts|tf|yaml)|examples/mutual-tls/make-certificates[.]sh|examples/[a-z0-9-]+/certificates/main[.]tf[.]json|examples/fleet/assigned[.]json|examples/monitoring/dashboard[.]json|examples/(environments|monitoring)/[a-z-]+/main[.]tf|examples/pipelines/[^/]*|[.]github/(CONTRIBUTING|SECURITY|ISSUE_TEMPLATE/bug)[.]md|package[.]json|README[.]md|CHANGELOG[.]md|LICENSE)$'"
version() { node -p "require('$root/package.json').devDependencies['$1']"; }
mkdir "$work/user"
cd "$work/user" || exit 1
cp "$root"/test/fixtures/user-project/*.ts .
# Where the README has its reader make the tarball, and copy it from.
mkdir ../cdktf-google-cert-migration
mv "$work"/*.tgz ../cdktf-google-cert-migration
cp ../cdktf-google-cert-migration/*.tgz .
cat > package.json <<JSON
{ "name": "user", "private": true, "jest": { "transform": { "^.+\\\\.ts$": "@swc/jest" } } }
JSON
check "the tarball installs beside cdktf" npm install --no-audit --no-fund ./*.tgz cdktf@"$(version cdktf)" constructs@"$(version constructs)" \
  @cdktf/provider-google@"$(version @cdktf/provider-google)" jest@"$(version jest)" @swc/jest@"$(version @swc/jest)" @swc/core@"$(version @swc/core)" \
  tsx@"$(version tsx)" @types/jest@"$(version @types/jest)" @types/node@"$(version @types/node)" typescript@"$(version typescript)" \
  typescript-5.9@npm:typescript@5.9.3
check "a user's jest test passes" npx --no-install jest --ci=false
if [ -n "$once" ]; then
  check "a user's types are right" npx --no-install tsc --noEmit --strict --module node16 --target es2022 --types node,jest --skipLibCheck stack.ts stack.test.ts
  check "a user's types are right with TypeScript 5.9" node node_modules/typescript-5.9/bin/tsc --noEmit --strict --module node16 --target es2022 --types node,jest --skipLibCheck stack.ts stack.test.ts
  cat > undefined.ts <<'TS'
import { Certificate, LoadBalancer, type ManagedCertMigrationProps } from "cdktf-google-cert-migration";
const project = process.env.PROJECT;
export const props: Partial<ManagedCertMigrationProps> = {
  project,
  labels: undefined,
  certificates: [Certificate.managed({ domains: ["example.com"], project })],
  loadBalancer: LoadBalancer.globalExternal({ newTargetHttpsProxy: undefined }),
};
TS
  for compiler in typescript typescript-5.9; do
    check "optional properties accept undefined with exactOptionalPropertyTypes, with $compiler" node node_modules/$compiler/bin/tsc --noEmit --strict --exactOptionalPropertyTypes --module node16 --target es2022 --types node --skipLibCheck undefined.ts
  done
  cat > every.mts <<'TS'
import { ManagedCertMigration } from "cdktf-google-cert-migration";
import { splitMigration } from "cdktf-google-cert-migration/plan";
import { ApiDescription } from "cdktf-google-cert-migration/discovery";
import { evaluateFreeze } from "cdktf-google-cert-migration/audit";
import { startCloud } from "cdktf-google-cert-migration/cloud";
import { verifyServing } from "cdktf-google-cert-migration/migrate";
export const all: readonly unknown[] = [ManagedCertMigration, splitMigration, ApiDescription, evaluateFreeze, startCloud, verifyServing];
if (all.some((one) => typeof one !== "function")) throw new Error("an export is missing");
TS
  sed 's/^if .*//' every.mts > every.cts
  cp every.cts older.ts
  check "no type of this package needs one that can't be resolved, as 'cdktf init' sets TypeScript up: by folders, without exports" \
    node node_modules/typescript-5.9/bin/tsc --noEmit --strict --module commonjs --moduleResolution node10 --target es2018 --esModuleInterop --types node older.ts
  for compiler in typescript typescript-5.9; do
    for kind in mts cts; do
      check "no type of this package needs one that can't be resolved, in .$kind with $compiler" node node_modules/$compiler/bin/tsc --noEmit --strict --module node16 --target es2022 --types node every.$kind
    done
    check "every entry point has types for ESM, with $compiler" node node_modules/$compiler/bin/tsc --strict --module node16 --target es2022 --types node --skipLibCheck every.mts
    check "every entry point is there in ESM, compiled by $compiler" node every.mjs
  done
fi
cat > lean.cjs <<'JS'
require("cdktf-google-cert-migration");
const heavy = Object.keys(require.cache).filter((path) => /provider-google\/lib\/index\.js|\/dist\/cli\/|google-cloud|node-forge|\/ajv\/|\/yaml\//.test(path));
if (heavy.length > 0) throw new Error(`the package root loads ${heavy.join(", ")}`);
JS
check "the package root loads no command line, no cloud client and no provider root" node lean.cjs
check "the plan loads without cdktf" node -e "require('cdktf-google-cert-migration/plan'); if (Object.keys(require.cache).some((path) => /node_modules.cdktf.lib/.test(path))) throw new Error('cdktf is loaded')"
check "the entry of the kit that is not installed says what to install" refuses "'cdktn' is not installed, and 'cdktf-google-cert-migration/cdktn' needs it; run 'npm install cdktn constructs@10.7 @cdktn/provider-google'" node -e "require('cdktf-google-cert-migration/cdktn')"
check "ESM finds the names" node --input-type=module -e "import { ManagedCertMigration } from 'cdktf-google-cert-migration'; if (typeof ManagedCertMigration !== 'function') throw new Error('no export')"
check "the schemas are there" node -e "require('cdktf-google-cert-migration/migration.schema.json').properties.certificates.type; require('cdktf-google-cert-migration/output.schema.json').properties.version.const; require('cdktf-google-cert-migration/project-inventory.schema.json').properties.schemaVersion.const"
check "the descriptions are there and answer" node -e "const { ownDescription, ownDescriptionIds } = require('cdktf-google-cert-migration/discovery'); for (const id of ownDescriptionIds) ownDescription(id); const { url } = ownDescription('dns:v1').request('dns.projects.get', { parameters: { project: 'p' } }); if (url !== 'https://dns.googleapis.com/dns/v1/projects/p') throw new Error(url); if (Object.keys(require.cache).some((path) => /cdktf.lib|google-cloud/.test(path))) throw new Error('too much is loaded')"
check "the audit events are there" node -e "const { eventCatalogue } = require('cdktf-google-cert-migration/audit'); if (Object.keys(eventCatalogue).length !== 69) throw new Error('not 69 events')"
check "the rehearsal cloud starts and stops" node -e "const { startCloud } = require('cdktf-google-cert-migration/cloud'); startCloud().then(async (cloud) => { const answer = await fetch(cloud.endpoints.http + 'v1/projects/p/locations/global/certificates'); await cloud.stop(); if (answer.status !== 200) throw new Error(String(answer.status)); })"
check "the command shows a method" npx --no-install cert-migration api show dns:v1 dns.changes.create
check "the command answers" npx --no-install cert-migration inventory "$root/examples/from-certificates/certificates" --json
check "the first migration of the tutorial is what the tarball does" "$root/node_modules/.bin/tsx" "$root/test/follow-tutorial.ts" "$work/user" cdktf
check "the gate's command is found from Terraform's working folder" sh -c "cd cdktf.out/stacks/shop && npx --no-install cert-migration --version"
if [ -n "$once" ]; then
  mkdir "$work/repository" "$work/checkout"
  cd "$work/repository" || exit 1
  echo '{ "name": "user", "private": true }' > package.json
  cp ../cdktf-google-cert-migration/*.tgz .
  npm install --package-lock-only --silent --no-audit --no-fund ./*.tgz cdktf@"$(version cdktf)" constructs@"$(version constructs)" @cdktf/provider-google@"$(version @cdktf/provider-google)"
  cp package.json package-lock.json ./*.tgz ../checkout
  check "a pipeline installs from what lies in the repository" sh -c "cd ../checkout && npm ci --no-audit --no-fund && npx --no-install cert-migration --version"
  . "$root/test/kits/resolve.sh"
  check "the Terraform page can be followed from a clone to the verification" "$root/node_modules/.bin/tsx" "$root/test/follow-terraform-page.ts" "$work/terraform-page"
else
  echo "types, npm's resolution of both kits and the Terraform page did not run: they run on Node 24"
fi
echo "$passed passed, $failed failed"
test "$failed" -eq 0
