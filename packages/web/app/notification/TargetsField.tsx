/** The field for targets of notifications, one address per line. */
import { Field } from "../shared/SettingsForm.js"

export const TargetsField = ({
  value,
  problem,
  onInput
}: {
  readonly value: string
  readonly problem: string | undefined
  readonly onInput: (value: string) => void
}) => (
  <Field
    label="Where to, one on each line"
    problem={problem}
    hint="A mail address, the https address of a webhook, or slack and the address of a Slack webhook."
    control={(attributes) => (
      <textarea
        {...attributes}
        rows={3}
        spellcheck={false}
        autocomplete="off"
        value={value}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    )}
  />
)
