#!/usr/bin/env bash
# Prints '--hostname=NAME', one a line, for each hostname that a deployment of the stack in FOLDER sends to the load balancer and its state does not yet:
# what 'cert-migration watch' is to look at afterwards. Nothing where none is.
# usage: moves.sh FOLDER, after 'terraform init' and before the apply; needs terraform, jq and cert-migration
set -euo pipefail
stack=$1
sent='[.migrations? // {} | .[] | select(.traffic.to? == "loadBalancer") | .traffic.hostnames[]]'
wanted=$(npx cert-migration plan --stack "$stack" --json | jq -c "$sent")
present=$(terraform -chdir="$stack" output -json | jq -c ".cert_migration.value // {} | $sent")
jq -rn --argjson wanted "$wanted" --argjson present "$present" '$wanted - $present | .[] | "--hostname=" + .'
