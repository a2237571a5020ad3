#!/bin/sh
# Replaces an uploaded certificate after certbot has renewed it:
#   certbot renew --deploy-hook "env CONFIGURATION=/srv/terraform sh certbot-deploy-hook.sh"
# CONFIGURATION is the folder of the root module, with migration.yaml (certificatePem: "file:api.pem", and
# privateKeyVariable: api_key) and the module in certificates/. certbot sets RENEWED_LINEAGE.
set -eu
# Terraform's plan contains the key.
umask 077
cd "${CONFIGURATION:?name the folder of the root module}"
trap 'rm -f tfplan tfplan.json' EXIT

cp "${RENEWED_LINEAGE:?certbot sets this variable}/fullchain.pem" api.pem
# An ephemeral variable is needed by the plan and by the apply.
TF_VAR_api_key=$(cat "$RENEWED_LINEAGE/privkey.pem")
export TF_VAR_api_key

npx cert-migration synth --spec migration.yaml --out certificates/
terraform plan -input=false -out=tfplan
terraform show -json tfplan > tfplan.json
npx cert-migration check-plan tfplan.json
terraform apply -input=false tfplan
