/** Examples of the `team` commands. */
import type { Examples } from "./Examples.js"

/** Examples of the `team` commands. */
export const TEAM_EXAMPLES: Examples = {
  "team list": ["attestry team list", "attestry team list --all -q", "attestry team list -o json"],
  "team show": [
    "attestry team show payments",
    "attestry team show payments -q",
    "attestry team show payments --field people.0.login"
  ],
  "team create": [
    "attestry team create payments",
    'attestry team create payments --description "who pays"',
    "attestry team create payments --dry-run"
  ],
  "team delete": [
    "attestry team delete payments",
    "attestry team delete payments --yes",
    "attestry team delete payments --dry-run"
  ],
  "team add": [
    "attestry team add payments max",
    "attestry team add payments max rob",
    "attestry team add payments max --dry-run"
  ],
  "team remove": [
    "attestry team remove payments max",
    "attestry team remove payments max -o json",
    "attestry team remove payments max --dry-run"
  ]
}
