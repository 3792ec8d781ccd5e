/** Trails with all or some of their details. */
import type { UserData } from "@attestry/core/Evidence"
import type { GitCommitInfo, RepoInfo } from "@attestry/core/GitCommit"
import { CommitSha, TrailName } from "@attestry/core/Identifier"
import type { TrailDetails, TrailDraft } from "@attestry/core/Trail"
import * as FastCheck from "effect/FastCheck"
import * as Reports from "../EnvironmentReport.js"
import { jsonObject, nonEmptyText, text } from "./Text.js"

const maybe = <A>(value: FastCheck.Arbitrary<A>) => FastCheck.option(value, { nil: null })

/** One of two commits, so that collisions are common. */
export const commitSha: FastCheck.Arbitrary<CommitSha> = FastCheck.constantFrom(
  CommitSha.make("1".repeat(40)),
  CommitSha.make("e".repeat(40))
)

/** A commit; optional fields are present, null or absent. */
export const gitCommitInfo: FastCheck.Arbitrary<GitCommitInfo> = FastCheck.record(
  {
    sha1: commitSha,
    message: maybe(text),
    author: maybe(text),
    timestamp: maybe(FastCheck.constantFrom(1_790_000_000.25, 0, -1.5)),
    branch: maybe(text),
    parents: maybe(FastCheck.array(commitSha, { maxLength: 2 })),
    verified: maybe(FastCheck.boolean())
  },
  { requiredKeys: ["sha1"] }
)

/** A repository. */
export const repoInfo: FastCheck.Arbitrary<RepoInfo> = FastCheck.record(
  {
    id: maybe(nonEmptyText),
    name: nonEmptyText,
    url: text,
    namespace_path: maybe(FastCheck.array(text, { maxLength: 2 })),
    additional_info: maybe(FastCheck.constantFrom({}, { stars: 3, topics: ["ci"] }))
  },
  { requiredKeys: ["name", "url"] }
)

/** Links by label. */
export const externalUrls: FastCheck.Arbitrary<NonNullable<TrailDetails["external_urls"]>> =
  FastCheck.array(
    FastCheck.tuple(
      FastCheck.constantFrom("run", "__proto__", "build log"),
      FastCheck.record({ href: text, fingerprint: Reports.fingerprint }, { requiredKeys: ["href"] })
    ),
    { maxLength: 2 }
  ).map(Object.fromEntries)

/** An object or a list of the client. */
export const userData: FastCheck.Arbitrary<UserData> = FastCheck.oneof(
  jsonObject,
  FastCheck.array(jsonObject, { maxLength: 2 })
)

const details = {
  description: maybe(text),
  git_commit_info: maybe(gitCommitInfo),
  repo_info: maybe(repoInfo),
  external_urls: maybe(externalUrls),
  origin_url: maybe(text),
  user_data: userData
}

/** All details of a trail. */
export const trailDetails: FastCheck.Arbitrary<TrailDetails> = FastCheck.record(details)

/** Two names on which sequences of commands collide. */
export const trailName: FastCheck.Arbitrary<TrailName> = FastCheck.constantFrom(
  TrailName.make("run-1"),
  TrailName.make("run-2")
)

/** Drafts of two trails with some details, from few contents. */
export const trailDraft: FastCheck.Arbitrary<TrailDraft> = FastCheck.record(
  {
    name: trailName,
    description: FastCheck.constantFrom(null, "first", "second"),
    git_commit_info: FastCheck.constantFrom(null, { sha1: CommitSha.make("1".repeat(40)) }),
    user_data: FastCheck.constantFrom({ a: 1, b: [null] }, { b: [null], a: 1 })
  },
  { requiredKeys: ["name"] }
)
