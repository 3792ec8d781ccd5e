/** Examples of the commands about trust policies. */
import type { Examples } from "./Examples.js"

/** The examples of the `trust` commands. */
export const TRUST_EXAMPLES: Examples = {
  "trust get": [
    "attestry trust get",
    "attestry trust get 1 --as yaml",
    "attestry trust get --field rules"
  ],
  "trust put": [
    "attestry trust put trust.yaml",
    'attestry trust put trust.yaml --comment "a key for releases"',
    "attestry trust put trust.yaml --dry-run"
  ],
  "trust versions": [
    "attestry trust versions",
    "attestry trust versions -q",
    "attestry trust versions -o json"
  ],
  "trust lint": [
    "attestry trust lint trust.yaml",
    "attestry trust lint trust.yaml --strict",
    "attestry trust lint trust.yaml -o json"
  ]
}
