/** Examples of the commands that write. */
import type { Examples } from "./Examples.js"

const PUTS: Examples = {
  "put flow": [
    "attestry put flow shop --template ci/template.yaml",
    'attestry put flow shop --description "the shop" --visibility private',
    "attestry put flow shop --template ci/template.yaml --dry-run"
  ],
  "put environment": [
    "attestry put environment prod --kind server --policy prod-rules",
    "attestry put environment prod --report-every 15m --when-silent non_compliant",
    "attestry put environment all-of-prod --kind logical --included-environment prod"
  ],
  "put policy": [
    'attestry put policy prod-rules policies/prod-rules.yaml --comment "ask for reviews"',
    "attestry put policy prod-rules policies/prod-rules.yaml --unless weaker",
    "attestry put policy prod-rules - < policies/prod-rules.yaml"
  ],
  "put control": [
    'attestry put control SDLC-1 --name "Every change is reviewed"',
    'attestry put control SDLC-1 --name "Every change is reviewed" --link wiki=https://wiki.example.org/sdlc-1',
    'attestry put control SDLC-2 --name "Releases are tested" --dry-run'
  ],
  "put type": [
    "attestry put type load-test --jq '.p99 < 300'",
    "attestry put type load-test --schema load-test.json --jq '.p99 < 300' --summary p99=.p99",
    "attestry put type load-test --jq '.p99 < 300' --dry-run"
  ],
  "put account": [
    "attestry put account ci-shop --privilege member",
    'attestry put account reporter --privilege snapshotter --description "reports prod"',
    "attestry put account ci-shop --privilege member --dry-run"
  ]
}

const CHANGES: Examples = {
  apply: [
    "attestry apply compliance/ --dry-run",
    "attestry apply compliance/",
    "attestry apply compliance/ --dry-run --exit-code"
  ],
  tag: [
    "attestry tag flow shop risk=high team-",
    "attestry tag environment prod region=eu",
    "attestry tag repository acme/shop owner=payments --dry-run"
  ],
  attach: [
    "attestry attach prod-rules prod prod-eu",
    "attestry attach new-rules prod --mode warn",
    'attestry attach new-rules prod --mode enforce --reason "the trial found nothing"'
  ],
  detach: [
    "attestry detach prod-rules staging",
    'attestry detach prod-rules staging --yes --reason "replaced by new-rules"',
    "attestry detach prod-rules staging --dry-run"
  ],
  join: [
    "attestry join all-of-prod prod-eu",
    "attestry join all-of-prod prod-eu -o json",
    "attestry join all-of-prod prod --dry-run"
  ],
  allow: [
    'attestry allow prod HEX --reason "fix of the outage, ticket 7" --until 3d',
    'attestry allow prod dist/web --reason "vendor image, ticket 7" --name web',
    'attestry allow prod registry.example.org/shop/api:1.4 -t oci --reason "vendor image, ticket 7"'
  ],
  disallow: [
    "attestry disallow prod HEX",
    "attestry disallow prod dist/web --yes",
    "attestry disallow prod HEX --dry-run"
  ],
  "delete account": [
    "attestry delete account ci-shop",
    "attestry delete account ci-shop --yes",
    "attestry delete account ci-shop --dry-run"
  ],
  "rename flow": [
    "attestry rename flow old new",
    "attestry rename flow old new -o json",
    "attestry rename flow old new --dry-run"
  ],
  "rename environment": [
    "attestry rename environment old new",
    "attestry rename environment old new -o json",
    "attestry rename environment old new --dry-run"
  ],
  "archive flow": [
    "attestry archive flow old",
    "attestry archive flow old --yes",
    "attestry archive flow old --dry-run"
  ],
  "archive environment": [
    "attestry archive environment old",
    "attestry archive environment old --yes",
    "attestry archive environment old --dry-run"
  ],
  "archive control": [
    "attestry archive control SDLC-9",
    "attestry archive control SDLC-9 --yes",
    "attestry archive control SDLC-9 --dry-run"
  ],
  "archive type": [
    "attestry archive type old",
    "attestry archive type old --yes",
    "attestry archive type old --dry-run"
  ],
  "unarchive control": [
    "attestry unarchive control SDLC-9",
    "attestry unarchive control SDLC-9 -o json",
    "attestry unarchive control SDLC-9 --dry-run"
  ]
}

/** Examples by command name. */
export const WRITING_EXAMPLES: Examples = {
  ...PUTS,
  ...CHANGES,
  "key create": [
    'attestry key create ci-shop --description "CI of shop" --expires-in 90d --to-file key',
    'attestry key create ci-shop --description "CI" --scope pipeline --network 10.0.0.0/8 --to-file key',
    'attestry key create ci-shop --description "CI of shop" --dry-run'
  ],
  "key create-own": [
    "attestry key create-own --description laptop --expires-in 30d --to-file key",
    "attestry key create-own --description reading --scope gate --in-org acme --to-file key",
    "attestry key create-own --description laptop --dry-run"
  ],
  "key revoke-own": [
    "attestry key revoke-own ID --yes",
    "attestry key revoke-own ID --yes -o json",
    "attestry key revoke-own ID --dry-run"
  ],
  "key rotate": [
    "attestry key rotate ci-shop ID --grace 24h --to-file key",
    "attestry key rotate ci-shop ID --expires-in 90d --to-file key",
    "attestry key rotate ci-shop ID --dry-run"
  ],
  "key revoke": [
    "attestry key revoke ci-shop ID",
    "attestry key revoke ci-shop ID --yes",
    "attestry key revoke ci-shop ID --dry-run"
  ],
  "key list": [
    "attestry key list ci-shop",
    "attestry key list",
    "attestry key list ci-shop -o json"
  ]
}
