/** Examples of the commands about waivers. */
import type { Examples } from "./Examples.js"

/** The examples of the `waiver` commands. */
export const WAIVER_EXAMPLES: Examples = {
  "waiver request": [
    'attestry waiver request prod-rules --until 3d --reason "the scanner is down"',
    "attestry waiver request prod-rules --rule provenance --environment prod --until 2d --reason vendor",
    "attestry waiver request prod-rules --fingerprint HEX --until 12h --reason hotfix --ticket https://t.example.org/7"
  ],
  "waiver approve": [
    "attestry waiver approve 1",
    'attestry waiver approve 1 --comment "until Friday"',
    "attestry waiver approve 1 --dry-run"
  ],
  "waiver reject": [
    "attestry waiver reject 1",
    'attestry waiver reject 1 --comment "fix it first"',
    "attestry waiver reject 1 --dry-run"
  ],
  "waiver revoke": [
    'attestry waiver revoke 1 --reason "the scanner is up" --yes',
    'attestry waiver revoke 1 --reason "the scanner is up" -y -o json',
    'attestry waiver revoke 1 --reason "the scanner is up" --dry-run'
  ],
  "waiver extend": [
    "attestry waiver extend 1 --until 7d",
    'attestry waiver extend 1 --until 7d --reason "still down"',
    "attestry waiver extend 1 --until 7d --dry-run"
  ],
  "waiver list": [
    "attestry waiver list",
    "attestry waiver list --state requested",
    "attestry waiver list --policy prod-rules -o json"
  ],
  "waiver get": [
    "attestry waiver get 1",
    "attestry waiver get 1 -q",
    "attestry waiver get 1 --field expires_at"
  ],
  "waiver debt": [
    "attestry waiver debt",
    "attestry waiver debt -o json",
    "attestry waiver debt --field rows_waived"
  ],
  "waiver settings": [
    "attestry waiver settings",
    "attestry waiver settings --max-days 30 --approvals 1",
    "attestry waiver settings --approver-role member --dry-run"
  ]
}
