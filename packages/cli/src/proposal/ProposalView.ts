/** Prints a proposal for people: who asks for what and why, what would change, and who has decided. Pure. */
import * as Json from "../shared/Json.js"
import type { Style, Tint } from "../shared/Style.js"
import * as Table from "../shared/Table.js"
import * as Difference from "./Difference.js"
import { approvalsOf, subjectsOf } from "./ProposalNouns.js"

const tintOf = ({ state }: Json.Fields): Tint => {
  if (state === "applied") return "green"
  return state === "made" || state === "approved" ? "yellow" : "dim"
}

const proposerOf = (proposal: Json.Fields, style: Style): string =>
  proposal.proposer_kind === "service-account"
    ? `${style.text(proposal.proposed_by)} (service account)`
    : style.text(proposal.proposed_by)

const endedRows = (proposal: Json.Fields, style: Style): ReadonlyArray<ReadonlyArray<string>> => {
  if (!Json.isObject(proposal.ended)) return []
  const { at, comment, user } = proposal.ended
  const said = comment === "" ? "" : `: ${style.text(comment)}`
  return [
    [
      style.text(proposal.state),
      `${style.instant(at)}${user === null ? "" : ` by ${style.text(user)}`}${said}`
    ]
  ]
}

const approvalRow = (approval: Json.Fields, style: Style): ReadonlyArray<string> => [
  "approved",
  `${style.instant(approval.at)} by ${style.text(approval.user)}` +
    (approval.comment === "" ? "" : `: ${style.text(approval.comment)}`)
]

/** The fields of a proposal, without its changes. */
const headLines = (proposal: Json.Fields, style: Style): ReadonlyArray<string> =>
  Table.lines([
    ["proposal", style.text(proposal.number)],
    ["state", style.tint(tintOf(proposal), style.text(proposal.state))],
    ["operation", style.text(proposal.operation)],
    ["kinds", Json.list(proposal.kinds).map(style.text).join(", ")],
    ...(proposal.space === "/" ? [] : [["space", style.text(proposal.space)]]),
    ["reason", style.text(proposal.reason)],
    ["proposed by", proposerOf(proposal, style)],
    ["proposed", style.instant(proposal.made_at)],
    ...(proposal.ended === null ? [["expires", style.instant(proposal.expires_at)]] : []),
    ["approvals", approvalsOf(proposal)],
    ...Json.objects(proposal.approvals).map((each) => approvalRow(each, style)),
    ...endedRows(proposal, style),
    ["digest", style.text(proposal.digest)]
  ])

/** The differences that a proposal would make. */
export const differenceLines = (proposal: Json.Fields, style: Style): ReadonlyArray<string> =>
  Json.objects(proposal.changes).flatMap(({ after, before, name, type }) => [
    "",
    `${style.text(type)} ${style.text(name)}${before === null ? ", new" : ""}`,
    ...Difference.lines(before, after, style)
  ])

/** A whole proposal. */
export const lines = (proposal: Json.Fields, style: Style): ReadonlyArray<string> => [
  ...headLines(proposal, style),
  ...differenceLines(proposal, style)
]

/** A proposal on one line. */
export const line = (proposal: Json.Fields, style: Style): string =>
  [
    `proposal ${style.text(proposal.number)}: ${style.tint(tintOf(proposal), style.text(proposal.state))}`,
    subjectsOf(proposal, style),
    `${approvalsOf(proposal)} approvals`
  ].join(", ")
