/** Examples of the commands that collect evidence and report environments. */
import type { Examples } from "./Examples.js"

/** Examples of evidence commands, by command name. */
export const EVIDENCE_EXAMPLES: Examples = {
  begin: [
    "attestry begin",
    "attestry begin release-7 -f shop --template ci/template.yaml --export",
    "attestry begin --repository acme/shop --repo-id 42 --repo-url https://github.com/acme/shop --provider github"
  ],
  "attest artifact": [
    "attestry attest artifact dist/web --slot web",
    "attestry attest artifact registry.example.org/shop/api:1.4 -t oci --slot api",
    "attestry attest artifact --all"
  ],
  "attest generic": [
    "attestry attest generic -n review --attach minutes.pdf",
    "attestry attest generic -n load --compliant=false",
    "attestry attest generic -n web.sbom -a dist/web --attach sbom.cdx.json"
  ],
  "attest junit": [
    "attestry attest junit reports/ -n web.unit -a dist/web --assert",
    "attestry attest junit reports/unit.xml -n unit",
    "attestry attest junit reports/ -n unit --no-upload"
  ],
  "attest snyk": [
    "attestry attest snyk snyk.json -n web.scan -a dist/web",
    "attestry attest snyk snyk.json -n scan --no-upload",
    "attestry attest snyk snyk.sarif -n scan"
  ],
  "attest sarif": [
    "attestry attest sarif scan.sarif -n lint",
    "attestry attest sarif scan.sarif -n lint --fail-on note",
    "attestry attest sarif scan.sarif more.sarif -n lint --assert"
  ],
  "attest sonar": [
    "attestry attest sonar -n quality",
    "attestry attest sonar -n quality --project shop --branch main --server-url https://sonar.example.org",
    "attestry attest sonar -n quality --task-url 'https://sonar.example.org/api/ce/task?id=task-1' --wait 2m"
  ],
  "attest jira": [
    "attestry attest jira -n ticket --base-url https://jira.example.org --project SHOP --fields summary",
    "attestry attest jira -n ticket --base-url https://jira.example.org --trailer Jira --commit HEAD",
    'attestry attest jira -n ticket --base-url https://jira.example.org --no-branch --source "SHOP-12: coupons"'
  ],
  "attest pull-request": [
    "attestry attest pull-request -n review",
    "attestry attest pull-request -n review --number 41",
    "attestry attest pull-request -n review --forge github --repository acme/shop"
  ],
  "attest custom": [
    "attestry attest custom load.json --type-name load-test -n load",
    "attestry attest custom - --type-name load-test -n load < load.json",
    "attestry attest custom load.json --type-name load-test -n web.load -a dist/web --assert"
  ],
  "attest decision": [
    "attestry attest decision --control SDLC-1 --compliant -n release",
    'attestry attest decision --control SDLC-1 --compliant=false --reason "no second review" -n release',
    "attestry attest decision --control SDLC-1 --compliant -n web.release -F HEX"
  ],
  "attest agent-session": [
    "attestry attest agent-session session.json -n session",
    "attestry attest agent-session session.json -n session --prompted-by ada --assert",
    "attestry attest agent-session -n session --tool agent --model model-1 --started-at 20m --ended-at 1m"
  ],
  "attest override": [
    'attestry attest override -n unit --compliant --reason "known flake" --yes',
    'attestry attest override -n lint --compliant=false --reason "rules were off"',
    'attestry attest override -n unit --original-type junit --compliant --reason "tested by hand" --yes'
  ],
  "attest file": [
    "attestry attest file sbom.cdx.json -a dist/web",
    "attestry attest file reports/unit.xml sbom.cdx.json --dry-run",
    "attestry attest file minutes.pdf -n review --as generic --compliant"
  ],
  "attest sbom": [
    "attestry attest sbom sbom.cdx.json -a dist/web --assert",
    "attestry attest sbom sbom.cdx.json -n bom --dry-run",
    "attestry attest sbom sbom.cdx.json -a dist/web --if-unreachable spool"
  ],
  "attest provenance": [
    "attestry attest provenance provenance.json",
    "attestry attest provenance provenance.json -a dist/web --dry-run",
    "attestry attest provenance provenance.json -n build -o json"
  ],
  "attest scan": [
    "attestry attest scan scan.sarif -a dist/web",
    "attestry attest scan scan.sarif more.sarif --dry-run",
    "attestry attest scan more.sarif -n findings -o json"
  ],
  fingerprint: [
    "attestry fingerprint dist/web -x '**/*.map'",
    "attestry fingerprint -t oci registry.example.org/shop/api:1.4",
    "attestry fingerprint -t oci-layout image -o json"
  ],
  "spool list": ["attestry spool list", "attestry spool list -o json", "attestry spool list -q"],
  "spool send": [
    "attestry spool send",
    "attestry spool send -o json",
    "attestry spool send --timeout 10s --retries 1"
  ],
  "spool drop": [
    "attestry spool drop ID",
    "attestry spool drop ID --yes",
    "attestry spool drop ID --yes -o json"
  ]
}

