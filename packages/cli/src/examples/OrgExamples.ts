/** Examples of the commands about sign-in, notifications, and records of an org. */
import type { Examples } from "./Examples.js"

const IDENTITY: Examples = {
  "get identity-rules": [
    "attestry get identity-rules ci-shop",
    "attestry get identity-rules ci-shop -o json",
    "attestry get identity-rules ci-shop --field rules.0.subject"
  ],
  "put identity-rules": [
    "attestry put identity-rules ci-shop --github acme/shop --branch main",
    "attestry put identity-rules ci-shop --gitlab acme/shop --project-id 42 --append",
    "attestry put identity-rules ci-shop rules.json --replace"
  ],
  "delete identity-rules": [
    "attestry delete identity-rules ci-shop",
    "attestry delete identity-rules ci-shop --yes",
    "attestry delete identity-rules ci-shop --dry-run"
  ],
  "put default-org": [
    "attestry put default-org acme",
    "attestry put default-org acme -o json",
    "attestry put default-org acme --dry-run"
  ],
  "get default-org": [
    "attestry get default-org",
    "attestry get default-org -q",
    "attestry get default-org -o json"
  ]
}

const NOTIFICATIONS: Examples = {
  "put notification": [
    "attestry put notification oncall --environment prod --on non-compliant-env --to '$CHAT_WEBHOOK'",
    "attestry put notification mail --flow shop --on attestation --to ops@example.com",
    "attestry put notification hook --environment prod --on warned-env --to https://hooks.example.com/T --dry-run"
  ],
  "test notification": [
    "attestry test notification 1",
    "attestry test notification 1 --dry-run",
    "attestry test notification 1 -o json"
  ],
  "delete notification": [
    "attestry delete notification 1",
    "attestry delete notification 1 --yes",
    "attestry delete notification 1 --dry-run"
  ],
  "list failed-deliveries": [
    "attestry list failed-deliveries",
    "attestry list failed-deliveries -q",
    "attestry list failed-deliveries -o json"
  ],
  "replay deliveries": [
    "attestry replay deliveries --all",
    "attestry replay deliveries --all -o json",
    "attestry replay deliveries ID --dry-run"
  ],
  "get key-expiry-notices": [
    "attestry get key-expiry-notices",
    "attestry get key-expiry-notices -o json",
    "attestry get key-expiry-notices --field detection.thresholds_days"
  ],
  "put key-expiry-notices": [
    "attestry put key-expiry-notices --to ops@example.com",
    "attestry put key-expiry-notices --to '$CHAT_WEBHOOK'",
    "attestry put key-expiry-notices --to ops@example.com --dry-run"
  ],
  "delete key-expiry-notices": [
    "attestry delete key-expiry-notices",
    "attestry delete key-expiry-notices --yes",
    "attestry delete key-expiry-notices --dry-run"
  ],
  "get break-glass-notices": [
    "attestry get break-glass-notices",
    "attestry get break-glass-notices -o json",
    "attestry get break-glass-notices --field targets"
  ],
  "put break-glass-notices": [
    "attestry put break-glass-notices --to security@example.com",
    "attestry put break-glass-notices --to '$CHAT_WEBHOOK'",
    "attestry put break-glass-notices --to security@example.com --dry-run"
  ],
  "delete break-glass-notices": [
    "attestry delete break-glass-notices",
    "attestry delete break-glass-notices --yes",
    "attestry delete break-glass-notices --dry-run"
  ],
  "get proposal-notices": [
    "attestry get proposal-notices",
    "attestry get proposal-notices -o json",
    "attestry get proposal-notices --field targets"
  ],
  "put proposal-notices": [
    "attestry put proposal-notices --to security@example.com",
    "attestry put proposal-notices --to '$CHAT_WEBHOOK'",
    "attestry put proposal-notices --to security@example.com --dry-run"
  ],
  "delete proposal-notices": [
    "attestry delete proposal-notices",
    "attestry delete proposal-notices --yes",
    "attestry delete proposal-notices --dry-run"
  ],
  "get access-notices": [
    "attestry get access-notices",
    "attestry get access-notices -o json",
    "attestry get access-notices --field targets"
  ],
  "put access-notices": [
    "attestry put access-notices --to security@example.com",
    "attestry put access-notices --to '$CHAT_WEBHOOK'",
    "attestry put access-notices --to security@example.com --dry-run"
  ],
  "delete access-notices": [
    "attestry delete access-notices",
    "attestry delete access-notices --yes",
    "attestry delete access-notices --dry-run"
  ],
  "get waiver-expiry-notices": [
    "attestry get waiver-expiry-notices",
    "attestry get waiver-expiry-notices -o json",
    "attestry get waiver-expiry-notices --field detection.thresholds_days"
  ],
  "put waiver-expiry-notices": [
    "attestry put waiver-expiry-notices --to ops@example.com",
    "attestry put waiver-expiry-notices --to '$CHAT_WEBHOOK'",
    "attestry put waiver-expiry-notices --to ops@example.com --dry-run"
  ],
  "delete waiver-expiry-notices": [
    "attestry delete waiver-expiry-notices",
    "attestry delete waiver-expiry-notices --yes",
    "attestry delete waiver-expiry-notices --dry-run"
  ],
  "get signing-secret": [
    "attestry get signing-secret --to-file secret",
    "attestry get signing-secret --to-file secret -q",
    "attestry get signing-secret --to-file secret -o json"
  ],
  "rotate signing-secret": [
    "attestry rotate signing-secret --to-file secret",
    "attestry rotate signing-secret --to-file secret --yes",
    "attestry rotate signing-secret --to-file secret -o json"
  ]
}

