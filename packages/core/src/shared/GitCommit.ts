/**
 * What clients say about a commit and its repository, kept as sent. SPEC §2.3, §2.5
 *
 * Author identity and authored time are recorded, never the committer's. Redacted fields hold the
 * literal that the client put there; only `sha1` ever takes part in a decision.
 */
import * as Schema from "effect/Schema"
import { JsonObject } from "./Evidence.js"
import { CommitSha } from "./Identifier.js"

const optional = <A, I>(schema: Schema.Schema<A, I>) =>
  Schema.optionalWith(Schema.NullOr(schema), { exact: true })

/** One commit. Only its id is required; what a client does not know it leaves out or sends as null. */
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
}).annotations({ identifier: "GitCommitInfo" })
/** One commit. */
export type GitCommitInfo = typeof GitCommitInfo.Type

/** The members that a commit always has in answers: null where no report has said. DECISION B-167 */
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

/** Ids and names of repositories have at most this many characters, so that they can be looked up. */
export const REPO_NAME_LENGTH_MAX = 512
const PROVIDER_LENGTH_MAX = 64

const Name = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(REPO_NAME_LENGTH_MAX))

/** The repository a commit belongs to. */
export const RepoInfo = Schema.Struct({
  id: Name,
  name: Name,
  url: Schema.String,
  description: optional(Schema.String),
  provider: optional(Schema.String.pipe(Schema.maxLength(PROVIDER_LENGTH_MAX))),
  namespace_path: optional(Schema.Array(Schema.String)),
  additional_info: optional(JsonObject)
}).annotations({ identifier: "RepoInfo" })
/** The repository a commit belongs to. */
export type RepoInfo = typeof RepoInfo.Type
