/** Decisions about a waiver: approve, reject and revoke, each in a dialog with its words. */
import { type Signal, useSignal } from "@preact/signals"
import { useWrite } from "../session/Writing.js"
import type { Waiver } from "../shared/Contract.js"
import { FormDialog } from "../shared/FormDialog.js"
import { cache } from "../shared/Query.js"
import { RevealedText } from "../shared/RevealedText.js"
import { Field } from "../shared/SettingsForm.js"
import { ruleText } from "./WaiverRule.js"

/** Reads waivers again, and the verdicts that they change. */
export const renewWaivers = (org: string): void => {
  for (const part of ["waivers", "environments", "snapshots"])
    cache.invalidate(`/api/v2/${part}/${org}`)
}

/** A field of several lines, bound to a signal. */
export const LinesField = ({
  label,
  problem,
  hint,
  text
}: {
  readonly label: string
  readonly problem: string | undefined
  readonly hint?: string
  readonly text: Signal<string>
}) => (
  <Field
    label={label}
    problem={problem}
    {...(hint === undefined ? {} : { hint })}
    control={(attributes) => (
      <textarea
        {...attributes}
        rows={3}
        value={text.value}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value
        }}
      />
    )}
  />
)

const SENTENCES = {
  approve: "Failures of this rule are accepted until the waiver ends.",
  reject: "The request is closed, and the rule keeps failing.",
  revoke: "The waiver ends at once, and what it waives fails again."
}

const TITLES = { approve: "Approve", reject: "Reject", revoke: "Revoke" }

export type Decision = keyof typeof SENTENCES

const OPERATIONS = {
  approve: "waiver.approve",
  reject: "waiver.reject",
  revoke: "waiver.revoke"
} as const

export const DecisionDialog = ({
  org,
  waiver,
  decision,
  onClose
}: {
  readonly org: string
  readonly waiver: Pick<Waiver, "number" | "policy_name" | "rule">
  readonly decision: Decision
  readonly onClose: () => void
}) => {
  const write = useWrite()
  const words = useSignal("")
  const field = decision === "revoke" ? "reason" : "comment"
  const { number, policy_name, rule } = waiver
  return (
    <FormDialog
      title={`${TITLES[decision]} waiver ${number}`}
      action={TITLES[decision]}
      fields={[field]}
      write={() =>
        write(OPERATIONS[decision], { org, number: String(number) }, { [field]: words.value })
      }
      onDone={() => {
        renewWaivers(org)
        onClose()
      }}
      onClose={onClose}
    >
      {(problemOf) => (
        <>
          <p>
            <RevealedText text={ruleText(rule)} /> of{" "}
            <strong>
              <RevealedText text={policy_name} />
            </strong>
            . {SENTENCES[decision]}
          </p>
          <LinesField
            label={decision === "revoke" ? "Reason" : "Comment"}
            problem={problemOf(field)}
            text={words}
          />
        </>
      )}
    </FormDialog>
  )
}

/** The buttons of decisions, and the dialog of the chosen one. */
export const Decisions = ({
  org,
  waiver,
  decisions
}: {
  readonly org: string
  readonly waiver: Waiver
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
          {TITLES[decision]}…<span class="visually-hidden"> waiver {waiver.number}</span>
        </button>
      ))}
      {open.value === undefined ? null : (
        <DecisionDialog
          org={org}
          waiver={waiver}
          decision={open.value}
          onClose={() => {
            open.value = undefined
          }}
        />
      )}
    </>
  )
}
