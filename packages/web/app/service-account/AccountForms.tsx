/** The dialogs about service accounts: a new one, other settings, and the end of one. */
import { useSignal } from "@preact/signals"
import * as Session from "../session/Session.js"
import { useWrite } from "../session/Writing.js"
import type { ServiceAccount } from "../shared/Contract.js"
import { FormDialog } from "../shared/FormDialog.js"
import { RevealedText } from "../shared/RevealedText.js"
import { Field } from "../shared/SettingsForm.js"

const ROLES: ReadonlyArray<ServiceAccount["privilege"]> = [
  "admin",
  "member",
  "snapshotter",
  "reader"
]

/** The roles up to one's own: an account cannot have more. */
const rolesOf = (org: string): ReadonlyArray<ServiceAccount["privilege"]> => {
  const own = Session.current()?.orgs.find(({ name }) => name === org)?.role
  return own === undefined ? [] : ROLES.slice(ROLES.indexOf(own))
}

const RoleField = ({
  org,
  role,
  problem,
  onChange
}: {
  readonly org: string
  readonly role: string
  readonly problem: string | undefined
  readonly onChange: (role: string) => void
}) => (
  <Field
    label="Role"
    problem={problem}
    control={(attributes) => (
      <select
        {...attributes}
        value={role}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      >
        {rolesOf(org).map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
    )}
  />
)

const TextField = ({
  label,
  value,
  problem,
  onInput
}: {
  readonly label: string
  readonly value: string
  readonly problem: string | undefined
  readonly onInput: (value: string) => void
}) => (
  <Field
    label={label}
    problem={problem}
    control={(attributes) => (
      <input
        {...attributes}
        value={value}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    )}
  />
)

/** A new account. */
export const CreateAccount = ({
  org,
  onDone,
  onClose
}: {
  readonly org: string
  readonly onDone: (account: ServiceAccount) => void
  readonly onClose: () => void
}) => {
  const write = useWrite()
  const name = useSignal("")
  const role = useSignal<string>(rolesOf(org).includes("member") ? "member" : "snapshotter")
  const description = useSignal("")
  return (
    <FormDialog
      title="New service account"
      action="Create account"
      fields={["name", "privilege", "description"]}
      onClose={onClose}
      onDone={onDone}
      write={() =>
        write(
          "U1",
          { org },
          { name: name.value.trim(), privilege: role.value, description: description.value.trim() }
        )
      }
    >
      {(problemOf) => (
        <>
          <TextField
            label="Name"
            value={name.value}
            problem={problemOf("name")}
            onInput={(value) => {
              name.value = value
            }}
          />
          <RoleField
            org={org}
            role={role.value}
            problem={problemOf("privilege")}
            onChange={(value) => {
              role.value = value
            }}
          />
          <TextField
            label="Description"
            value={description.value}
            problem={problemOf("description")}
            onInput={(value) => {
              description.value = value
            }}
          />
        </>
      )}
    </FormDialog>
  )
}

/** Another role or description. */
export const ChangeAccount = ({
  org,
  account,
  onDone,
  onClose
}: {
  readonly org: string
  readonly account: ServiceAccount
  readonly onDone: () => void
  readonly onClose: () => void
}) => {
  const write = useWrite()
  const role = useSignal<string>(account.privilege)
  const description = useSignal(account.description)
  return (
    <FormDialog
      title={`Change ${account.name}`}
      action="Change"
      fields={["privilege", "description"]}
      onClose={onClose}
      onDone={onDone}
      write={() =>
        write(
          "U4",
          { org, name: account.name },
          { privilege: role.value, description: description.value.trim() }
        )
      }
    >
      {(problemOf) => (
        <>
          <RoleField
            org={org}
            role={role.value}
            problem={problemOf("privilege")}
            onChange={(value) => {
              role.value = value
            }}
          />
          <TextField
            label="Description"
            value={description.value}
            problem={problemOf("description")}
            onInput={(value) => {
              description.value = value
            }}
          />
        </>
      )}
    </FormDialog>
  )
}

/** The end of an account and its keys; its name is typed, so that it does not happen by accident. */
export const DeleteAccount = ({
  org,
  account,
  onDone,
  onClose
}: {
  readonly org: string
  readonly account: ServiceAccount
  readonly onDone: () => void
  readonly onClose: () => void
}) => {
  const write = useWrite()
  const typed = useSignal("")
  const problem = useSignal<string | undefined>(undefined)
  return (
    <FormDialog
      title={`Delete ${account.name}`}
      action="Delete account"
      fields={[]}
      onClose={onClose}
      onDone={onDone}
      write={() => {
        problem.value = typed.value === account.name ? undefined : "Type the name of the account."
        return problem.value === undefined ? write("U5", { org, name: account.name }) : undefined
      }}
    >
      {() => (
        <>
          <p>
            <RevealedText text={account.name} /> and its keys stop working at once. What it reported
            stays.
          </p>
          <TextField
            label="Name of the account, to be sure"
            value={typed.value}
            problem={problem.value}
            onInput={(value) => {
              typed.value = value
            }}
          />
        </>
      )}
    </FormDialog>
  )
}
