# Resolves the install lines of docs/tutorial.md, docs/new-load-balancer.md and docs/cdk-terrain.md with npm, without an installation. Sourced by test/package.sh, which has $root, $work, `check`
# and `refuses`, and the packed tarball in $work/cdktf-google-cert-migration.
# shellcheck shell=sh disable=SC2016,SC2154

# The bindings of CDK Terrain are 300 MB, and npm resolves by their manifest alone, so these packages have only the peers and engines of the published
# manifests. test/kits/main.ts uses the real ones.
manifest() { # version, range of cdktn, range of constructs, range of Node
  mkdir "$work/bindings-$1"
  cat > "$work/bindings-$1/package.json" <<JSON
{ "name": "@cdktn/provider-google", "version": "$1", "peerDependencies": { "cdktn": "$2", "constructs": "$3" }, "engines": { "node": "$4" } }
JSON
  (cd "$work/bindings-$1" && npm pack --silent --pack-destination "$work" > /dev/null) || exit 1
}
manifest 18.0.0 '^0.23.0' '^10.6.0' '>= 20.16.0'
manifest 19.10.0 '^0.23.0' '^10.6.0' '>= 20.16.0'
manifest 21.1.0 '^0.24.0' '>=10.6.0 <10.8.0' '>= 22.11.0'

new_project() {
  rm -rf "$work/resolved"
  mkdir "$work/resolved"
  cd "$work/resolved" || return 1
  echo '{ "name": "user", "private": true }' > package.json
  cp "$work"/cdktf-google-cert-migration/*.tgz .
}
# Names errors also under `npm run --silent`, which silences every npm below it.
resolve_line() { # line of a page, version of the bindings to use in place of the published ones
  [ -n "$1" ] || return 1
  sh -c "$(echo "$1" | sed -E -e "s#@cdktn/provider-google(@[0-9.]+)?( |\$)#$work/cdktn-provider-google-$2.tgz #" \
    -e 's#npm (install|uninstall)#& --package-lock-only --no-audit --no-fund --prefer-offline --loglevel=error#')"
}
has() { # what must be in the result, as `name` or `name@start of the version`; what must not
  npm ls --package-lock-only --all > list || return 1
  for one in $1; do
    case $one in ?*@[0-9]*) ;; *) one="$one@[0-9]" ;; esac
    grep -E " $one" list > /dev/null || return 1
  done
  for one in $2; do ! grep -E " $one@[0-9]" list || return 1; done
}
# A command within a sentence, which may go over the end of a line.
command_of() { # page, what the command has after "npm install "
  tr '\n' ' ' < "$root/docs/$1" | grep -o -E "\`npm install $2[^\`]*\`" | tr -d '\`'
}
cdktf_line() { command_of tutorial.md "[^\`]* cdktf constructs "; }
for_cdktf() {
  new_project && resolve_line "$(cdktf_line)" 18.0.0 && has "cdktf@0.21 @cdktf/provider-google constructs" "cdktn @cdktn/provider-google"
}
# Continues in the project of the check before.
move() {
  sed -n -E '/^## Move a project/,/^## Move back/s/^   (npm .*)/\1/p' "$root/docs/cdk-terrain.md" > lines
  grep overrides lines || return 1
  while IFS= read -r line; do resolve_line "$line" 18.0.0 < /dev/null || return 1; done < lines
  has "cdktn@0.24 @cdktn/provider-google@18.0.0 constructs@10.7 cdktn-cli" "cdktf @cdktf/provider-google"
}
cdk_terrain_line() { sed -n -E 's/^(npm install .* cdktn constructs.*)/\1/p' "$root/docs/tutorial.md"; }
for_cdk_terrain() {
  new_project && resolve_line "$(cdk_terrain_line)" 21.1.0 || return 1
  resolve_line "$(command_of new-load-balancer.md "--save-dev cdktn-cli tsx")" 21.1.0 || return 1
  has "cdktn@0.24 @cdktn/provider-google@21.1.0 constructs@10.7 cdktn-cli tsx" "cdktf @cdktf/provider-google"
}
without_override() { new_project && resolve_line "$(cdk_terrain_line)" "$1"; }
both() {
  new_project || return 1
  npm pkg set 'overrides.@cdktn/provider-google.cdktn=$cdktn'
  resolve_line "npm install ./*.tgz cdktf cdktn constructs@10.7 @cdktf/provider-google @cdktn/provider-google" 19.10.0 || return 1
  has "cdktf@0.21 cdktn@0.24 @cdktf/provider-google @cdktn/provider-google@19.10.0" ""
}
neither() {
  new_project && resolve_line "npm install ./*.tgz" 21.1.0 && has cdktf-google-cert-migration "cdktf cdktn @cdktf/provider-google @cdktn/provider-google"
}
check "npm resolves the line of the tutorial for cdktf" for_cdktf
check "npm resolves the move to CDK Terrain with bindings 18" move
check "npm resolves the lines of the tutorial and of the new load balancer for CDK Terrain" for_cdk_terrain
check "npm refuses bindings 18 without the override" refuses ERESOLVE without_override 18.0.0
check "npm resolves both kits, with bindings 19" both
check "npm resolves neither kit, for a pipeline that only runs the command" neither
