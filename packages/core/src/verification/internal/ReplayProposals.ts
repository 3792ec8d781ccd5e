/** Replay rules for proposals: the first entry has the whole record, later ones its approvals and its end. Pure. */
import { all, type Change, edit } from "./ReplayState.js"

const made: Change = (state, _entry, content) => {
  state.table("proposal").set(String(content.number), content)
}

const decided: Change = (state, _entry, { approvals, ended, number }) =>
  edit(state.table("proposal"), String(number), (row) => ({ ...row, approvals, ended }))

/** The rules by kind of entry. */
export const RULES: { readonly [kind: string]: Change } = {
  proposal_made: made,
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
    decided
  )
}
