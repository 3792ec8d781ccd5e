/**
 * The schemas of this program's own results, by the name in their member `schema`.
 *
 * A breaking change makes a new version of a schema. For answers of the API, the contract has the schemas.
 */
import * as Schema from "effect/Schema"
import * as AdmissionSchemas from "../admission/AdmissionSchemas.js"
import * as CapsuleSchemas from "../capsule/CapsuleSchemas.js"
import * as EvidenceSchemas from "../evidence/EvidenceSchemas.js"
import * as LogSchemas from "../log/LogSchemas.js"
import * as ReceiptSchemas from "../receipt/ReceiptSchemas.js"
import { Fields, NullableText, optional, result, Texts } from "./ResultSchema.js"

const { Boolean: Truth, Literal, NullOr, Number: Count, String: Text, Unknown } = Schema

const Written = {
  noun: Text,
  name: Text,
  outcome: NullableText,
  version: NullOr(Count),
  snapshot_index: NullOr(Count),
  url: NullableText
}

const Place = { line: Count, column: Count }
const Problem = Schema.Struct({ path: Text, ...Place, message: Text })
const Remark = Schema.Struct({
  ...Problem.fields,
  code: Text,
  severity: Literal("warning", "info"),
  suggestion: NullableText
})
const Linted = {
  kind: Literal("policy", "template", "trust-policy"),
  problems: Schema.Array(Problem),
  remarks: Schema.Array(Remark)
}

const Reason = Schema.Struct({
  type: Text,
  policy_name: NullableText,
  policy_version: NullOr(Count),
  rule_index: NullOr(Count),
  rule: NullableText,
  rule_number: NullOr(Count),
  flow_name: NullableText,
  trail_name: NullableText,
  attestation_name: NullableText,
  attestation_type: NullableText,
  description: Text,
  found: Texts,
  position: NullOr(Schema.Struct({ file: NullableText, ...Place, text: Text })),
  command: NullOr(Texts)
})

const Report = result("report", "One report of an environment: attestry report", {
  environment: Text,
  kind: Text,
  units: Count,
  left_out: Texts,
  unknown: Texts,
  warnings: Texts,
  outcome: NullableText,
  snapshot_index: NullOr(Count),
  compliant: NullOr(Truth),
  before: NullOr(Schema.Struct({ snapshot_index: Count, compliant: NullOr(Truth) })),
  url: NullableText
})

const SpoolEntry = { id: Text, operation: Text, flow: Text, trail: Text, label: Text }
const Sent = Schema.Struct({ ...SpoolEntry, recorded_at: Text, outcome: NullableText })
const SpooledFile = Schema.Struct({ filename: Text, size: Count, sha256: Text })
const Named = Schema.Struct({ filename: Text, size: Count })
const InitFile = Schema.Struct({ path: Text, text: Text })

const EVIDENCE = [
  result("trail", "A trail that was begun: attestry begin", {
    flow: Text,
    trail: Text,
    outcome: NullableText,
    expects: Texts,
    url: NullableText
  }),
  result("artifacts", "Artifacts that were reported: attestry attest artifact", {
    flow: Text,
    trail: Text,
    artifacts: Schema.Array(
      Schema.Struct({
        slot: NullableText,
        name: Text,
        type: NullableText,
        fingerprint: Text,
        outcome: NullableText
      })
    )
  }),
  result("attestation", "An attestation that was recorded: attestry attest", {
    kind: Text,
    name: Text,
    flow: Text,
    trail: Text,
    slot: NullableText,
    fingerprint: NullableText,
    compliant: NullOr(Truth),
    outcome: NullableText,
    id: NullableText,
    url: NullableText,
    files: Schema.Array(Named)
  }),
  result("evidence", "Evidence files that were accepted: attestry attest file, sbom, scan", {
    dry_run: Truth,
    compliant: NullOr(Truth),
    documents: Schema.Array(Fields),
    ignored: Schema.Array(Fields),
    spooled: Schema.Array(Schema.Struct({ file: Text, id: Text, reason: Text }))
  }),
  result("saved-evidence", "A saved evidence file: attestry get evidence --raw", {
    file: Text,
    digest: Text,
    size: Count
  }),
  result("fingerprint", "A fingerprint: attestry fingerprint", {
    type: Text,
    fingerprint: Text,
    name: Text,
    entries: optional(Count),
    left_out: optional(Count)
  }),
  result("dry-run", "What would be sent: --dry-run", {
    operation: Text,
    path: Fields,
    payload: Unknown,
    files: Schema.Array(Named)
  }),
  result("spooled", "Evidence that waits on this machine: --if-unreachable spool", {
    spooled: Literal(true),
    ...SpoolEntry,
    waiting: Count,
    reason: Text
  }),
  result("spool", "What waits: attestry spool list", {
    folder: Text,
    entries: Schema.Array(
      Schema.Struct({
        ...SpoolEntry,
        state: Literal("waiting", "refused"),
        url: Text,
        org: NullableText,
        recorded_at: Text,
        files: Schema.Array(SpooledFile)
      })
    ),
    damaged: Texts
  }),
  result("spool-send", "What was sent: attestry spool send", {
    sent: Schema.Array(Sent),
    refused: Schema.Array(Schema.Struct({ ...SpoolEntry, recorded_at: Text, error: Fields })),
    left: Count
  }),
  result("spool-drop", "What is never sent: attestry spool drop", { dropped: Texts })
]

