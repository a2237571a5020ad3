#!/bin/sh
# Creates the files that migration.yaml names: an uploaded certificate with its key, and a CA for clients. Needs openssl 3.
# An argument is the folder for them; the default is 'certificates' beside this script.
set -eu
out=${1:-$(cd "$(dirname "$0")" && pwd)/certificates}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out"

authority() { # file, common name
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$1.key" -out "$1.pem" -days 3650 \
    -subj "/CN=$2" -addext keyUsage=critical,keyCertSign,cRLSign 2>/dev/null
}

authority "$work/partner" "Partner Root"
authority "$work/clients" "Clients Root"
cp "$work/clients.pem" "$out/clients.pem"

openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$out/partner.key" -out "$work/leaf.csr" \
  -subj "/CN=partner.example.org" 2>/dev/null
printf 'subjectAltName=DNS:partner.example.org\nbasicConstraints=CA:FALSE\nextendedKeyUsage=serverAuth\n' > "$work/leaf.ext"
openssl x509 -req -in "$work/leaf.csr" -CA "$work/partner.pem" -CAkey "$work/partner.key" -CAcreateserial -days 397 \
  -extfile "$work/leaf.ext" -out "$out/partner.pem" 2>/dev/null
cat "$work/partner.pem" >> "$out/partner.pem"
