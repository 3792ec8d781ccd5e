/** What recording a file would do: its documents, their verification, what they reach and what waits. */
import type { AcceptedEvidence } from "../shared/Contract.js"
import { RevealedText } from "../shared/RevealedText.js"
import * as Shorten from "../shared/Shorten.js"
import { fromState } from "../shared/Verdict.js"
import { VerdictMark } from "../shared/VerdictMark.js"
import { formatText } from "./EvidenceFactText.js"
import { State } from "./EvidenceParts.js"
import { reasonText } from "./VerificationText.js"

/** A file may hold a thousand documents, and a document may reach many artifacts. */
const SHOWN_MAX = 10

type Document = AcceptedEvidence["documents"][number]

const More = ({ total, what }: { readonly total: number; readonly what: string }) =>
  total > SHOWN_MAX ? (
    <li class="quiet">
      and {Shorten.count(total - SHOWN_MAX)} more {what}
    </li>
  ) : null

const Link = ({ link }: { readonly link: Document["links"][number] }) => (
  <li>
    <VerdictMark verdict={fromState(link.is_compliant)} word />{" "}
    <RevealedText text={link.attestation_name} />{" "}
    <span class="quiet">
      {link.created ? "on" : "is recorded already on"} <RevealedText text={link.flow_name} /> ›{" "}
      <RevealedText text={link.trail_name} />
      {link.artifact_fingerprint === null
        ? null
        : ` › ${Shorten.fingerprint(link.artifact_fingerprint)}`}
    </span>
  </li>
)

const Reached = ({ document: { links, waiting } }: { readonly document: Document }) => (
  <ul class="links">
    {links.slice(0, SHOWN_MAX).map((link) => (
      <Link key={link.attestation_id} link={link} />
    ))}
    <More total={links.length} what="attestations" />
    {waiting.slice(0, SHOWN_MAX).map((digest) => (
      <li key={digest} class="quiet">
        waits for the artifact <code>{Shorten.fingerprint(digest)}</code>
      </li>
    ))}
    <More total={waiting.length} what="artifacts that are not reported yet" />
    {links.length + waiting.length === 0 ? (
      <li class="quiet">is linked to nothing: give the flow and trail, or the fingerprint</li>
    ) : null}
  </ul>
)

/** The documents of a file with what they would reach. */
export const Accepted = ({
  answer: { documents, ignored }
}: {
  readonly answer: AcceptedEvidence
}) => (
  <section class="block">
    <h3>What would be recorded</h3>
    {documents.slice(0, SHOWN_MAX).map((document) => (
      <div key={document.position} class="checked-document">
        <strong>{document.kind}</strong>{" "}
        <span class="quiet">
          <RevealedText text={formatText(document.format)} />
        </span>{" "}
        <State state={document.verification.state} />
        {document.verification.reason === null ? null : (
          <p class="quiet">
            <RevealedText text={reasonText(document.verification) ?? ""} />
          </p>
        )}
        <Reached document={document} />
      </div>
    ))}
    <ul class="links">
      <More total={documents.length} what="documents" />
      {ignored.slice(0, SHOWN_MAX).map(({ line, reason }) => (
        <li key={line} class="quiet">
          line {line} is passed over: <RevealedText text={reason} />
        </li>
      ))}
      <More total={ignored.length} what="lines that are passed over" />
    </ul>
  </section>
)
