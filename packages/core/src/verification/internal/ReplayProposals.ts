/** Replay rules for protections, for proposals of protected changes, and for break-glass. Pure. */
import { all, type Change, edit, whole } from "./ReplayState.js"

const proposal: Change = (state, _entry, content) => {
  state.table("proposal").set(String(content.number), content)
}

const proposalDecided: Change = (state, _entry, { approvals, ended, number }) =>
  edit(state.table("proposal"), String(number), (row) => ({ ...row, approvals, ended }))

const glass: Change = (state, _entry, content) => {
  state.table("break_glass").set(String(content.number), content)
}

const glassDecided: Change = (state, _entry, { closed_at, closed_by, number, reviewed }) =>
  edit(state.table("break_glass"), String(number), (row) => ({
    ...row,
    closed_at,
    closed_by,
    reviewed
  }))

/** The rules by kind of entry. */
export const CHANGES: { readonly [kind: string]: Change } = {
  break_glass_opened: glass,
  ...all(["break_glass_closed", "break_glass_reviewed"], glassDecided),
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
