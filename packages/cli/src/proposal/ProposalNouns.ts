/** The noun of `attestry proposal list`. */
import { instant, type ListNoun, listed, text } from "../reading/ListNoun.js"
import * as Json from "../shared/Json.js"
import type { Style } from "../shared/Style.js"

/** The things that a proposal changes, each once. */
export const subjectsOf = (proposal: Json.Fields, style: Style): string => {
  const subjects = Json.objects(proposal.subjects).map(
    ({ name, type }) => `${style.text(type)} ${style.text(name)}`
  )
  return subjects.length === 0 ? "–" : [...new Set(subjects)].join(", ")
}

/** The approvals that a proposal has, of those that it needs: `1 of 2`. */
export const approvalsOf = ({ approvals, approvals_required }: Json.Fields): string =>
  `${Json.list(approvals).length} of ${Json.number(approvals_required)}`

/** The proposals of an org. */
export const PROPOSALS: ListNoun = listed({
  noun: "proposals",
  brief: "List proposals, newest first",
  operation: "proposal.list",
  items: "proposals",
  filters: { state: "state" },
  columns: [
    ["NUMBER", text("number")],
    ["STATE", text("state")],
    ["CHANGES", subjectsOf],
    ["APPROVALS", approvalsOf],
    ["BY", text("proposed_by")],
    ["UNTIL", instant("expires_at")],
    ["REASON", text("reason")]
  ]
})
