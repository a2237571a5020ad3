#!/usr/bin/env bash
# Runs one command of cert-migration in a step of GitHub Actions; action.yml sets the variables.
# Writes annotations and the summary of the step, and with COMMENT=true a comment on the pull request. Ends with the exit code of
# the command.
set -uo pipefail

read -ra words <<< "$COMMAND"
while IFS= read -r line; do
  [ -z "$line" ] || words+=("$line")
done <<< "$ARGUMENTS"

# The command writes its Markdown into this file; the summary of the step and the comment get it.
text=$(mktemp)
trap 'rm -f "$text" "$text.comment"' EXIT
GITHUB_STEP_SUMMARY=$text npx --no-install cert-migration "${words[@]}" --format github
code=$?
echo "exit-code=$code" >> "$GITHUB_OUTPUT"
cat "$text" >> "$GITHUB_STEP_SUMMARY"

if [ "$COMMENT" = true ] && [ -n "$PULL_REQUEST" ] && [ -s "$text" ]; then
  marker="<!-- cert-migration $COMMAND -->"
  {
    echo "$marker"
    # A comment has at most 65,536 characters.
    awk 'size + length($0) < 65000 { size += length($0) + 1; print; next } { left += 1 } END { if (left) print "\n_" left " more lines are in the summary of the step._" }' "$text"
  } > "$text.comment"
  comments=repos/$GITHUB_REPOSITORY/issues
  known=$(gh api --paginate "$comments/$PULL_REQUEST/comments" --jq ".[] | select(.body | startswith(\"$marker\")) | .id" | head -n 1)
  if [ -n "$known" ]; then
    gh api --method PATCH "$comments/comments/$known" --field "body=@$text.comment" > /dev/null
  else
    gh api --method POST "$comments/$PULL_REQUEST/comments" --field "body=@$text.comment" > /dev/null
  fi || echo "::warning title=cert-migration::the comment on the pull request could not be written"
fi
exit "$code"
