/** The proof that something was recorded, verified in this browser when it is opened. */
import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { callOf } from "../shared/Api.js"
import { Facts } from "../shared/Facts.js"
import { Fold } from "../shared/Fold.js"
import { JsonTree } from "../shared/JsonTree.js"
import * as Navigation from "../shared/Navigation.js"
import { ProblemNote } from "../shared/ProblemNote.js"
import { Skeleton } from "../shared/QueryView.js"
import { RevealedText } from "../shared/RevealedText.js"
import { Timestamp } from "../shared/Timestamp.js"
import { VerdictMark } from "../shared/VerdictMark.js"
import type { ProofAnswer, Proved } from "./ProofMessages.js"
import * as ProofReads from "./ProofReads.js"
import { type ProofSubject, refusalText } from "./ProofText.js"

/** The result of a verification, in one line. */
export const Outcome = ({
  answer,
  proved
}: {
  readonly answer: ProofAnswer
  /** The proved statement, in words. */
  readonly proved: string
}) => {
  if (answer.outcome === "unable")
    return (
      <VerdictMark
        verdict="unknown"
        word
        label="this browser cannot verify Ed25519 signatures here, so it cannot tell"
      />
    )
  return answer.outcome === "proved" ? (
    <VerdictMark verdict="compliant" word label={proved} />
  ) : (
    <VerdictMark
      verdict="non-compliant"
      word
      label={`not proved: ${refusalText(answer.refusal)}`}
    />
  )
}

/** The states before and without a verification. */
export const NotChecked = ({
  state,
  retry
}: {
  readonly state: Exclude<ProofReads.Proving, { readonly _tag: "Checked" }>
  readonly retry: () => void
}) => {
  switch (state._tag) {
    case "Checking":
      return <Skeleton />
    case "Failed":
      return <ProblemNote problem={state.problem} retry={retry} />
    case "Unsigned":
      return (
        <p class="quiet">
          The log of this org is not signed: the operator has given no key, so nothing can be
          proved.
        </p>
      )
    case "Pending":
      return (
        <p class="quiet">
          No checkpoint includes it yet.{" "}
          <button type="button" class="button-text" onClick={retry}>
            Look again
          </button>
        </p>
      )
    case "Broken":
      return (
        <p>
          <VerdictMark verdict="unknown" word label="the proof could not be checked" />:{" "}
          <RevealedText text={state.message} />
        </p>
      )
  }
}

const Receipts = ({ org, entry }: { readonly org: string; readonly entry: string }) => {
  const href = (format: "json" | "tlog-proof") =>
    `${Navigation.base}${callOf("log.receipt", { org, entry, query: { format } }).path}`
  return (
    <span>
      <a href={href("json")} download={`${entry}.receipt.json`}>
        JSON
      </a>
      {" · "}
      <a href={href("tlog-proof")} download={`${entry}.tlog-proof`}>
        tlog-proof
      </a>
    </span>
  )
}

/** The proved facts about an entry. */
const ProvedFacts = ({
  org,
  entry,
  answer
}: {
  readonly org: string
  readonly entry: string
  readonly answer: Proved
}) => (
  <>
    <Facts
      facts={[
        [
          "Place",
          <span key="place">
            entry {answer.index} of {answer.size} in the{" "}
            <a href={Navigation.href("Log", { org })}>log</a>
          </span>
        ],
        ["Recorded", <Timestamp key="at" seconds={answer.at} always="absolute" />],
        ["Entry", <code key="entry">{entry}</code>],
        ["Signed by", answer.signedBy.map((name) => <RevealedText key={name} text={name} />)],
        ["Withheld", answer.withheld === 0 ? undefined : `${answer.withheld} members`],
        ["Receipt", <Receipts key="receipt" org={org} entry={entry} />]
      ]}
    />
    <Fold title="What the entry says">{() => <JsonTree value={answer.shown} />}</Fold>
  </>
)

const Checked = ({ org, subject }: { readonly org: string; readonly subject: ProofSubject }) => {
  const state = useSignal<ProofReads.Proving>({ _tag: "Checking" })
  const run = async () => {
    state.value = { _tag: "Checking" }
    state.value = await ProofReads.ofSubject(org, subject)
  }
  useEffect(() => void run(), [org, JSON.stringify(subject)])
  const found = state.value
  if (found._tag !== "Checked") return <NotChecked state={found} retry={() => void run()} />
  const { answer, entry } = found
  return (
    <div class="proof">
      <p class="proof-outcome" role="status">
        <Outcome answer={answer} proved={`this ${subject.what} is in the signed log`} />
      </p>
      {answer.outcome === "proved" ? (
        <ProvedFacts org={org} entry={entry} answer={answer} />
      ) : (
        <Facts
          facts={[
            ["Entry", <code key="entry">{entry}</code>],
            ["Receipt", <Receipts key="receipt" org={org} entry={entry} />]
          ]}
        />
      )}
    </div>
  )
}

/** A collapsed section that verifies the proof when it is opened. */
export const Proof = ({
  org,
  subject
}: {
  readonly org: string
  readonly subject: ProofSubject
}) => <Fold title="Proof">{() => <Checked org={org} subject={subject} />}</Fold>
