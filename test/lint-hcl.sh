#!/bin/sh
# Lints the root modules of the examples, and the modules that they call. Usage: sh test/lint-hcl.sh TFLINT
set -u
tflint=$1
config=$PWD/examples/.tflint.hcl
status=0
for main in $(find examples -name main.tf); do
  folder=$(dirname "$main")
  "$tflint" --chdir "$folder" --config "$config" || status=1
  [ -d "$folder/certificates" ] || continue
  # In JSON, tflint does not see that `depends_on` uses a variable.
  "$tflint" --chdir "$folder/certificates" --config "$config" --disable-rule terraform_unused_declarations || status=1
done
exit $status
