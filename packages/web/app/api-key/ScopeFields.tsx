/** The fields of a new key's scope: what it may do, and from where. */
import { Field } from "../shared/SettingsForm.js"
import * as KeyScope from "./KeyScope.js"

interface Props {
  readonly choice: string
  readonly networks: string
  readonly problem: string | undefined
  readonly onChoice: (choice: string) => void
  readonly onNetworks: (networks: string) => void
}

/** The fields of a new key's scope. */
export const ScopeFields = ({ choice, networks, problem, onChoice, onNetworks }: Props) => (
  <>
    <Field
      label="May do"
      problem={undefined}
      control={(attributes) => (
        <select
          {...attributes}
          value={choice}
          onChange={({ currentTarget }) => onChoice(currentTarget.value)}
        >
          {KeyScope.CHOICES.map(([name, text]) => (
            <option key={name} value={name}>
              {text}
            </option>
          ))}
        </select>
      )}
    />
    <Field
      label="Only from networks"
      problem={problem}
      control={(attributes) => (
        <input
          {...attributes}
          value={networks}
          placeholder="10.0.0.0/8"
          onInput={({ currentTarget }) => onNetworks(currentTarget.value)}
        />
      )}
    />
  </>
)
