/**
 * A commit and its repository, as clients send them. SPEC §2.3, §2.5
 *
 * Author identity and authored time are stored, never the committer's. Redacted fields have the literal of the
 * client. Only `sha1` affects decisions.
 */
import * as Schema from "effect/Schema"
import { JsonObject } from "./Evidence.js"
import { CommitSha } from "./Identifier.js"

const optional = <A, I>(schema: Schema.Schema<A, I>) =>
  Schema.optionalWith(Schema.NullOr(schema), { exact: true })

/** Members that are not known are accepted and not kept: a newer client may send more. */
const open = {
  parseOptions: { onExcessProperty: "ignore" },
  jsonSchema: { additionalProperties: {} }
} as const

/** One commit. Only its id is required; unknown fields are absent or null. */
export const GitCommitInfo = Schema.Struct({
  sha1: CommitSha,
  message: optional(Schema.String),
  author: optional(Schema.String),
  author_username: optional(Schema.String),
  timestamp: optional(Schema.Finite),
  branch: optional(Schema.String),
  url: optional(Schema.String),
  parents: optional(Schema.Array(Schema.String)),
  verified: optional(Schema.Boolean),
  signature_state: optional(Schema.String),
  signer_username: optional(Schema.String),
  signed_by_platform: optional(Schema.Boolean)
}).annotations({ ...open, identifier: "GitCommitInfo" })
/** One commit. */
export type GitCommitInfo = typeof GitCommitInfo.Type

/** The members that a commit always has in responses; null when no report gives them. */
export const unsaidCommit = {
  message: null,
  author: null,
  author_username: null,
  timestamp: null,
  branch: null,
  url: null,
  parents: null,
  verified: null,
  signature_state: null
} as const satisfies Partial<GitCommitInfo>

/** The most characters of ids and names of repositories, so that they can be indexed. */
export const REPO_NAME_LENGTH_MAX = 512
const PROVIDER_LENGTH_MAX = 64

const Name = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(REPO_NAME_LENGTH_MAX))

/** The repository a commit belongs to; without an id it is identified by its provider and name. */
export const RepoInfo = Schema.Struct({
  id: optional(Name),
  name: Name,
  url: Schema.String,
  description: optional(Schema.String),
  provider: optional(Schema.String.pipe(Schema.maxLength(PROVIDER_LENGTH_MAX))),
  namespace_path: optional(Schema.Array(Schema.String)),
  additional_info: optional(JsonObject)
}).annotations({ ...open, identifier: "RepoInfo" })
/** The repository a commit belongs to. */
export type RepoInfo = typeof RepoInfo.Type
