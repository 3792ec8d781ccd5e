#!/usr/bin/env bash
# Gives the inputs of the action to the steps that follow, as variables. A line end in a value would set another one.
set -euo pipefail

give() {
  case "$2" in
    "") ;;
    *[$'\n\r']*)
      echo "the input for $1 has more than one line" >&2
      exit 2
      ;;
    *) echo "$1=$2" >> "$GITHUB_ENV" ;;
  esac
}

give ATTESTRY_URL "${ATTESTRY_INPUT_URL:-}"
give ATTESTRY_ORG "${ATTESTRY_INPUT_ORG:-}"
give ATTESTRY_FLOW "${ATTESTRY_INPUT_FLOW:-}"
