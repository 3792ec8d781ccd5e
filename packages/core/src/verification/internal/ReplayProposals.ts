/** Replay rules for protections, and for proposals of protected changes. Pure. */
import { all, type Change, edit, whole } from "./ReplayState.js"

const proposal: Change = (state, _entry, content) => {
  state.table("proposal").set(String(content.number), content)
}

const proposalDecided: Change = (state, _entry, { approvals, ended, number }) =>
  edit(state.table("proposal"), String(number), (row) => ({ ...row, approvals, ended }))

/** The rules by kind of entry. */
export const CHANGES: { readonly [kind: string]: Change } = {
  protections_set: whole("protection", "org_id"),
  proposal_made: proposal,
  ...all(
    [
      "proposal_approved",
      "proposal_applied",
      "proposal_rejected",
      "proposal_withdrawn",
      "proposal_expired",
      "proposal_stale",
      "proposal_failed"
    ],
    proposalDecided
  )
}
