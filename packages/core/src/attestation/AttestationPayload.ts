/**
 * The fields of each type of attestation that decide its outcome: one struct per type, in the spelling of the wire.
 *
 * Only fields that a decision or a reader depends on are checked; the rest of a result is stored as sent. Common
 * fields are in `AttestationReport`; custom types define their own.
 */
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { type ParseOptions, SurrogateAnnotationId } from "effect/SchemaAST"
import * as AttestationTypePattern from "../flow/AttestationTypePattern.js"
import { JsonObject } from "../shared/Evidence.js"
import { GitCommitInfo } from "../shared/GitCommit.js"
import { CommitSha, ControlIdentifier } from "../shared/Identifier.js"
import * as Placeholder from "../shared/Placeholder.js"
import type * as EvidenceType from "./EvidenceType.js"
import { orText } from "./internal/TextOfJson.js"

const optional = <A, I>(schema: Schema.Schema<A, I>) =>
  Schema.optionalWith(Schema.NullOr(schema), { exact: true })

const Count = Schema.Int.pipe(Schema.nonNegative())

/** A text that names evidence or decides its outcome, and is no placeholder. SPEC §2.15 */
const Filled = Schema.String.pipe(
  Schema.filter((text) => !Placeholder.is(text) || Placeholder.PROBLEM)
)

/** An address, without a placeholder in it. */
const FilledUrl = Schema.String.pipe(
  Schema.filter((text) => !Placeholder.isWithin(text) || Placeholder.PROBLEM)
)

/**
 * Checks the known fields and returns the input unchanged: unknown fields are kept.
 *
 * WHY: the schema's own way to preserve fields assigns them, so a field called `__proto__` would provide values
 * for absent fields.
 */
const whole = <A, I>(known: Schema.Schema<A, I>): Schema.Schema<A, I> => {
  const optionsOf = (options: ParseOptions): ParseOptions => ({
    ...options,
    onExcessProperty: "ignore"
  })
  const checked =
    <B>(check: (input: unknown) => Either.Either<unknown, ParseResult.ParseIssue>) =>
    (input: unknown): Either.Either<B, ParseResult.ParseIssue> =>
      // WHY: known fields are checked, never changed, so the input has the type that checking gives.
      Either.map(check(input), () => input as B)
  return Schema.declare<A, I, []>(
    [],
    {
      decode: () => {
        const check = ParseResult.decodeUnknownEither(known)
        return (input, options) => checked<A>((value) => check(value, optionsOf(options)))(input)
      },
      encode: () => {
        const check = ParseResult.encodeUnknownEither(known)
        return (input, options) => checked<I>((value) => check(value, optionsOf(options)))(input)
      }
    },
    {
      // The JSON Schema of the known fields; a declaration has none of its own.
      [SurrogateAnnotationId]: known.ast,
      jsonSchema: { additionalProperties: {} }
    }
  )
}

/** `generic`: the reporter gives the outcome. */
export const GenericPayload = Schema.Struct({ is_compliant: Schema.Boolean })
/** `generic`: the reporter gives the outcome. */
export type GenericPayload = typeof GenericPayload.Type

/** `junit`: test suites, at least one. No tests are not passing tests. */
export const JunitPayload = Schema.Struct({
  junit_results: Schema.Array(
    whole(
      Schema.Struct({
        name: Filled,
        failures: Count,
        errors: Count,
        skipped: Count,
        total: Count,
        duration: Schema.Finite,
        timestamp: optional(Schema.Finite)
      })
    )
  ).pipe(Schema.minItems(1))
})
/** `junit`: test suites, at least one. */
export type JunitPayload = typeof JunitPayload.Type

/** `snyk`: a scan, with the vulnerabilities of each run counted. */
export const SnykPayload = Schema.Struct({
  snyk_results: whole(
    Schema.Struct({
      results: Schema.Array(
        whole(Schema.Struct({ high_count: Count, medium_count: Count, low_count: Count }))
      )
    })
  )
})
/** `snyk`: a scan, with the vulnerabilities of each run counted. */
export type SnykPayload = typeof SnykPayload.Type