const RECORDS: Examples = {
  "audit package": [
    "attestry audit package shop/release-7",
    "attestry audit package shop@HEX --save web.tar",
    "attestry audit package prod#1 --save - > prod.tar"
  ],
  erase: [
    'attestry erase jane.doe@example.org --reason "She has asked for it" --dry-run',
    'attestry erase jane.doe@example.org --reason "She has asked for it" --files --yes',
    'attestry erase - --reason "She has asked for it" --yes < name.txt'
  ],
  "list erasures": [
    "attestry list erasures",
    "attestry list erasures -q",
    "attestry list erasures -o json"
  ],
  "list journal": [
    "attestry list journal",
    "attestry list journal --actor ada --since 7d",
    "attestry list journal --subject environment --all -o jsonl"
  ],
  events: [
    "attestry events",
    "attestry events --follow -o jsonl",
    "attestry events --after 0 --subject attestation -o json"
  ],
  "get log": ["attestry get log", "attestry get log -q", "attestry get log --field size"],
  "log visibility": [
    "attestry log visibility",
    "attestry log visibility public",
    "attestry log visibility members --dry-run"
  ]
}

const DELIVERY: Examples = {
  "list builds": [
    "attestry list builds",
    "attestry list builds --repo acme/shop --since 30d",
    "attestry list builds --limit 5 -o json"
  ],
  "get build-statistics": [
    "attestry get build-statistics",
    "attestry get build-statistics --repo acme/shop --since 30d",
    "attestry get build-statistics --field count"
  ],
  "get deployment-statistics": [
    "attestry get deployment-statistics acme/shop",
    "attestry get deployment-statistics acme/shop --environment prod --since 30d",
    "attestry get deployment-statistics acme/shop -o json"
  ],
  "get release-evidence": [
    "attestry get release-evidence --flow shop --since 2026-07-01 --until 2026-10-01 --csv",
    "attestry get release-evidence --policy prod-rules -o json",
    "attestry get release-evidence --environment prod --since 90d --capsule releases.capsule.zip"
  ],
  "list running": [
    "attestry list running --repo acme/shop",
    "attestry list running --repo acme/shop -q",
    "attestry list running --repo acme/shop -o json"
  ],
  "list runs": [
    "attestry list runs --fingerprint HEX",
    "attestry list runs --fingerprint HEX --reverse",
    "attestry list runs --fingerprint HEX -o json"
  ],
  "get previous-commit": [
    "attestry get previous-commit shop@HEX",
    "attestry get previous-commit HEX --flow shop --branch SHOP-12-coupons",
    "attestry get previous-commit shop@HEX -o json"
  ],
  "get newest-deployment": [
    "attestry get newest-deployment prod HEX",
    "attestry get newest-deployment prod HEX --field deployed_at",
    "attestry get newest-deployment prod HEX -o json"
  ]
}

const CONTROLS: Examples = {
  "list system-types": [
    "attestry list system-types",
    "attestry list system-types -q",
    "attestry list system-types -o json"
  ],
  "list control-versions": [
    "attestry list control-versions --control SDLC-1",
    "attestry list control-versions --control SDLC-1 --reverse",
    "attestry list control-versions --control SDLC-1 -o json"
  ],
  "list control-coverage": [
    "attestry list control-coverage",
    "attestry list control-coverage --search SDLC",
    "attestry list control-coverage -o json"
  ],
  "list control-tags": [
    "attestry list control-tags",
    "attestry list control-tags -q",
    "attestry list control-tags -o json"
  ],
  "list repository-tags": [
    "attestry list repository-tags",
    "attestry list repository-tags -q",
    "attestry list repository-tags -o json"
  ]
}

/** Examples by command name. */
export const ORG_EXAMPLES: Examples = {
  ...IDENTITY,
  ...NOTIFICATIONS,
  ...RECORDS,
  ...DELIVERY,
  ...CONTROLS
}
