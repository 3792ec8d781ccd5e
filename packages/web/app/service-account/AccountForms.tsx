/** Dialogs that create, change and delete a service account. */
import { type Signal, useSignal } from "@preact/signals"
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
  "reader",
  "none"
]

/** The roles up to the person's own: an account cannot have a higher one. */
const rolesOf = (org: string): ReadonlyArray<ServiceAccount["privilege"]> => {
  const own = Session.current()?.orgs.find(({ name }) => name === org)?.role
  return own === undefined ? [] : ROLES.slice(ROLES.indexOf(own))
}

const RoleField = ({
  org,
  role,
  problem
}: {
  readonly org: string
  readonly role: Signal<string>
  readonly problem: string | undefined
}) => (
  <Field
    label="Role"
    problem={problem}
    control={(attributes) => (
      <select
        {...attributes}
        value={role.value}
        onChange={({ currentTarget }) => {
          role.value = currentTarget.value
        }}
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
  text,
  problem
}: {
  readonly label: string
  readonly text: Signal<string>
  readonly problem: string | undefined
}) => (
  <Field
    label={label}
    problem={problem}
    control={(attributes) => (
      <input
        {...attributes}
        value={text.value}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value
        }}
      />
    )}
  />
)

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
          "serviceAccount.create",
          { org },
          { name: name.value.trim(), privilege: role.value, description: description.value.trim() }
        )
      }
    >
      {(problemOf) => (
        <>
          <TextField label="Name" text={name} problem={problemOf("name")} />
          <RoleField org={org} role={role} problem={problemOf("privilege")} />
          <TextField label="Description" text={description} problem={problemOf("description")} />
        </>
      )}
    </FormDialog>
  )
}

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
          "serviceAccount.update",
          { org, name: account.name },
          { privilege: role.value, description: description.value.trim() }
        )
      }
    >
      {(problemOf) => (
        <>
          <RoleField org={org} role={role} problem={problemOf("privilege")} />
          <TextField label="Description" text={description} problem={problemOf("description")} />
        </>
      )}
    </FormDialog>
  )
}

/** Deletes an account and its keys. WHY the person types its name: to prevent an accident. */
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
        return problem.value === undefined
          ? write("serviceAccount.delete", { org, name: account.name })
          : undefined
      }}
    >
      {() => (
        <>
          <p>
            <RevealedText text={account.name} /> and its keys stop working at once. Its reports
            stay.
          </p>
          <TextField label="Name of the account, to be sure" text={typed} problem={problem.value} />
        </>
      )}
    </FormDialog>
  )
}
