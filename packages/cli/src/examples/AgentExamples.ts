/** Examples of the `agents` commands. */
import type { Examples } from "./Examples.js"

/** Examples of the `agents` commands. */
export const AGENT_EXAMPLES: Examples = {
  "agents list": [
    "attestry agents list",
    "attestry agents list -q",
    "attestry agents list -o json"
  ],
  "agents set": [
    "attestry agents set acme-coder",
    "attestry agents set acme-coder acme-reviewer",
    "attestry agents set acme-coder --dry-run"
  ]
}
