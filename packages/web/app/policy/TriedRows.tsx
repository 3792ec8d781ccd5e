/** The rows of a trial: those that change, and the rules of the selected row. */

import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import * as Navigation from "../shared/Navigation.js"
import { preferences } from "../shared/Preferences.js"
import * as Reveal from "../shared/Reveal.js"
import { RevealedText } from "../shared/RevealedText.js"
import * as Shorten from "../shared/Shorten.js"
import { VerdictMark } from "../shared/VerdictMark.js"
import { type Column, VirtualTable } from "../shared/VirtualTable.js"
import { MendingSteps } from "../snapshot/MendingSteps.js"
import { type TriedRow, WORDS } from "./BlastRadius.js"
import { policyWorker } from "./PolicyWorker.js"
import type { Explained } from "./PolicyWorkerMessages.js"

/** The key of a row in the URL. */
export const keyOf = ({ environment, facts: { artifact } }: TriedRow): string =>
  [artifact.fingerprint, artifact.name, ...(environment === undefined ? [] : [environment])].join(
    "~"
  )

const reasonOf = ({ now, reasons }: TriedRow): string => {
  const [first] = reasons
  if (now !== false) return "every rule holds or does not apply"
  if (first === undefined) return ""
  const rule = first.number === null ? "" : `rule ${first.number}: `
  return `${rule}${first.description}${reasons.length > 1 ? ` (and ${reasons.length - 1} more)` : ""}`
}

const COLUMNS: ReadonlyArray<Column<TriedRow>> = [
  {
    name: "now",
    title: "Draft",
    cell: ({ change, now }) => (
      <VerdictMark
        verdict={now === null ? "unknown" : now ? "compliant" : "non-compliant"}
        word
        {...(change === undefined ? {} : { label: WORDS[change] })}
      />
    )
  },
  {
    name: "artifact",
    title: "Artifact",
    isHeader: true,
    cell: (row) => (
      <button
        type="button"
        class="link-button"
        title={Reveal.plain(row.facts.artifact.name)}
        onClick={() => Navigation.setQuery({ row: keyOf(row) })}
      >
        <RevealedText text={Shorten.artifact(row.facts.artifact.name, 36)} />
      </button>
    )
  },
  {
    name: "reason",
    isFlexible: true,
    title: "Why",
    cell: (row) => (
      <span title={Reveal.plain(reasonOf(row))}>
        <RevealedText text={reasonOf(row)} />
        {row.isAllowed ? <span class="tag">allowed</span> : null}
      </span>
    )
  }
]

const RESULTS: { readonly [result: string]: string } = {
  rule_not_applicable: "does not apply",
  rule_satisfied: "holds",
  missing_provenance: "no flow knows the artifact",
  non_compliant_in_trail: "not compliant in its trail",
  missing_attestation: "attestation missing",
  non_compliant_attestation: "attestation not compliant",
  unverified_attestation: "attestation not verified",
  unmet_facts: "attestation without the facts"
}

const Rules = ({ explained }: { readonly explained: Explained }) => (
  <ol class="rule-results">
    {explained.rules.map(({ holds, index, number, places, text }) => (
      <li key={index}>
        <VerdictMark
          verdict={holds === null ? "not-applicable" : holds ? "compliant" : "non-compliant"}
          label={holds === null ? "does not apply" : holds ? "holds" : "fails"}
        />
        <span>
          {number === null ? null : <span class="rule-mark">rule {number}</span>}{" "}
          <RevealedText text={text} />
          <span class="quiet">
            {places.map(({ flow, result, trail }, at) => (
              <span key={at}>
                {" · "}
                {RESULTS[result] ?? result}
                {flow === null ? null : (
                  <>
                    {" in "}
                    <RevealedText text={`${flow} › ${trail ?? ""}`} />
                  </>
                )}
              </span>
            ))}
          </span>
        </span>
      </li>
    ))}
  </ol>
)

const RowRemedies = ({ remedies }: Pick<Explained, "remedies">) =>
  remedies.length === 0 ? null : (
    <section class="remedies">
      <h3 class="part-title">To make it compliant, smallest first</h3>
      <ol>
        <MendingSteps remedies={remedies} />
      </ol>
    </section>
  )

const RowDetail = ({
  row,
  name,
  draft
}: {
  readonly row: TriedRow
  readonly name: string
  readonly draft: string
}) => {
  const explained = useSignal<Explained | undefined>(undefined)
  useEffect(() => {
    let isWanted = true
    policyWorker.ask("explain", { name, draft, facts: row.facts }).then(
      (answer) => {
        if (isWanted) explained.value = answer
      },
      () => undefined
    )
    return () => {
      isWanted = false
    }
  }, [row, name, draft, explained])
  return (
    <section class="row-detail" aria-label={`Rules for ${Reveal.plain(row.facts.artifact.name)}`}>
      <div class="row-detail-head">
        <strong>
          <RevealedText text={row.facts.artifact.name} />
        </strong>
        <button
          type="button"
          class="button"
          onClick={() => Navigation.setQuery({ row: undefined })}
        >
          Close
        </button>
      </div>
      {explained.value === undefined ? null : <Rules explained={explained.value} />}
      {row.reasons.length === 0 ? null : (
        <ul class="reason-list">
          {row.reasons.map(({ description }, at) => (
            <li key={at}>
              <RevealedText text={description} />
            </li>
          ))}
        </ul>
      )}
      {explained.value === undefined ? null : <RowRemedies remedies={explained.value.remedies} />}
    </section>
  )
}

export const TriedRows = ({
  rows,
  selected,
  name,
  draft
}: {
  readonly rows: ReadonlyArray<TriedRow>
  readonly selected: string | undefined
  readonly name: string
  readonly draft: string
}) => {
  const row = rows.find((each) => keyOf(each) === selected)
  return (
    <>
      {row === undefined ? null : <RowDetail row={row} name={name} draft={draft} />}
      <VirtualTable
        caption="Rows by what the draft decides"
        columns={COLUMNS}
        rows={rows}
        keyOf={keyOf}
        rowHeight={preferences.value.density === "compact" ? 28 : 36}
        selected={selected}
        onOpen={(each) => Navigation.setQuery({ row: keyOf(each) })}
      />
    </>
  )
}
