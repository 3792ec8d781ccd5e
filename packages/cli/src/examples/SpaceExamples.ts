/** Examples of the commands about spaces, placement rules, grants and access. */
import type { Examples } from "./Examples.js"

/** Examples of the commands about spaces, placement rules, grants and access. */
export const SPACE_EXAMPLES: Examples = {
  "space list": ["attestry space list", "attestry space list -q", "attestry space list -o json"],
  "space create": [
    "attestry space create loans",
    'attestry space create retail/cards --description "who issues cards"',
    "attestry space create retail/cards --dry-run"
  ],
  "space change": [
    "attestry space change retail/payments --name pay",
    "attestry space change retail/payments --parent /",
    'attestry space change retail --description "shops" --dry-run'
  ],
  "space move": [
    "attestry space move retail/payments flow shop",
    "attestry space move retail/payments flow --matching 'sh*' --preview",
    "attestry space move retail/payments flow shop --dry-run"
  ],
  "space delete": [
    "attestry space delete retail/payments",
    "attestry space delete retail/payments --yes",
    "attestry space delete retail/payments --dry-run"
  ],
  "placement-rules get": [
    "attestry placement-rules get",
    "attestry placement-rules get -q",
    "attestry placement-rules get -o json"
  ],
  "placement-rules set": [
    "attestry placement-rules set placement.json",
    "attestry placement-rules set - < placement.json",
    "attestry placement-rules set placement.json --dry-run"
  ],
  "grant list": [
    "attestry grant list",
    "attestry grant list --space retail --ended",
    "attestry grant list --kind team --name payments -o json"
  ],
  "grant give": [
    "attestry grant give team:payments member retail/payments",
    'attestry grant give user:max reader retail --until 30d --reason "audit"',
    "attestry grant give user:max admin retail --eligible --dry-run"
  ],
  "grant end": [
    "attestry grant end 1",
    "attestry grant end 1 -o json",
    "attestry grant end 1 --dry-run"
  ],
  "access who": [
    "attestry access who flow.write",
    "attestry access who flow.write --space retail/payments",
    "attestry access who flow.write --as-of 7d -q"
  ],
  "access show": [
    "attestry access show",
    "attestry access show user:max",
    "attestry access show user:max --as-of now -o json"
  ],
  "access explain": [
    "attestry access explain flow.put",
    "attestry access explain flow.put user:max --space retail/payments",
    "attestry access explain journal.list user:max -q"
  ]
}