const ANSWERS = [
  Report,
  result("reports", "Several reports: attestry report all", { environments: Schema.Array(Report) }),
  result("assertion", "An answer with its reasons: attestry assert", {
    compliant: Truth,
    scope: Literal("flow", "environment", "policy", "snapshot", "trail"),
    environment: NullableText,
    subject: Schema.Struct({ name: Text, fingerprint: NullableText }),
    reasons: Schema.Array(Reason),
    url: NullableText,
    expires_at: optional(Count),
    answer: Fields
  }),
  result("pull-requests", "The pull requests of a commit: attestry assert pull-request", {
    git_provider: Text,
    repository: Text,
    commit: Text,
    compliant: Truth,
    pull_requests: Schema.Array(Fields)
  }),
  result("lint", "Problems and remarks of files: attestry policy lint, attestry trust lint", {
    files: Schema.Array(Schema.Struct({ file: Text, ...Linted }))
  }),
  result("document-lint", "Problems and remarks of a text: the tool lint_document", Linted),
  result("policy-test", "Tests of a policy: attestry policy test", {
    passed: Count,
    failed: Count,
    files: Schema.Array(Schema.Struct({ file: Text, tests: Schema.Array(Fields) })),
    coverage: Fields
  }),
  result("policy-diff", "What two policies accept: attestry policy diff", {
    relation: Text,
    rules: Fields,
    accepted_by_old_only: NullOr(Fields),
    accepted_by_new_only: NullOr(Fields)
  }),
  result("evaluation", "Policies on facts: attestry policy evaluate", {
    verdict: Text,
    policy_decisions: Schema.Array(Fields),
    reasons: Schema.Array(Fields)
  }),
  result("rego-evaluation", "The answer of a rule engine: attestry evaluate", {
    allow: Truth,
    violations: Schema.Array(Unknown),
    rego: Text
  })
]

const WRITES = [
  result("write", "What a write did: attestry put, tag, rename, archive", Written),
  result("writes", "What several writes did: attestry attach, detach", {
    writes: Schema.Array(Schema.Struct(Written))
  }),
  result("apply", "What was written, or would be: attestry apply", {
    written: Truth,
    steps: Schema.Array(
      Schema.Struct({
        action: Text,
        noun: Text,
        name: Text,
        file: Text,
        outcome: Text,
        changes: Texts
      })
    )
  }),
  result("invitation", "An invitation: attestry invitation create", {
    id: NullableText,
    role: Text,
    expires_at: NullOr(Count),
    link: optional(Text),
    file: optional(NullableText)
  }),
  result("key", "A key: attestry key create, rotate, create-own (which names no account)", {
    account: optional(Text),
    id: NullableText,
    expires_at: NullOr(Count),
    scope: optional(Fields),
    key: optional(Text),
    file: optional(NullableText)
  })
]

const Places = Schema.Array(Schema.Struct({ entry: Text, pointers: Texts }))

