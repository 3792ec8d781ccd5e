/** Dialogs of admins: change a role, suspend, restore, sign out, remove, add a person. */
import { type Signal, useSignal } from "@preact/signals"
import { useWrite } from "../session/Writing.js"
import { callOf } from "../shared/Api.js"
import type { Member } from "../shared/Contract.js"
import { FormDialog } from "../shared/FormDialog.js"
import { cache } from "../shared/Query.js"
import { RevealedText } from "../shared/RevealedText.js"
import { Field, TextField } from "../shared/SettingsForm.js"
import * as MemberAction from "./MemberAction.js"

/** Reads the members again. */
export const renewMembers = (org: string): void => {
  cache.invalidate(callOf("membership.members", { org }).path)
  cache.invalidate(callOf("membership.auditLog", { org }).path)
}

/** A choice of a role, with what the chosen one may do. */
export const RoleField = ({
  role,
  problem
}: {
  readonly role: Signal<MemberAction.Role>
  readonly problem: string | undefined
}) => (
  <Field
    label="Role"
    problem={problem}
    hint={MemberAction.ROLES.find(([name]) => name === role.value)?.[1]}
    control={(attributes) => (
      <select
        {...attributes}
        value={role.value}
        onChange={({ currentTarget }) => {
          const [chosen] = MemberAction.ROLES.find(([name]) => name === currentTarget.value) ?? []
          if (chosen !== undefined) role.value = chosen
        }}
      >
        {MemberAction.ROLES.map(([name]) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    )}
  />
)

interface Props {
  readonly org: string
  readonly member: Member
  readonly onClose: () => void
}

const Person = ({ member: { user, login } }: Pick<Props, "member">) => (
  <>
    <strong>
      <RevealedText text={user} />
    </strong>
    {user === login ? null : (
      <>
        {" "}
        (<RevealedText text={login} />)
      </>
    )}
  </>
)

/** Changes the role of a member. */
export const ChangeRole = ({ org, member, onClose }: Props) => {
  const write = useWrite()
  const role = useSignal<MemberAction.Role>(member.role)
  return (
    <FormDialog
      title="Change the role"
      action="Change role"
      fields={["role"]}
      onClose={onClose}
      onDone={() => {
        renewMembers(org)
        onClose()
      }}
      write={() => write("membership.put", { org, login: member.login }, { role: role.value })}
    >
      {(problemOf) => (
        <>
          <p>
            <Person member={member} /> is {member.role}. The new role holds at once.
          </p>
          <RoleField role={role} problem={problemOf("role")} />
        </>
      )}
    </FormDialog>
  )
}

const OPERATIONS = {
  suspend: "membership.suspend",
  restore: "membership.restore",
  signOut: "membership.signOut",
  remove: "membership.remove"
} as const

/** Asks before a member is suspended, restored, signed out or removed. */
export const ConfirmAction = ({
  org,
  member,
  action,
  onClose
}: Props & { readonly action: MemberAction.Action }) => {
  const write = useWrite()
  const { title, button, consequence } = MemberAction.WORDS[action]
  return (
    <FormDialog
      title={`${title} a member`}
      action={button}
      fields={[]}
      onClose={onClose}
      onDone={() => {
        renewMembers(org)
        onClose()
      }}
      write={() => write(OPERATIONS[action], { org, login: member.login })}
    >
      {() => (
        <p>
          <Person member={member} />: {consequence}
        </p>
      )}
    </FormDialog>
  )
}

/** Adds a person who has an account on this deployment. */
export const AddMember = ({ org, onClose }: Pick<Props, "org" | "onClose">) => {
  const write = useWrite()
  const login = useSignal("")
  const role = useSignal<MemberAction.Role>("member")
  const missing = useSignal<string | undefined>(undefined)
  return (
    <FormDialog
      title="Add a person who has an account"
      action="Add"
      fields={["login", "role"]}
      onClose={onClose}
      onDone={() => {
        renewMembers(org)
        onClose()
      }}
      write={() => {
        missing.value = login.value.trim() === "" ? "Enter a login." : undefined
        return missing.value === undefined
          ? write("membership.put", { org, login: login.value.trim() }, { role: role.value })
          : undefined
      }}
    >
      {(problemOf) => (
        <>
          <TextField
            label="Login"
            problem={missing.value ?? problemOf("login")}
            hint="Of a person who belongs to another org here. Invite everyone else."
            text={login}
          />
          <RoleField role={role} problem={problemOf("role")} />
        </>
      )}
    </FormDialog>
  )
}
