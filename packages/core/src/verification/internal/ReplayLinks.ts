/** Replay rules for the commits and repositories of trails. Pure. */
import type { JournalEntry } from "../../journal/JournalEntry.js"
import type { Columns } from "../AuditStore.js"
import { type Change, membersOf, type State, textOf } from "./ReplayState.js"

/** Links a trail to a commit; a link without a branch may get one later. */
const link = (state: State, { org_id, subject }: JournalEntry, commit: unknown): void => {
  const { sha1: sha, branch } = membersOf(commit)
  if (typeof sha !== "string") return
  const links = state.table("commit_link")
  const key = `${sha} ${subject.id}`
  if (textOf(links.get(key)?.branch) !== "") return
  links.set(key, {
    org_id,
    sha,
    trail_id: subject.id,
    branch: textOf(branch),
    // The store assigns the ordinal.
    ordinal: true
  })
}

/** The commit and the repository of a new trail. */
export const trailBegun: Change = (state, entry, { git_commit_info, repo_info }) => {
  link(state, entry, git_commit_info)
  state.links.mention(entry.subject.id, repo_info)
}

/** The commit and the repository of an updated trail. */
export const trailUpdated: Change = (state, entry, { trail }) =>
  trailBegun(state, entry, membersOf(trail))

/** The commit of an artifact: with its details, or only its hash. */
export const artifactReported = (state: State, entry: JournalEntry, { report }: Columns): void => {
  const { git_commit, git_commit_info, repo_info } = membersOf(report)
  link(state, entry, git_commit_info ?? { sha1: git_commit })
  state.links.mention(entry.subject.id, repo_info)
}

/** The commit and the repository of an attestation. */
export const attestationReported = (state: State, entry: JournalEntry, { body }: Columns): void =>
  trailBegun(state, entry, membersOf(body))
