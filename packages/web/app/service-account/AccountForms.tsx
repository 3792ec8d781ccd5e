/** Fields of a service account, and dialogs that change and delete a service account. */
import { type Signal, useSignal } from "@preact/signals"
import * as Session from "../session/Session.js"
import { useWrite } from "../session/Writing.js"
import type { ServiceAccount } from "../shared/Contract.js"
import { FormDialog } from "../shared/FormDialog.js"
import { RevealedText } from "../shared/RevealedText.js"
import { ChoiceField, TextField } from "../shared/SettingsForm.js"

const ROLES: ReadonlyArray<ServiceAccount["privilege"]> = [
  "admin",
  "member",
  "snapshotter",
  "reader",
  "none"
]

/** The roles up to the person's own: an account cannot have a higher one. */
export const rolesOf = (org: string): ReadonlyArray<ServiceAccount["privilege"]> => {
  const own = Session.current()?.orgs.find(({ name }) => name === org)?.role
  return own === undefined ? [] : ROLES.slice(ROLES.indexOf(own))
}

/** The choice of a role. */
export const RoleField = ({
  org,
  role,
  problem
}: {
  readonly org: string
  readonly role: Signal<string>
  readonly problem: string | undefined
}) => (
  <ChoiceField
    label="Role"
    value={role.value}
    set={(chosen) => {
      role.value = chosen
    }}
    options={rolesOf(org).map((each) => [each, each] as const)}
    problem={problem}
  />
)

/** Changes the role and the description of an account. */
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
