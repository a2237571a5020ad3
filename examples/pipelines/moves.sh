#!/usr/bin/env bash
# Prints a line '--hostname=NAME' for each hostname whose traffic the next apply of the stack in FOLDER moves to the load balancer:
# the hostnames for 'cert-migration watch' after the apply. Prints nothing if no traffic moves.
# Usage: moves.sh FOLDER, after 'terraform init' and before the apply. Needs terraform, jq and cert-migration.
set -euo pipefail
stack=$1
sent='[.migrations? // {} | .[] | select(.traffic.to? == "loadBalancer") | .traffic.hostnames[]]'
wanted=$(npx cert-migration plan --stack "$stack" --json | jq -c "$sent")
present=$(terraform -chdir="$stack" output -json | jq -c ".cert_migration.value // {} | $sent")
jq -rn --argjson wanted "$wanted" --argjson present "$present" '$wanted - $present | .[] | "--hostname=" + .'
