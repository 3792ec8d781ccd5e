/** What entries say about the commits and the repositories of trails. Pure. */
import type { JournalEntry } from "../../journal/JournalEntry.js"
import type { Columns } from "../TableAuditStore.js"
import { type Change, membersOf, type State, textOf } from "./ReplayState.js"

/** Links a trail to a commit; a link without a branch gains one later. */
const link = (state: State, { org_id, subject }: JournalEntry, commit: unknown): void => {
  const { sha1: sha, branch } = membersOf(commit)
  if (typeof sha !== "string") return
  const links = state.table("trail_commit")
  const key = `${sha} ${subject.id}`
  if (textOf(links.get(key)?.branch) !== "") return
  links.set(key, {
    ...{ org_id, sha, trail_id: subject.id, branch: textOf(branch) },
    // The store shows whether it is the place of the trail.
    ordinal: true
  })
}

/** What a trail names. */
export const trailBegun: Change = (state, entry, { git_commit_info, repo_info }) => {
  link(state, entry, git_commit_info)
  state.links.mention(entry.subject.id, repo_info)
}

/** What a changed trail names. */
export const trailUpdated: Change = (state, entry, { trail }) =>
  trailBegun(state, entry, membersOf(trail))

/** What an artifact names: its commit with what is known about it, or by its name alone. */
export const artifactReported = (state: State, entry: JournalEntry, { report }: Columns): void => {
  const { git_commit, git_commit_info, repo_info } = membersOf(report)
  link(state, entry, git_commit_info ?? { sha1: git_commit })
  state.links.mention(entry.subject.id, repo_info)
}

/** What an attestation names. */
export const attestationReported = (state: State, entry: JournalEntry, { body }: Columns): void =>
  trailBegun(state, entry, membersOf(body))
