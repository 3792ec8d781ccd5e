/** Examples of the commands about proposals and protections. */
import type { Examples } from "./Examples.js"

/** Examples of the `propose`, `proposal` and `protection` commands. */
export const PROPOSAL_EXAMPLES: Examples = {
  propose: [
    'attestry propose --reason "CVE-2026-1" -- put policy prod-rules policies/prod-rules.yaml',
    'attestry propose --reason "first week" -- attach prod-rules prod',
    'attestry propose --reason "on call" --dry-run -- member role max admin'
  ],
  "proposal list": [
    "attestry proposal list",
    "attestry proposal list --state made,approved",
    "attestry proposal list --all -o json"
  ],
  "proposal show": [
    "attestry proposal show 1",
    "attestry proposal show 1 --field digest",
    "attestry proposal show 1 -o json"
  ],
  "proposal approve": [
    "attestry proposal approve 1",
    "attestry proposal approve 1 --digest HEX --comment ok",
    "attestry proposal approve 1 --digest HEX --dry-run"
  ],
  "proposal reject": [
    "attestry proposal reject 1 --yes",
    'attestry proposal reject 1 --comment "too wide" --yes',
    "attestry proposal reject 1 --dry-run"
  ],
  "proposal withdraw": [
    "attestry proposal withdraw 1",
    "attestry proposal withdraw 1 --yes",
    "attestry proposal withdraw 1 --dry-run"
  ],
  "protection get": [
    "attestry protection get",
    "attestry protection get -o json",
    "attestry protection get --field protections.0.kinds"
  ],
  "protection set": [
    "attestry protection set protections.yaml",
    "attestry protection set - < protections.yaml",
    "attestry protection set protections.yaml --dry-run"
  ],
  "break-glass list": [
    "attestry break-glass list",
    "attestry break-glass list --state open,expired",
    "attestry break-glass list --all -o json"
  ],
  "break-glass open": [
    'attestry break-glass open admin retail --minutes 60 --reason "the gate is stuck"',
    'attestry break-glass open admin / --minutes 15 --reason "CVE-2026-1" -q',
    'attestry break-glass open admin / --minutes 15 --reason "CVE-2026-1" --dry-run'
  ],
  "break-glass close": [
    "attestry break-glass close 1",
    "attestry break-glass close 1 -o json",
    "attestry break-glass close 1 --dry-run"
  ],
  "break-glass review": [
    'attestry break-glass review 1 --note "it was needed"',
    'attestry break-glass review 1 --note "it was needed" -o json',
    'attestry break-glass review 1 --note "it was needed" --dry-run'
  ]
}
