/**
 * A repository that commits were seen in: made by the first report that carries one, and kept as the
 * newest report describes it. Its provider and the provider's own id say which one it is.
 */
import * as Schema from "effect/Schema"
import * as CanonicalJson from "../shared/CanonicalJson.js"
import { UserData } from "../shared/Evidence.js"
import type { RepoInfo } from "../shared/GitCommit.js"
import { OrgId, OrgName, RepoId } from "../shared/Identifier.js"
import { Tags } from "../shared/Tags.js"
import { plusSeconds, Timestamp } from "../shared/Timestamp.js"

/** A repository. */
export const Repo = Schema.Struct({
  org_id: OrgId,
  id: RepoId,
  /** The provider's own id. */
  repo_id: Schema.String,
  name: Schema.String,
  url: Schema.String,
  /** Empty where no report has said. */
  provider: Schema.String,
  description: Schema.NullOr(Schema.String),
  namespace_path: Schema.NullOr(Schema.Array(Schema.String)),
  additional_info: Schema.NullOr(UserData),
  tags: Tags,
  /** When a report last named it, exact to a minute. */
  latest_activity_at: Timestamp,
  created_at: Timestamp,
  last_modified_at: Timestamp
})
/** A repository. */
export type Repo = typeof Repo.Type

/** What says which repository it is. */
export interface RepoKey {
  readonly org: OrgId
  readonly provider: string
  readonly repoId: string
}

/** The key of the repository that a report names. */
export const keyOf = ({ provider, id }: RepoInfo): Omit<RepoKey, "org"> => ({
  provider: provider ?? "",
  repoId: id
})

/** What a report says about a repository, with nothing left open. */
export const described = (info: RepoInfo) => ({
  repo_id: info.id,
  name: info.name,
  url: info.url,
  provider: info.provider ?? "",
  description: info.description ?? null,
  namespace_path: info.namespace_path ?? null,
  additional_info: info.additional_info ?? null
})

/** Activity within this time of what is known changes nothing: a busy repository would be one hot row. */
const ACTIVITY_SECONDS = 60

/** Whether a report at this moment is activity that is not known yet. */
export const isActive = (repo: Repo, at: Timestamp): boolean =>
  at >= plusSeconds(repo.latest_activity_at, ACTIVITY_SECONDS)

/** Whether a report says what is known already. */
export const isKnown = (repo: Repo, info: RepoInfo): boolean => {
  const { org_id: _, id: __, tags: ___, created_at, last_modified_at, ...rest } = repo
  const { latest_activity_at, ...known } = rest
  return CanonicalJson.equals(known, described(info))
}

/** There is no repository of that name, or of that id. */
export class RepoNotFound extends Schema.TaggedError<RepoNotFound>()("RepoNotFound", {
  org: OrgName,
  repo: Schema.String
}) {
  override get message(): string {
    return `there is no repository \`${this.repo}\` in org \`${this.org}\``
  }
}

/** Repositories of several providers have that name. */
export class AmbiguousRepo extends Schema.TaggedError<AmbiguousRepo>()("AmbiguousRepo", {
  repo: Schema.String,
  providers: Schema.Array(Schema.String)
}) {
  override get message(): string {
    return `several repositories are named \`${this.repo}\`: say which provider`
  }
}