/** `sonar`: an analysis, with the status of its quality gate where it has one. */
export const SonarPayload = Schema.Struct({
  sonar_results: whole(
    Schema.Struct({
      serverUrl: optional(FilledUrl),
      taskId: optional(Filled),
      status: optional(Filled),
      analysedAt: Filled,
      revision: Filled,
      project: whole(Schema.Struct({ key: Filled, url: FilledUrl })),
      qualityGate: optional(whole(Schema.Struct({ status: Filled })))
    })
  )
})
/** `sonar`: an analysis, with the status of its quality gate where it has one. */
export type SonarPayload = typeof SonarPayload.Type

/** `jira`: the issues that were referenced; possibly none. */
export const JiraPayload = Schema.Struct({
  jira_results: Schema.Array(
    whole(
      Schema.Struct({
        issue_id: Filled,
        issue_url: FilledUrl,
        issue_exists: Schema.Boolean
      })
    )
  )
})
/** `jira`: the issues that were referenced; possibly none. */
export type JiraPayload = typeof JiraPayload.Type

const Approver = Schema.Union(
  Schema.String,
  Schema.Struct({
    username: Schema.String,
    state: optional(Schema.String),
    timestamp: optional(Schema.Finite)
  })
)

const Review = Schema.Struct({
  username: optional(Schema.String),
  state: optional(Schema.String),
  commit_sha: optional(Schema.String),
  timestamp: optional(Schema.Finite)
})

/**
 * A pull request. The form with commits must name its author, as an empty text when it is unknown; the short
 * form need not. `state` is the provider's word. SPEC §2.5. Every provider has its own words, so nothing depends on it.
 */
export const PullRequest = Schema.Struct({
  url: FilledUrl,
  state: Filled,
  author: optional(Schema.String),
  commits: Schema.optionalWith(Schema.Array(GitCommitInfo), { exact: true }),
  merge_commit: optional(Filled),
  approvers: optional(Schema.Array(Approver)),
  reviews: optional(Schema.Array(Review)),
  /** The logins in this pull request that the forge marks as accounts of programs. */
  programs: optional(Schema.Array(Schema.String)),
  title: optional(Schema.String),
  head_ref: optional(Schema.String),
  base_ref: optional(Schema.String),
  created_at: optional(Schema.Finite),
  merged_at: optional(Schema.Finite)
}).pipe(
  Schema.filter(({ commits, author }) =>
    commits === undefined || typeof author === "string"
      ? undefined
      : { path: ["author"], message: "Field required where `commits` is given" }
  )
)
/** A pull request. */
export type PullRequest = typeof PullRequest.Type

/** `pull_request`: the pull requests of a commit; possibly none. */
export const PullRequestPayload = Schema.Struct({
  git_provider: Filled,
  pull_requests: Schema.Array(PullRequest)
})
/** `pull_request`: the pull requests of a commit; possibly none. */
export type PullRequestPayload = typeof PullRequestPayload.Type

/** The name of a type of the operation `system`; WHY all words: an unknown one is told all that there are. */
const systemType = <Word extends (typeof EvidenceType.SYSTEM)[number]>(word: Word) =>
  Schema.Literal(
    "decision",
    "system:decision",
    "sbom",
    "system:sbom",
    "agent_session",
    "system:agent_session"
  ).pipe(
    Schema.filter(
      (name): name is Word | `system:${Word}` => AttestationTypePattern.fromWire(name) === word
    )
  )

/** `decision`: a decision about a control, which need not exist. */
export const DecisionPayload = Schema.Struct({
  type_name: systemType("decision"),
  control: ControlIdentifier,
  attestation_data: orText(whole(Schema.Struct({ is_compliant: Schema.Boolean })))
})
/** `decision`: a decision about a control, which need not exist. */
export type DecisionPayload = typeof DecisionPayload.Type

