#!/bin/sh
# Recreates the certificates beside this script: examples of other providers' certificates, from two test CAs. Needs openssl 3.
# Keeps only the certificates and deletes the private keys.
set -eu
out=$(cd "$(dirname "$0")" && pwd)/certificates
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir -p "$out"
days=14600

authority() { # name, common name, key options
  openssl req -x509 -newkey "$3" ${4:+-pkeyopt "$4"} -nodes -keyout "$1.key" -out "$1.pem" -days "$days" -subj "/O=$2/CN=$2 Root" 2>/dev/null
}

leaf() { # file, authority, key algorithm, key option, common name, alternative names, further extension
  openssl req -newkey "$3" ${4:+-pkeyopt "$4"} -nodes -keyout leaf.key -out leaf.csr -subj "/CN=$5" 2>/dev/null
  printf 'subjectAltName=%s\nbasicConstraints=CA:FALSE\nextendedKeyUsage=serverAuth\n%s\n' "$6" "${7:-}" > leaf.ext
  openssl x509 -req -in leaf.csr -CA "$2.pem" -CAkey "$2.key" -CAcreateserial -days "$days" -extfile leaf.ext -out leaf.pem 2>/dev/null
  cp leaf.pem "$out/$1"
}

authority north "Northern Trust Works" rsa:2048
authority south "Southern Sign Office" ec ec_paramgen_curve:P-256

leaf shop.pem north rsa:2048 "" example.com "DNS:example.com,DNS:*.example.com"
cat north.pem >> "$out/shop.pem"
leaf www-net.pem south ec ec_paramgen_curve:P-256 www.example.net "DNS:www.example.net"
leaf pay.pem north rsa:2048 "" pay.example.net "DNS:pay.example.net,DNS:checkout.example.net" "certificatePolicies=2.23.140.1.2.2"
leaf api.pem south ec ec_paramgen_curve:P-384 api.example.org "DNS:api.example.org,DNS:api-v2.example.org" "tlsfeature=status_request"
leaf books.pem north rsa:2048 "" xn--bcher-kva.example.org "DNS:xn--bcher-kva.example.org,DNS:www.xn--bcher-kva.example.org"
leaf intranet.pem south ec ec_paramgen_curve:P-256 status.example.com "DNS:status.example.com,DNS:status.corp.internal,IP:192.0.2.10"