const ORG = [
  result("identity-rules", "Rules for id tokens of pipelines: attestry put identity-rules", {
    account: Text,
    outcome: Literal("written", "appended", "replaced", "unchanged", "deleted"),
    given: Schema.Array(Fields),
    rules: Schema.Array(Fields)
  }),
  result("audit-package", "A saved audit package: attestry audit package", {
    flow_name: optional(Text),
    trail_name: optional(Text),
    fingerprint: optional(Text),
    env_name: optional(Text),
    snapshot_expression: optional(Text),
    file: NullableText,
    size: Count,
    members: NullOr(Count),
    verified: Truth
  }),
  result("erasure", "What was erased, or would be: attestry erase", {
    preview: Truth,
    erased: Places,
    kept: Places,
    searched: NullOr(Fields)
  }),
  result("replay", "Deliveries that are tried again: attestry replay deliveries", {
    replayed: Texts,
    unknown: Texts
  }),
  result("signing-secret", "The secret that signs webhooks: attestry get signing-secret", {
    previous_secret_expires_at: NullOr(Count),
    secret: optional(Text),
    file: optional(Text)
  })
]

const MACHINE = [
  result("release-evidence", "The releases of a period: attestry get release-evidence --csv", {
    csv: Text
  }),
  result("audit-log", "The audit log: attestry log --csv", { csv: Text }),
  result("page", "The address of a page: attestry open", { url: Text, opened: Truth }),
  result("config", "Settings with their sources: attestry config show", {
    settings: Schema.Record({
      key: Text,
      value: Schema.Struct({ value: NullOr(Unknown), source: NullableText })
    })
  }),
  result("config-path", "The file of settings: attestry config path", { path: Text }),
  result("profile", "The profile in use: attestry config use", {
    name: Text,
    url: NullableText,
    org: NullableText
  }),
  result("profile-setting", "A setting of a profile: attestry config set, attestry config unset", {
    profile: Text,
    name: Text,
    value: NullableText
  }),
  result("login", "Who logged in: attestry login", {
    profile: Text,
    url: Text,
    org: NullableText,
    caller: Fields,
    session_expires_at: optional(Count)
  }),
  result("logout", "The profile that was removed: attestry logout", {
    profile: Text,
    url: NullableText
  }),
  result("init", "The files of a repository: attestry init", {
    flow: Text,
    ci: Text,
    written: Texts,
    kept: Schema.Array(InitFile),
    next: Texts
  }),
  result("proposed", "The proposals of a command's changes: attestry propose", {
    proposals: Schema.Array(Fields)
  }),
  result("doctor", "Checks with a way out: attestry doctor", {
    checks: Schema.Array(
      Schema.Struct({
        name: Text,
        state: Literal("ok", "warn", "fail", "skip"),
        text: Text,
        todo: NullableText
      })
    )
  }),
  result("completion", "A completion script: attestry completion", {
    shell: Text,
    script: Text
  }),
  result("version", "The version: attestry version", {
    version: Text,
    node: Text,
    platform: Text
  })
]

const HISTORY = [
  result("exposures", "Where artifacts ran: attestry where", {
    exposures: Schema.Array(Fields),
    summary: Fields,
    total: Count
  }),
  result("graph", "What a thing is connected with: attestry graph", {
    nodes: Schema.Array(Fields),
    edges: Schema.Array(Fields),
    truncated: Schema.Array(Fields)
  }),
  result("backtest", "A policy over recorded history: attestry policy backtest", {
    horizon: Fields,
    flips: Schema.Array(Fields),
    environments: Schema.Array(Fields),
    totals: Fields,
    truncated: Truth,
    notes: optional(Schema.Array(Fields))
  })
]

/** A schema of a result. */
export type ResultSchema = Schema.Schema.AnyNoContext

/** Every schema, by its name such as `attestry.cli/report/v1`. */
export const RESULT_SCHEMAS: ReadonlyMap<string, ResultSchema> = new Map(
  [
    ...EVIDENCE,
    ...ANSWERS,
    ...WRITES,
    ...ORG,
    ...MACHINE,
    ...HISTORY,
    ...LogSchemas.ALL,
    ...ReceiptSchemas.ALL,
    ...CapsuleSchemas.ALL,
    ...AdmissionSchemas.ALL,
    ...EvidenceSchemas.ALL
  ].map((schema): [string, ResultSchema] => [schema.fields.schema.literals[0], schema])
)
