#!/usr/bin/env bash
# Writes application default credentials for a job of GitLab CI, without a key, and prints the path of the file:
#   GOOGLE_APPLICATION_CREDENTIALS=$(bash pipelines/google-credentials.sh "$READER")
# Usage: google-credentials.sh SERVICE_ACCOUNT, with the ID token of the job in GOOGLE_TOKEN and the resource name of the provider in
# WORKLOAD_IDENTITY_PROVIDER (docs/pipelines.md#workload-identity-federation). The files are outside of the repository. Needs jq.
set -euo pipefail
account=$1
umask 077
folder=$(mktemp -d)
printf '%s' "$GOOGLE_TOKEN" > "$folder/token"
jq -n --arg provider "$WORKLOAD_IDENTITY_PROVIDER" --arg account "$account" --arg token "$folder/token" '{
  type: "external_account",
  audience: ("//iam.googleapis.com/" + $provider),
  subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
  token_url: "https://sts.googleapis.com/v1/token",
  service_account_impersonation_url:
    ("https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/" + $account + ":generateAccessToken"),
  credential_source: { file: $token }
}' > "$folder/credentials.json"
echo "$folder/credentials.json"
