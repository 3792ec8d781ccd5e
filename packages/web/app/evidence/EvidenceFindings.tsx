/** The findings that the facts of a scan list, each with where artifacts with its components ran. */
import { ComponentLink } from "../component/ComponentLink.js"
import { routeOf, type Subject } from "../exposure/ExposureSubject.js"
import { WhereLink } from "../exposure/WhereLink.js"
import type { EvidenceDocument } from "../shared/Contract.js"
import * as Navigation from "../shared/Navigation.js"
import { preferences } from "../shared/Preferences.js"
import { RevealedText } from "../shared/RevealedText.js"
import * as Shorten from "../shared/Shorten.js"
import { type Column, VirtualTable } from "../shared/VirtualTable.js"

type Facts = EvidenceDocument["facts"]
type Finding = Extract<Facts, { readonly kind: "scan" | "snyk" }>["findings"][number]

const whereOf = ({ id }: Finding): Subject => ({ name: "vulnerability", value: id })

/** A column only if a finding has something in it. */
const optional = (
  findings: ReadonlyArray<Finding>,
  { name, title, text }: Optional
): ReadonlyArray<Column<Finding>> =>
  findings.some((finding) => text(finding) !== "")
    ? [
        {
          name,
          title,
          cell: (finding) => <RevealedText text={Shorten.middle(text(finding), 32)} />
        }
      ]
    : []

interface Optional {
  readonly name: string
  readonly title: string
  readonly text: (finding: Finding) => string
}

const columnsOf = (
  org: string,
  findings: ReadonlyArray<Finding>
): ReadonlyArray<Column<Finding>> => [
  {
    name: "vulnerability",
    title: "Vulnerability",
    isHeader: true,
    cell: ({ id }) => <RevealedText text={Shorten.middle(id, 40)} />
  },
  { name: "severity", title: "Severity", cell: ({ severity }) => severity },
  {
    name: "component",
    title: "Component",
    cell: ({ purl }) =>
      purl === null ? <span class="quiet">–</span> : <ComponentLink org={org} purl={purl} />
  },
  ...optional(findings, {
    name: "fixed",
    title: "Fixed in",
    text: ({ fixed_in }) => fixed_in ?? ""
  }),
  ...optional(findings, {
    name: "vex",
    title: "VEX",
    text: ({ vex }) => (vex ?? "").replaceAll("_", " ")
  }),
  {
    name: "where",
    title: <span class="visually-hidden">Where it ran</span>,
    cell: (finding) => <WhereLink org={org} subject={whereOf(finding)} what={finding.id} />
  }
]

/** Nothing for documents of other kinds. */
export const EvidenceFindings = ({
  org,
  facts
}: {
  readonly org: string
  readonly facts: Facts
}) => {
  if ((facts.kind !== "scan" && facts.kind !== "snyk") || facts.findings.length === 0) return null
  const { counts, findings } = facts
  const rows = findings.map((finding, at) => ({ ...finding, at }))
  return (
    <section class="policy-part">
      <h2>Findings</h2>
      <VirtualTable
        caption="Findings"
        columns={columnsOf(org, findings)}
        rows={rows}
        keyOf={({ at }) => String(at)}
        rowHeight={preferences.value.density === "compact" ? 28 : 36}
        onOpen={(finding) => Navigation.go(routeOf(org, whereOf(finding)))}
      />
      {facts.truncated.includes("findings") ? (
        <p class="quiet">
          The first {Shorten.count(findings.length)} of {Shorten.count(counts.total)}; the file has
          all.
        </p>
      ) : null}
    </section>
  )
}
