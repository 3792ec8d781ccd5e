/**
 * A repository: created by the first report that names it, with the values of the newest report. Its provider
 * and the provider's id are its identity; without an id, its provider and its name.
 */
import * as Schema from "effect/Schema"
import * as CanonicalJson from "../shared/CanonicalJson.js"
import { JsonObject } from "../shared/Evidence.js"
import type { RepoInfo } from "../shared/GitCommit.js"
import { OrgId, OrgName, RepoId } from "../shared/Identifier.js"
import { Tags } from "../shared/Tags.js"
import { plusSeconds, Timestamp } from "../shared/Timestamp.js"
import * as RepoProvider from "./RepoProvider.js"

/** A repository. */
export const Repo = Schema.Struct({
  org_id: OrgId,
  id: RepoId,
  /** The provider's id; null when no report gives it. */
  repo_id: Schema.NullOr(Schema.String),
  name: Schema.String,
  url: Schema.String,
  /** The neutral word; empty when no report gives it. */
  provider: Schema.String,
  /** The other spelling of the provider in the report that created it; null for the neutral word. */
  provider_alias: Schema.NullOr(Schema.String),
  description: Schema.NullOr(Schema.String),
  namespace_path: Schema.NullOr(Schema.Array(Schema.String)),
  additional_info: Schema.NullOr(JsonObject),
  tags: Tags,
  /** When a report last named it, to within a minute. */
  latest_activity_at: Timestamp,
  created_at: Timestamp,
  last_modified_at: Timestamp
})
/** A repository. */
export type Repo = typeof Repo.Type

/** WHY no class of the platform: core has none. The pattern is that of the column `vcs_instance` of the SQL store. */
const HOST = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/(?:[^/?#]*@)?([^/?#@]{1,255})(?=[/?#]|$)/u

/** The text with the letters A to Z in lower case, as in the names of hosts. */
export const lowerHost = (text: string): string =>
  text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/** The host of a repository's URL in lower case, with its port where it has one; null without one. SPEC §2.21 */
export const vcsInstance = (url: string): string | null => {
  const host = HOST.exec(url)?.[1]
  return host === undefined ? null : lowerHost(host)
}

/** How a report names a repository: by its id, or by its name where the id is null. */
export interface RepoKey {
  readonly org: OrgId
  readonly provider: string
  readonly repoId: string | null
  readonly name: string
}

/** How a report names its repository. */
export const keyOf = ({ provider, id, name }: RepoInfo): Omit<RepoKey, "org"> => ({
  provider: RepoProvider.neutral(provider ?? ""),
  repoId: id ?? null,
  name
})

/** The values of a report about a repository, with defaults. */
const described = (info: RepoInfo) => ({
  name: info.name,
  url: info.url,
  description: info.description ?? null,
  namespace_path: info.namespace_path ?? null,
  additional_info: info.additional_info ?? null
})

/** The repository that a report creates. */
export const create = (
  info: RepoInfo,
  { org, id, at }: { readonly org: OrgId; readonly id: RepoId; readonly at: Timestamp }
): Repo => ({
  org_id: org,
  id,
  repo_id: info.id ?? null,
  provider: RepoProvider.neutral(info.provider ?? ""),
  provider_alias: RepoProvider.aliasOf(info.provider ?? ""),
  ...described(info),
  tags: {},
  latest_activity_at: at,
  created_at: at,
  last_modified_at: at
})

/** The repository with the values of a report that names it; its identity stays. */
export const revise = (repo: Repo, info: RepoInfo, at: Timestamp): Repo => ({
  ...repo,
  ...described(info),
  latest_activity_at: at,
  last_modified_at: at
})

/** The provider as the repository was created with. */
export const shownProvider = ({ provider, provider_alias }: Repo): string =>
  provider_alias ?? provider

/** Activity within this time of the stored one is not written: otherwise a busy repository would be one hot row. */
const ACTIVITY_SECONDS = 60

/** Whether a report at this instant is activity to write. */
export const isActive = (repo: Repo, at: Timestamp): boolean =>
  at >= plusSeconds(repo.latest_activity_at, ACTIVITY_SECONDS)

/** Whether the stored repository has the values of a report. */
export const isKnown = (repo: Repo, info: RepoInfo): boolean => {
  const { name, url, description, namespace_path, additional_info } = repo
  const known = { name, url, description, namespace_path, additional_info }
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
