#!/bin/sh
# Runs a command with a major version of Node: `sh test/with-node.sh 22 npm run rehearse`. Unless this machine has that
# version, Node comes from the npm package `node`, whose install script fetches the program for the machine's platform.
set -eu
major=$1
shift
majorOf() { "$1" -p 'process.versions.node.split(".")[0]' 2> /dev/null; }
if [ "$(majorOf node)" != "$major" ]; then
  folder=$(cd "$(dirname "$0")/.." && pwd)/node_modules/.cache/node-$major
  node=$folder/node_modules/node/bin/node
  [ -x "$node" ] || npm install --silent --no-audit --no-fund --prefix "$folder" "node@$major"
  if [ "$(majorOf "$node")" != "$major" ]; then
    echo "$node is not Node $major; the npm package node@$major has no program for this machine" >&2
    exit 1
  fi
  PATH="${node%/*}:$PATH"
  export PATH
fi
exec "$@"
