/** Dialogs that give a role in a space, and end a grant. */
import { type Signal, useSignal } from "@preact/signals"
import { useWrite } from "../session/Writing.js"
import type { Grant } from "../shared/Contract.js"
import { FormDialog, type ProblemOf } from "../shared/FormDialog.js"
import { RevealedText } from "../shared/RevealedText.js"
import { ChoiceField, Field, TextField } from "../shared/SettingsForm.js"
import * as TimeWindow from "../shared/TimeWindow.js"
import { KINDS, ROLES, subjectText } from "./GrantText.js"

interface Props {
  readonly org: string
  readonly onDone: () => void
  readonly onClose: () => void
}

const bound = (text: Signal<string>) => ({
  value: text.value,
  set: (next: string) => {
    text.value = next
  }
})

/** The fields of a new grant. */
interface Draft {
  readonly kind: Signal<string>
  readonly name: Signal<string>
  readonly role: Signal<string>
  readonly until: Signal<string>
  readonly eligible: Signal<boolean>
  readonly reason: Signal<string>
}

const useDraft = (): Draft => ({
  kind: useSignal("user"),
  name: useSignal(""),
  role: useSignal("reader"),
  until: useSignal(""),
  eligible: useSignal(false),
  reason: useSignal("")
})

const bodyOf = (draft: Draft, space: string) => {
  const kind = draft.kind.value
  const end = TimeWindow.secondsOf(draft.until.value, "last")
  return {
    subject: kind === "everyone" ? { kind } : { kind, name: draft.name.value.trim() },
    space,
    role: draft.role.value,
    eligible: draft.eligible.value,
    ...(end === undefined ? {} : { expires_at: Math.floor(end) }),
    ...(draft.reason.value.trim() === "" ? {} : { reason: draft.reason.value.trim() })
  }
}

const EndField = ({
  draft,
  problemOf
}: {
  readonly draft: Draft
  readonly problemOf: ProblemOf
}) => (
  <>
    <Field
      label="Last day, in UTC (optional)"
      problem={problemOf("expires_at")}
      control={(attributes) => (
        <input
          {...attributes}
          type="date"
          value={draft.until.value}
          onChange={({ currentTarget }) => {
            draft.until.value = currentTarget.value
          }}
        />
      )}
    />
    <label class="setting-check">
      <input
        type="checkbox"
        checked={draft.eligible.value}
        onChange={({ currentTarget }) => {
          draft.eligible.value = currentTarget.checked
        }}
      />
      Eligible: it counts in break-glass only
    </label>
    <TextField label="Reason (optional)" text={draft.reason} problem={problemOf("reason")} />
  </>
)

export const GiveGrant = ({ org, space, onDone, onClose }: Props & { readonly space: string }) => {
  const write = useWrite()
  const draft = useDraft()
  return (
    <FormDialog
      title={space === "/" ? "Give a role in the whole org" : `Give a role in ${space}`}
      action="Give"
      fields={["subject.name", "subject", "role", "expires_at", "reason"]}
      onClose={onClose}
      onDone={onDone}
      write={() => write("grant.put", { org }, bodyOf(draft, space))}
    >
      {(problemOf) => (
        <>
          <ChoiceField label="To" options={KINDS} {...bound(draft.kind)} />
          {draft.kind.value === "everyone" ? null : (
            <TextField
              label={draft.kind.value === "user" ? "Login" : "Name"}
              text={draft.name}
              problem={problemOf("subject.name") ?? problemOf("subject")}
            />
          )}
          <ChoiceField
            label="Role"
            options={ROLES.map((role) => [role, role])}
            {...bound(draft.role)}
            problem={problemOf("role")}
          />
          <EndField draft={draft} problemOf={problemOf} />
        </>
      )}
    </FormDialog>
  )
}

export const EndGrant = ({ org, grant, onDone, onClose }: Props & { readonly grant: Grant }) => {
  const write = useWrite()
  return (
    <FormDialog
      title={`End grant ${grant.number}`}
      action="End it"
      fields={[]}
      onClose={onClose}
      onDone={onDone}
      write={() => write("grant.end", { org, number: String(grant.number) })}
    >
      {() => (
        <p>
          <RevealedText text={subjectText(grant.subject)} /> is no longer {grant.role} in{" "}
          <RevealedText text={grant.space} />, unless another role says so.
        </p>
      )}
    </FormDialog>
  )
}
