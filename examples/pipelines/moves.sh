#!/usr/bin/env bash
# Prints 'true' where a deployment of the stack in FOLDER sends hostnames to the load balancer that its state does not send there yet, else 'false'.
# usage: moves.sh FOLDER, after 'terraform init' and before the apply; needs terraform, jq and cert-migration
set -euo pipefail
stack=$1
sent='[.migrations? // {} | .[] | select(.traffic.to? == "loadBalancer") | .traffic.hostnames[]]'
wanted=$(npx cert-migration plan --stack "$stack" --json | jq -c "$sent")
present=$(terraform -chdir="$stack" output -json | jq -c ".cert_migration.value // {} | $sent")
jq -n --argjson wanted "$wanted" --argjson present "$present" '$wanted - $present != []'
