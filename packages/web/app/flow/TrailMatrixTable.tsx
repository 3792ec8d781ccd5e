/** The trail matrix as a table; the first column stays in place while the others scroll. */

import * as Route from "@attestry/web/Route"
import { trailText } from "../shared/AddressLinks.js"
import * as Navigation from "../shared/Navigation.js"
import * as Reveal from "../shared/Reveal.js"
import { RevealedText } from "../shared/RevealedText.js"
import * as Shorten from "../shared/Shorten.js"
import { Timestamp } from "../shared/Timestamp.js"
import { fromStatus, WORDS } from "../shared/Verdict.js"
import { VerdictMark } from "../shared/VerdictMark.js"
import {
  type Matrix,
  type MatrixCell,
  type MatrixColumn,
  type MatrixGroup,
  type MatrixRow,
  percent,
  TRAIL_GROUP
} from "./TrailMatrix.js"

/** The environments that run artifacts of a trail, by its name; undefined while loading. */
export type RunningByTrail = ReadonlyMap<string, ReadonlyArray<string>> | undefined

const titleOf = ({ name }: MatrixColumn): string => (name === "" ? "built" : name)

/** The symbol, class and text of overridden and unexpected cells. */
const remarksOf = ({ isUnexpected, isOverridden }: MatrixCell): ReadonlyArray<[string, string]> => [
  ...(isOverridden ? [["↻", "overridden"] as [string, string]] : []),
  ...(isUnexpected ? [["+", "not in the template"] as [string, string]] : [])
]

const Cell = ({
  org,
  row,
  group,
  column
}: {
  readonly org: string
  readonly row: MatrixRow
  readonly group: MatrixGroup
  readonly column: MatrixColumn
}) => {
  const cell = row.cells.get(column.key)
  if (cell === undefined) return <td class="cell cell-mark" />
  const remarks = remarksOf(cell)
  const isBuilt = column.name === ""
  const word = isBuilt && cell.verdict === "compliant" ? "built" : WORDS[cell.verdict]
  const label = `${group.slot === TRAIL_GROUP ? "" : `${group.slot} `}${titleOf(column)}: ${[
    word,
    ...remarks.map(([, words]) => words)
  ].join(", ")}`
  const { name: trail, flow } = row.trail
  const to = isBuilt
    ? cell.fingerprint === undefined
      ? undefined
      : Navigation.href("FlowArtifact", { org, flow: flow.name, fingerprint: cell.fingerprint })
    : Navigation.hrefOf(
        Route.make("Trail", { org, flow: flow.name, trail }, { attestation_id: cell.attestationId })
      )
  const content = (
    <>
      <VerdictMark verdict={cell.verdict} label={label} />
      {remarks.map(([sign]) => (
        <span key={sign} class="matrix-sign" aria-hidden="true">
          {sign}
        </span>
      ))}
    </>
  )
  return (
    <td class="cell cell-mark">
      {to === undefined ? (
        <span class="matrix-cell">{content}</span>
      ) : (
        <a class="matrix-cell" href={to}>
          {content}
        </a>
      )}
    </td>
  )
}

const Running = ({ names }: { readonly names: ReadonlyArray<string> }) =>
  names.length === 0 ? null : (
    <span title={names.join(", ")}>
      <RevealedText text={Shorten.middle(names[0] ?? "", 20)} />
      {names.length > 1 ? ` +${names.length - 1}` : ""}
    </span>
  )

const Head = ({ groups }: { readonly groups: ReadonlyArray<MatrixGroup> }) => (
  <thead>
    <tr>
      <th class="cell matrix-first" rowSpan={2} scope="col">
        Trail
      </th>
      <th class="cell" rowSpan={2} scope="col">
        Status
      </th>
      {groups.map(({ slot, columns }) => (
        <th key={slot} class="cell matrix-group" colSpan={columns.length} scope="colgroup">
          {slot === TRAIL_GROUP ? "trail" : <RevealedText text={slot} />}
        </th>
      ))}
      <th class="cell" rowSpan={2} scope="col">
        Running
      </th>
      <th class="cell" rowSpan={2} scope="col">
        Began
      </th>
    </tr>
    <tr>
      {groups.flatMap(({ columns }) =>
        columns.map((column) => (
          <th key={column.key} class="cell cell-mark" scope="col" title={titleOf(column)}>
            <RevealedText text={Shorten.middle(titleOf(column), 18)} />
            {column.isUnexpected ? (
              <span class="matrix-sign" title="not in the template">
                +<span class="visually-hidden"> not in the template</span>
              </span>
            ) : null}
          </th>
        ))
      )}
    </tr>
  </thead>
)

const Totals = ({ matrix: { groups, shares, share } }: { readonly matrix: Matrix }) => (
  <tfoot>
    <tr>
      <th class="cell matrix-first" scope="row">
        Share complete
      </th>
      <td class="cell">{percent(share)}</td>
      {groups.flatMap(({ columns }) =>
        columns.map(({ key }) => (
          <td key={key} class="cell cell-mark">
            {percent(shares.get(key) ?? 0)}
          </td>
        ))
      )}
      <td class="cell" />
      <td class="cell" />
    </tr>
  </tfoot>
)

export const TrailMatrixTable = ({
  org,
  matrix,
  running
}: {
  readonly org: string
  readonly matrix: Matrix
  readonly running: RunningByTrail
}) => (
  <div class="table-scroller">
    <table class="table matrix">
      <caption class="visually-hidden">Trails and their evidence</caption>
      <Head groups={matrix.groups} />
      <tbody>
        {matrix.rows.map((row) => {
          const { name, flow, description, compliance_state, created_at } = row.trail
          return (
            <tr key={name}>
              <th class="cell matrix-first" scope="row">
                <a
                  href={Navigation.href("Trail", { org, flow: flow.name, trail: name })}
                  title={Reveal.plain(name)}
                >
                  <RevealedText text={trailText(name, 24)} />
                </a>
                {description === "" ? null : (
                  <span class="quiet matrix-note" title={Reveal.plain(description)}>
                    <RevealedText text={Shorten.middle(description, 28)} />
                  </span>
                )}
              </th>
              <td class="cell">
                <VerdictMark verdict={fromStatus(compliance_state)} word />
              </td>
              {matrix.groups.flatMap((group) =>
                group.columns.map((column) => (
                  <Cell key={column.key} org={org} row={row} group={group} column={column} />
                ))
              )}
              <td class="cell">
                <Running names={running?.get(name) ?? []} />
              </td>
              <td class="cell">
                <Timestamp seconds={created_at} />
              </td>
            </tr>
          )
        })}
      </tbody>
      <Totals matrix={matrix} />
    </table>
  </div>
)
