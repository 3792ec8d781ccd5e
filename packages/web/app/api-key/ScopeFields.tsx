/** The fields of a key's scope: what it may do, in which org and places, and from where. */
import { Field } from "../shared/SettingsForm.js"
import * as KeyScope from "./KeyScope.js"

type FieldName = keyof KeyScope.ScopeDraft

interface Props {
  readonly draft: KeyScope.ScopeDraft
  readonly change: (part: Partial<KeyScope.ScopeDraft>) => void
  readonly problemOf: (field: FieldName) => string | undefined
  /** The orgs to choose from; absent where the key counts in one org anyway. */
  readonly orgs?: ReadonlyArray<string>
}

const Choice = ({
  label,
  field,
  choices,
  draft,
  change,
  problemOf
}: Props & {
  readonly label: string
  readonly field: FieldName
  readonly choices: ReadonlyArray<readonly [name: string, text: string]>
}) => (
  <Field
    label={label}
    problem={problemOf(field)}
    control={(attributes) => (
      <select
        {...attributes}
        value={draft[field]}
        onChange={({ currentTarget }) => change({ [field]: currentTarget.value })}
      >
        {choices.map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
    )}
  />
)

const Names = ({
  label,
  field,
  example,
  draft,
  change,
  problemOf
}: Props & {
  readonly label: string
  readonly field: FieldName
  readonly example?: string
}) => (
  <Field
    label={label}
    problem={problemOf(field)}
    control={(attributes) => (
      <input
        {...attributes}
        {...(example === undefined ? {} : { placeholder: example })}
        spellcheck={false}
        autocomplete="off"
        value={draft[field]}
        onInput={({ currentTarget }) => change({ [field]: currentTarget.value })}
      />
    )}
  />
)

/** The choices, with one more for permissions that are none of them. */
const choicesWith = (permissions: string): typeof KeyScope.CHOICES =>
  KeyScope.CHOICES.some(([name]) => name === permissions)
    ? KeyScope.CHOICES
    : [...KeyScope.CHOICES, [permissions, permissions]]

/** The fields of a key's scope. */
export const ScopeFields = (props: Props) => (
  <>
    <Choice
      {...props}
      label="May do"
      field="permissions"
      choices={choicesWith(props.draft.permissions)}
    />
    {props.orgs === undefined || props.orgs.length < 2 ? null : (
      <Choice
        {...props}
        label="Only in org"
        field="orgs"
        choices={[["", "all"], ...props.orgs.map((org) => [org, org] as const)]}
      />
    )}
    <Names {...props} label="Only in spaces" field="spaces" />
    <Names {...props} label="Only in flows" field="flows" />
    <Names {...props} label="Only in environments" field="environments" />
    <Names {...props} label="Only from networks" field="networks" example="10.0.0.0/8" />
  </>
)
