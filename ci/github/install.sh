#!/usr/bin/env bash
# Installs @attestry/cli below the temporary folder of the runner, and puts it in front of PATH.
set -euo pipefail

version="${ATTESTRY_INPUT_VERSION:-}"
if [ -z "$version" ]; then
  version="$(node -p 'require(process.argv[1]).version' "$ATTESTRY_ACTION_PATH/../../packages/cli/package.json")"
fi
case "$version" in
  *[!0-9A-Za-z.+-]* | "" | -*)
    echo "the version is no version: letters, digits, dots, dashes" >&2
    exit 2
    ;;
esac

prefix="$RUNNER_TEMP/attestry-$version"
npm install --global --no-audit --no-fund --prefix "$prefix" "@attestry/cli@$version"
echo "$prefix/bin" >> "$GITHUB_PATH"
