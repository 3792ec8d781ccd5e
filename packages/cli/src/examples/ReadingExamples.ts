/** Examples of the commands that read. */
import type { Examples } from "./Examples.js"

const LISTS: Examples = {
  "list flows": [
    "attestry list flows",
    "attestry list flows --name shop --sort latest_activity",
    "attestry list flows --all -o json"
  ],
  "list trails": [
    "attestry list trails",
    "attestry list trails --flow shop --reverse --limit 5",
    "attestry list trails --fingerprint HEX -o json"
  ],
  "list artifacts": [
    "attestry list artifacts",
    "attestry list artifacts --flow shop",
    "attestry list artifacts --repo acme/shop -o json"
  ],
  "list attestations": [
    "attestry list attestations --flow shop --type junit",
    "attestry list attestations --compliant=false --since 7d",
    "attestry list attestations --name review -o jsonl"
  ],
  "list environments": [
    "attestry list environments --verdict not-compliant",
    "attestry list environments --silent",
    "attestry list environments --kind server --sort last_changed_at --reverse"
  ],
  "list decaying": [
    "attestry list decaying",
    "attestry list decaying --verdict compliant --limit 5",
    "attestry list decaying --kind server -o json"
  ],
  "list components": [
    "attestry list components --search lodash",
    "attestry list components --purl pkg:npm/lodash@4.17.20 -o json",
    "attestry list components --fingerprint HEX --all"
  ],
  "list evidence": [
    "attestry list evidence",
    "attestry list evidence --kind sbom --state verified",
    "attestry list evidence --waiting -o json"
  ],
  "get evidence": [
    "attestry get evidence HEX",
    "attestry get evidence HEX --field verification.state",
    "attestry get evidence HEX --raw --to-file evidence.json"
  ],
  "list snapshots": [
    "attestry list snapshots --environment prod",
    "attestry list snapshots --environment prod --interval 1..NOW",
    "attestry list snapshots --environment prod --limit 5 -o json"
  ],
  "list policies": [
    "attestry list policies",
    "attestry list policies -q",
    "attestry list policies -o json"
  ],
  "list controls": [
    "attestry list controls",
    "attestry list controls --search review",
    "attestry list controls --archived -o json"
  ],
  "list repositories": [
    "attestry list repositories",
    "attestry list repositories --provider github",
    "attestry list repositories --name acme/shop -o json"
  ],
  "list types": ["attestry list types", "attestry list types -q", "attestry list types -o json"],
  "list accounts": [
    "attestry list accounts",
    "attestry list accounts -q",
    "attestry list accounts -o json"
  ],
  "list keys": [
    "attestry list keys --account ci-shop",
    "attestry list keys --account ci-shop -q",
    "attestry list keys --account ci-shop -o json"
  ],
  "list org-keys": [
    "attestry list org-keys",
    "attestry list org-keys --unused-days 90 --unscoped",
    "attestry list org-keys --ends-within-days 14 -o json"
  ],
  "list own-keys": [
    "attestry list own-keys",
    "attestry list own-keys -q",
    "attestry list own-keys -o json"
  ],
  "list deployments": [
    "attestry list deployments --environment prod --since 7d",
    "attestry list deployments --fingerprint HEX",
    "attestry list deployments --flow shop -o json"
  ],
  "list allowed": [
    "attestry list allowed",
    "attestry list allowed --environment prod -q",
    "attestry list allowed --environment prod -o json"
  ],
  "list events": [
    "attestry list events --environment prod",
    "attestry list events --environment prod --since 7d --repo acme/shop",
    "attestry list events --environment prod --interval 1..NOW -o jsonl"
  ],
  "list decisions": [
    "attestry list decisions --control SDLC-1",
    "attestry list decisions --control SDLC-1 --flow shop --compliant=false",
    "attestry list decisions --control SDLC-1 --since 90d -o json"
  ],
  "list coverage": [
    "attestry list coverage --control SDLC-1",
    "attestry list coverage --control SDLC-1 --covered=false",
    "attestry list coverage --control SDLC-1 -o json"
  ],
  "list notifications": [
    "attestry list notifications",
    "attestry list notifications -q",
    "attestry list notifications -o json"
  ],
  "list approvals": [
    "attestry list approvals --flow shop",
    "attestry list approvals --flow shop --limit 5",
    "attestry list approvals --flow shop -o json"
  ],
  "list members": [
    "attestry list members",
    "attestry list members --all",
    "attestry list members -o json"
  ],
  "list membership-log": [
    "attestry list membership-log",
    "attestry list membership-log --role admin --since 90d",
    "attestry list membership-log -o json"
  ]
}

