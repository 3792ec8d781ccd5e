/** Expected and reported attestations, one line each, with a summary. */

import type * as Route from "@attestry/web/Route"
import { verdictOf } from "../flow/TrailMatrix.js"
import { withAttestation } from "../shared/AddressLinks.js"
import { Command } from "../shared/Command.js"
import type { Attestation, AttestationStatus } from "../shared/Contract.js"
import * as Navigation from "../shared/Navigation.js"
import * as Reveal from "../shared/Reveal.js"
import { RevealedText } from "../shared/RevealedText.js"
import * as Shorten from "../shared/Shorten.js"
import { Timestamp } from "../shared/Timestamp.js"
import { VerdictMark } from "../shared/VerdictMark.js"
import { summaryOf } from "./AttestationSummary.js"
import { commandOf } from "./MissingCommand.js"

/** The trail and the artifact of the entries. */
export interface EvidencePlace {
  readonly org: string
  readonly flow: string
  readonly trail: string
  readonly fingerprint: string | undefined
}

const Missing = ({
  entry,
  place
}: {
  readonly entry: AttestationStatus
  readonly place: EvidencePlace
}) => (
  <>
    <span class="quiet">missing</span>
    <div class="evidence-command">
      <span class="quiet">To report it, replace what stands in angle brackets:</span>
      <Command
        what={`the command that reports ${entry.attestation_name}`}
        text={commandOf({
          ...place,
          base: `${location.origin}${Navigation.base}`,
          name: entry.attestation_name,
          type: entry.attestation_type
        })}
      />
    </div>
  </>
)

const Reported = ({
  entry,
  attestation
}: {
  readonly entry: AttestationStatus
  readonly attestation: Attestation | undefined
}) => {
  const summary = attestation === undefined ? "" : summaryOf(attestation)
  const files = attestation?.attachments.length ?? 0
  return (
    <>
      <span class="evidence-text" title={Reveal.plain(summary)}>
        {summary === "" ? null : <RevealedText text={Shorten.middle(summary, 90)} />}
        {entry.unexpected ? <span class="tag">not in the template</span> : null}
        {entry.overridden_attestation_id === null ? null : <span class="tag">overridden</span>}
      </span>
      <span class="evidence-end quiet">
        {files === 0 ? "" : `${files} ${files === 1 ? "file" : "files"} · `}
        {attestation === undefined ? null : <Timestamp seconds={attestation.created_at} />}
      </span>
    </>
  )
}

const Entry = ({
  route,
  entry,
  attestation,
  place
}: {
  readonly route: Route.Route
  readonly entry: AttestationStatus
  readonly attestation: Attestation | undefined
  readonly place: EvidencePlace
}) => (
  <li class="evidence">
    <VerdictMark verdict={verdictOf(entry)} />
    {entry.attestation_id === null ? (
      <span class="evidence-name">
        <RevealedText text={entry.attestation_name} />
      </span>
    ) : (
      <a class="evidence-name" href={withAttestation(route, entry.attestation_id)}>
        <RevealedText text={entry.attestation_name} />
      </a>
    )}
    <span class="quiet evidence-type">
      <RevealedText text={entry.attestation_type} />
    </span>
    {entry.status === "MISSING" ? (
      <Missing entry={entry} place={place} />
    ) : (
      <Reported entry={entry} attestation={attestation} />
    )}
  </li>
)

/** The entries of a trail or of one of its artifacts. */
export const EvidenceList = ({
  route,
  entries,
  attestations,
  place
}: {
  readonly route: Route.Route
  readonly entries: ReadonlyArray<AttestationStatus>
  readonly attestations: ReadonlyMap<string, Attestation>
  readonly place: EvidencePlace
}) =>
  entries.length === 0 ? (
    <p class="quiet">Nothing is expected, and nothing was reported.</p>
  ) : (
    <ul class="evidence-list">
      {entries.map((entry) => (
        <Entry
          key={`${entry.attestation_name} ${entry.attestation_id ?? entry.attestation_type}`}
          route={route}
          entry={entry}
          attestation={
            entry.attestation_id === null ? undefined : attestations.get(entry.attestation_id)
          }
          place={place}
        />
      ))}
    </ul>
  )

/** Attestations by their ids. */
export const byId = (attestations: ReadonlyArray<Attestation>): ReadonlyMap<string, Attestation> =>
  new Map(attestations.map((attestation) => [attestation.attestation_id, attestation]))