/** Examples of `report` commands, by command name. */
export const REPORT_EXAMPLES: Examples = {
  "report docker": [
    "attestry report docker staging",
    "attestry report docker staging --label tier=web --skip-local",
    "attestry report docker staging --watch --every 60s -o jsonl"
  ],
  "report kubernetes": [
    "attestry report kubernetes prod --namespace shop --namespace '/^pay-/'",
    "attestry report kubernetes prod --selector app=api --strict",
    "attestry report kubernetes prod --watch --health-port 8081 -o jsonl"
  ],
  "report paths": [
    "attestry report paths srv --path web=/srv/www",
    "attestry report paths srv --file paths.yaml --create",
    "attestry report paths srv --path web=/srv/www --tree --dry-run"
  ],
  "report ecs": [
    "attestry report ecs prod --cluster shop",
    "attestry report ecs prod --exclude-cluster '/^test-/' --create",
    "attestry report ecs prod --watch --every 60s -o jsonl"
  ],
  "report lambda": [
    "attestry report lambda prod --function '/^shop-/'",
    "attestry report lambda prod --exclude-function '/^test-/' --create",
    "attestry report lambda prod --region eu-west-1 --strict"
  ],
  "report s3": [
    "attestry report s3 site --bucket www",
    "attestry report s3 site --bucket www --max-bytes 100MiB",
    "attestry report s3 site --bucket www --exclude '**/*.map' --dry-run"
  ],
  "report azure-apps": [
    "attestry report azure-apps prod --subscription sub",
    "attestry report azure-apps prod --subscription sub --resource-group shop",
    "attestry report azure-apps prod --subscription sub --digests-source logs"
  ],
  "report cloud-run": [
    "attestry report cloud-run prod --project shop --region eu-west1",
    "attestry report cloud-run prod --project shop --region eu-west1 --exclude-service '/^test-/'",
    "attestry report cloud-run prod --project shop --region eu-west1 --dry-run"
  ],
  "report json": [
    "attestry report json edge - --kind server < running.json",
    "attestry report json edge running.json --kind server --create",
    "attestry report json edge running.json --kind server --dry-run -o json"
  ],
  "report all": [
    "attestry report all reporters.yaml",
    "attestry report all reporters.yaml --create --strict",
    "attestry report all reporters.yaml --watch --health-port 8081 -o jsonl"
  ],
  "evidence verify": [
    "attestry evidence verify sbom.dsse.json --trust-policy signers.yaml --artifact web.tgz",
    "attestry evidence verify sbom.dsse.json --trust-policy signers.yaml --trust-root github=trusted_root.json",
    "attestry evidence verify sbom.dsse.json --trust-policy signers.yaml -o json"
  ],
  "evidence judge": [
    "attestry evidence judge HEX",
    "attestry evidence judge HEX --dry-run",
    "attestry evidence judge HEX -o json"
  ]
}