/** A SHA-256 in either case; empty when it is unknown. */
const SubjectDigest = Schema.String.pipe(Schema.pattern(/^(?:[a-fA-F0-9]{64})?$/))

const Subject = whole(
  Schema.Struct({
    name: optional(Schema.String),
    version: optional(Schema.String),
    purl: optional(Schema.String),
    sha256: optional(SubjectDigest)
  })
)

const SbomDocument = whole(
  Schema.Struct({
    created_at: optional(Schema.Union(Schema.String, Schema.Finite)),
    tools: optional(Schema.Array(Schema.Union(Schema.String, JsonObject))),
    subject: optional(Subject),
    package_count: optional(Count)
  })
)

/**
 * `sbom`: a list of what an artifact is made of, as its client has summed it up; the list itself is an attached file.
 */
export const SbomPayload = Schema.Struct({
  type_name: systemType("sbom"),
  attestation_data: orText(
    whole(
      Schema.Struct({
        format: Filled.pipe(Schema.minLength(1)),
        original_fingerprint: optional(SubjectDigest),
        document: SbomDocument
      })
    )
  )
})
/** `sbom`: a list of what an artifact is made of. */
export type SbomPayload = typeof SbomPayload.Type

/** The most files that a session lists; `files_changed_count` counts all. */
export const FILES_CHANGED_MAX = 1_000
/** The most commits that a session lists. */
export const SESSION_COMMITS_MAX = 1_000

const ChangedFile = whole(
  Schema.Struct({
    path: Schema.String.pipe(Schema.minLength(1)),
    added: optional(Count),
    removed: optional(Count)
  })
)

const AgentSession = Schema.Struct({
  tool: whole(
    Schema.Struct({ name: Filled.pipe(Schema.minLength(1)), version: optional(Schema.String) })
  ),
  model: Filled.pipe(Schema.minLength(1)),
  started_at: Schema.Finite,
  ended_at: Schema.Finite,
  transcript_sha256: optional(SubjectDigest),
  files_changed: Schema.Array(ChangedFile).pipe(Schema.maxItems(FILES_CHANGED_MAX)),
  files_changed_count: optional(Count),
  commits: optional(Schema.Array(CommitSha).pipe(Schema.maxItems(SESSION_COMMITS_MAX))),
  /** The person who asked for the work. WHY not a text: `username` can be erased. */
  prompted_by: optional(whole(Schema.Struct({ username: Schema.String })))
}).pipe(
  Schema.filter(({ started_at, ended_at }) =>
    ended_at >= started_at
      ? undefined
      : { path: ["ended_at"], message: "Input should not be before `started_at`" }
  )
)

/**
 * `agent_session`: a session in which a coding agent changed files. A transcript can be an attached file.
 */
export const AgentSessionPayload = Schema.Struct({
  type_name: systemType("agent_session"),
  attestation_data: orText(whole(AgentSession))
})
/** `agent_session`: a session in which a coding agent changed files. */
export type AgentSessionPayload = typeof AgentSessionPayload.Type

const isOriginalType = (type: string): boolean =>
  type === "custom" ||
  (type !== "*" && AttestationTypePattern.is(AttestationTypePattern.fromWire(type)))

/** An override: a new outcome for an attestation of the original type, and the reason. */
export const OverridePayload = Schema.Struct({
  reason: Filled.pipe(
    Schema.filter((reason) => reason.trim() !== "" || "String should not be blank")
  ),
  new_compliance_status: Schema.Boolean,
  original_attestation_type: Schema.String.pipe(
    Schema.filter((type) => isOriginalType(type) || "Input should be an attestation type")
  )
})
/** An override: a new outcome for an attestation of the original type, and the reason. */
export type OverridePayload = typeof OverridePayload.Type
