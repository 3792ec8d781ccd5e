/** Decisions about a proposal: approve what is shown, reject and withdraw, each in a dialog with its words. */
import { useSignal } from "@preact/signals"
import { useWrite } from "../session/Writing.js"
import { callOf } from "../shared/Api.js"
import type { Proposal } from "../shared/Contract.js"
import { FormDialog } from "../shared/FormDialog.js"
import { cache } from "../shared/Query.js"
import { RevealedText } from "../shared/RevealedText.js"
import { LinesField } from "../waiver/WaiverActions.js"
import { renewProposals } from "./ProposalParts.js"
import { subjectsText } from "./ProposalText.js"

const SENTENCES = {
  approve: "With the last approval that it needs the change is made, in the name of its proposer.",
  reject: "The proposal ends, and nothing is changed.",
  withdraw: "The proposal ends, and nothing is changed."
}

const TITLES = { approve: "Approve", reject: "Reject", withdraw: "Withdraw" }

export type Decision = keyof typeof SENTENCES

const OPERATIONS = {
  approve: "proposal.approve",
  reject: "proposal.reject",
  withdraw: "proposal.withdraw"
} as const

const bodyOf = (decision: Decision, { digest }: Proposal, comment: string): object | undefined => {
  if (decision === "withdraw") return undefined
  return decision === "approve" ? { digest, comment } : { comment }
}

const DecisionDialog = ({
  org,
  proposal,
  decision,
  onClose
}: {
  readonly org: string
  readonly proposal: Proposal
  readonly decision: Decision
  readonly onClose: () => void
}) => {
  const write = useWrite()
  const comment = useSignal("")
  const number = String(proposal.number)
  // A refused decision may have ended the proposal too.
  const renew = () => {
    renewProposals(org)
    void cache.refresh(callOf("proposal.get", { org, number }).path)
  }
  return (
    <FormDialog
      title={`${TITLES[decision]} proposal ${number}`}
      action={TITLES[decision]}
      fields={["comment"]}
      write={async () => {
        const body = bodyOf(decision, proposal, comment.value)
        const written = await write(OPERATIONS[decision], { org, number }, body)
        if (written._tag === "Refused" && written.problem.kind === "conflict") renew()
        return written
      }}
      onDone={() => {
        renew()
        onClose()
      }}
      onClose={onClose}
    >
      {(problemOf) => (
        <>
          <p>
            <strong>
              <RevealedText text={subjectsText(proposal)} />
            </strong>
            . {SENTENCES[decision]}
          </p>
          {decision === "withdraw" ? null : (
            <LinesField label="Comment" problem={problemOf("comment")} text={comment} />
          )}
        </>
      )}
    </FormDialog>
  )
}

/** The buttons of decisions, and the dialog of the chosen one. */
export const Decisions = ({
  org,
  proposal,
  decisions
}: {
  readonly org: string
  readonly proposal: Proposal
  readonly decisions: ReadonlyArray<Decision>
}) => {
  const open = useSignal<Decision | undefined>(undefined)
  return (
    <>
      {decisions.map((decision) => (
        <button
          key={decision}
          type="button"
          class={decision === "approve" ? "button button-main" : "button"}
          onClick={() => {
            open.value = decision
          }}
        >
          {TITLES[decision]}…
        </button>
      ))}
      {open.value === undefined ? null : (
        <DecisionDialog
          org={org}
          proposal={proposal}
          decision={open.value}
          onClose={() => {
            open.value = undefined
          }}
        />
      )}
    </>
  )
}
