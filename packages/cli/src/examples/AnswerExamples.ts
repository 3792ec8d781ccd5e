/** Examples of the commands that answer questions about compliance and policies. */
import type { Examples } from "./Examples.js"

/** Examples by command name. */
export const ANSWER_EXAMPLES: Examples = {
  "assert artifact": [
    "attestry assert artifact dist/web --environment prod",
    "attestry assert artifact -t oci registry.example.org/shop/api:1.4 --policy prod-rules",
    "attestry assert artifact -F HEX --environment prod --report sarif=attestry.sarif"
  ],
  "assert snapshot": [
    "attestry assert snapshot prod",
    "attestry assert snapshot prod~1 --as-of now --explain short",
    "attestry assert snapshot staging --unknown ok"
  ],
  "assert trail": [
    "attestry assert trail",
    "attestry assert trail release-7 -f shop",
    "attestry assert trail -T release-7 --report junit=attestry.xml"
  ],
  "assert pull-request": [
    "attestry assert pull-request",
    "attestry assert pull-request --commit SHA --forge github --repository acme/shop",
    "attestry assert pull-request --number 41 -o json"
  ],
  admit: [
    "attestry admit --cert-file tls.crt --key-file tls.key --environment prod",
    "attestry admit --cert-file tls.crt --key-file tls.key --rules admission.yaml --health-port 8081 -o jsonl",
    "attestry admit --cert-file tls.crt --key-file tls.key --policy prod-rules --mode enforce --fail closed"
  ],
  diff: [
    "attestry diff prod~1 prod --show-unchanged",
    "attestry diff staging prod --exit-code",
    "attestry diff prod#1 prod#2 -o json"
  ],
  "policy lint": [
    "attestry policy lint policies/prod-rules.yaml",
    "attestry policy lint policies/prod-rules.yaml --strict --environment prod",
    "attestry policy lint ci/template.yaml --as-template"
  ],
  "policy test": [
    "attestry policy test policies/prod-rules.yaml policies/prod-rules.test.yaml",
    "attestry policy test policies/prod-rules.yaml policies/prod-rules.test.yaml --junit tests.xml",
    "attestry policy test policies/prod-rules.yaml policies/prod-rules.test.yaml -o json"
  ],
  "policy diff": [
    "attestry policy diff policies/old-rules.yaml policies/prod-rules.yaml",
    "attestry policy diff policies/old-rules.yaml policies/prod-rules.yaml --fail-if weaker",
    "attestry policy diff policies/old-rules.yaml policies/prod-rules.yaml -o json"
  ],
  "policy suggest": [
    "attestry policy suggest prod > policies/prod-rules.yaml",
    "attestry policy suggest prod staging --min-artifacts 5",
    "attestry policy suggest prod -o json"
  ],
  "policy evaluate": [
    "attestry policy evaluate policies/prod-rules.yaml --facts facts.json",
    "attestry policy evaluate policies/prod-rules.yaml policies/old-rules.yaml --facts facts.json",
    "attestry policy evaluate policies/prod-rules.yaml --facts facts.json --at 2026-11-16T10:00:00Z -o json"
  ],
  "policy facts": [
    "attestry policy facts HEX -o json > facts.json",
    "attestry policy facts --environment prod -o jsonl",
    "attestry policy facts --environment prod#1 --as-of now"
  ],
  "evaluate trail": [
    "attestry evaluate trail > trail.json",
    "attestry evaluate trail release-7 -f shop --rego policy.rego --params '{\"level\": 2}'",
    "attestry evaluate trail --attestation unit -o json"
  ],
  "evaluate input": [
    "attestry evaluate input --file trail.json --rego policy.rego",
    "attestry evaluate input --file - --rego policy.rego < trail.json",
    "attestry evaluate input --file trail.json --rego policy.rego --params @params.json"
  ],
  preview: [
    "attestry preview prod",
    "attestry preview prod new-rules --exit-code",
    "attestry preview prod new-rules --mode warn"
  ],
  where: [
    "attestry where HEX",
    "attestry where --component 'pkg:npm/lodash@<4.17.21' --now",
    "attestry where --base-image node:20-alpine --environment prod --since 90d -o json"
  ],
  graph: [
    "attestry graph environment:prod",
    "attestry graph HEX --depth 3 --limit 100 -o json",
    "attestry graph commit:SHA --dot"
  ],
  "policy dry-run": [
    "attestry policy dry-run policies/prod-rules.yaml --environment prod",
    "attestry policy dry-run prod-rules@v1 --fingerprint HEX --environment prod",
    "attestry policy dry-run policies/prod-rules.yaml --facts facts.json --show all"
  ],
  "policy backtest": [
    "attestry policy backtest policies/prod-rules.yaml --replaces prod-rules",
    "attestry policy backtest policies/old-rules.yaml --add --environment prod --fail-on new-red-now",
    "attestry policy backtest policies/prod-rules.yaml --since 30d --knowledge now -o jsonl"
  ]
}