const GETS: Examples = {
  "get flow": [
    "attestry get flow shop",
    "attestry get flow shop -o json",
    "attestry get flow shop --field description"
  ],
  "get trail": [
    "attestry get trail release-7 -f shop",
    "attestry get trail release-7 -f shop -o json",
    "attestry get trail release-7 -f shop --as-of now"
  ],
  "get artifact": [
    "attestry get artifact shop@HEX",
    "attestry get artifact shop:SHA",
    "attestry get artifact HEX -f shop -o json"
  ],
  "get environment": [
    "attestry get environment prod",
    "attestry get environment prod -o json",
    "attestry get environment prod --field type"
  ],
  "get snapshot": [
    "attestry get snapshot prod",
    "attestry get snapshot prod#1 -o json",
    "attestry get snapshot prod~1 --as-of now --policies latest"
  ],
  "get policy": [
    "attestry get policy prod-rules",
    "attestry get policy prod-rules -o json",
    "attestry get policy prod-rules --field name"
  ],
  "get control": [
    "attestry get control SDLC-1",
    "attestry get control SDLC-1@v1 -o json",
    "attestry get control SDLC-1 --field name"
  ],
  "get repository": [
    "attestry get repository acme/shop",
    "attestry get repository acme/shop -o json",
    "attestry get repository acme/shop --field url"
  ],
  "get type": [
    "attestry get type load-test",
    "attestry get type load-test@v1",
    "attestry get type load-test -o json"
  ],
  "get account": [
    "attestry get account ci-shop",
    "attestry get account ci-shop -o json",
    "attestry get account ci-shop --field name"
  ],
  "get key": [
    "attestry get key ci-shop ID",
    "attestry get key ci-shop ID -o json",
    "attestry get key ci-shop ID --field description"
  ],
  "get deployment": [
    "attestry get deployment ID",
    "attestry get deployment ID -o json",
    "attestry get deployment ID --field env_name"
  ],
  "get decision": [
    "attestry get decision SDLC-1 ID",
    "attestry get decision SDLC-1 ID -o json",
    "attestry get decision SDLC-1 ID --field is_compliant"
  ],
  "get notification": [
    "attestry get notification 1",
    "attestry get notification 1 -o json",
    "attestry get notification 1 --field name"
  ],
  "get approval": [
    "attestry get approval 1 -f shop",
    "attestry get approval 1 -f shop -o json",
    "attestry get approval 1 -f shop --field state"
  ],
  "get org": ["attestry get org", "attestry get org -o json", "attestry get org --field name"],
  "get meta": [
    "attestry get meta",
    "attestry get meta -o json",
    "attestry get meta --field version"
  ],
  "get attestation": [
    "attestry get attestation ID --download evidence",
    "attestry get attestation review -f shop -T release-7",
    "attestry get attestation web.sbom -a dist/web --all -o json"
  ]
}

/** Examples by command name. */
export const READING_EXAMPLES: Examples = {
  ...LISTS,
  ...GETS,
  search: ["attestry search 9f1c2ab", "attestry search HEX", "attestry search 9f1c2ab -o json"],
  log: [
    "attestry log prod --since 7d",
    "attestry log prod 1..NOW",
    "attestry log prod --follow -o jsonl"
  ],
  open: [
    "attestry open prod",
    "attestry open shop/release-7 --print",
    "attestry open prod#1 --print"
  ],
  "log pull": [
    "attestry log pull acme-log",
    "attestry log pull acme-log --verifier VKEY",
    "attestry log pull acme-log -o json"
  ],
  "log verify": [
    "attestry log verify acme-log",
    "attestry log verify receipt.json --verifier VKEY",
    "attestry log verify acme-log/checkpoint --verifier VKEY"
  ],
  "log receipt": [
    "attestry log receipt prod#1",
    "attestry log receipt ID --format tlog-proof --to-file receipt.tlog",
    "attestry log receipt HEX --flow shop -o json"
  ],
  "log chain": [
    "attestry log chain HEX",
    "attestry log chain HEX --flow shop --verifier VKEY",
    "attestry log chain HEX -o json"
  ],
  "capsule create": [
    "attestry capsule create prod --from 1 --to -1 --save audit.capsule.zip",
    "attestry capsule create prod#1 shop/release-7 HEX --evidence files",
    "attestry capsule create --releases --environment prod --since 90d --save q3.capsule.zip -o json"
  ],
  "capsule verify": [
    "attestry capsule verify audit.capsule.zip --verifier VKEY",
    "attestry capsule verify audit.capsule.zip --keys keys.json --proved",
    "attestry capsule verify audit.capsule.zip -o json"
  ],
  "receipt get": [
    "attestry receipt get HEX --environment prod --to-file verdict.json",
    "attestry receipt get prod#1 --fingerprint HEX",
    "attestry receipt get prod --predicate svr -o json"
  ],
  "receipt verify": [
    "attestry receipt verify decision.json --verifier VKEY --fingerprint HEX",
    "attestry receipt verify decision.json --keys keys.json --environment prod --max-age 1d",
    "attestry receipt verify decision.json --verifier VKEY -o json"
  ]
}
