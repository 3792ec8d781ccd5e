/** One journal entry: its content and its digest, and whether they match. */
import { useSignal } from "@preact/signals"
import type { JournalEntry } from "../shared/Contract.js"
import { Facts } from "../shared/Facts.js"
import { Fingerprint } from "../shared/Fingerprint.js"
import { JsonTree } from "../shared/JsonTree.js"
import { RevealedText } from "../shared/RevealedText.js"
import { SidePanel } from "../shared/SidePanel.js"
import { Timestamp } from "../shared/Timestamp.js"
import { VerdictMark } from "../shared/VerdictMark.js"
import { kindText } from "./JournalText.js"
import { type Verified, verify } from "./Verification.js"

const Result = ({ verified }: { readonly verified: Verified }) => {
  if (verified === "unable")
    return <span>This browser computes digests on https alone, so it cannot tell.</span>
  return verified === "fits" ? (
    <VerdictMark verdict="compliant" word label="the content fits its digest" />
  ) : (
    <VerdictMark
      verdict="non-compliant"
      word
      label="the content does not fit its digest: it was changed in the store"
    />
  )
}

export const JournalEntryPanel = ({
  entry,
  name,
  onClose
}: {
  readonly entry: JournalEntry
  /** The name of the entry's subject. */
  readonly name: string
  readonly onClose: () => void
}) => {
  const verified = useSignal<Verified | undefined>(undefined)
  const check = async () => {
    verified.value = await verify(entry)
  }
  return (
    <SidePanel title={kindText(entry.kind)} onClose={onClose}>
      <Facts
        facts={[
          ["When", <Timestamp key="at" seconds={entry.at} always="absolute" />],
          [
            "Who",
            <span key="actor">
              <RevealedText text={entry.actor.name} /> <span class="quiet">{entry.actor.kind}</span>
            </span>
          ],
          [
            "What",
            <span key="subject">
              <RevealedText text={name} /> <span class="quiet">{entry.subject.type}</span>
            </span>
          ],
          ["Id", <code key="id">{entry.subject.id}</code>],
          ["Number", entry.sequence],
          ["SHA-256", <Fingerprint key="digest" value={entry.digest} whole />]
        ]}
      />
      <p class="row-actions">
        <button type="button" class="button" onClick={check}>
          Verify
        </button>
        <span role="status">
          {verified.value === undefined ? (
            <span class="quiet">Recomputes the digest from the content, in this browser.</span>
          ) : (
            <Result verified={verified.value} />
          )}
        </span>
      </p>
      <section class="block">
        <h3>Content</h3>
        <JsonTree value={entry.content} />
      </section>
    </SidePanel>
  )
}
