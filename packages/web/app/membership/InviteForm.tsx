/** Invites a person: the form, and the link, which is shown once. */
import { type Signal, useSignal } from "@preact/signals"
import { useWrite } from "../session/Writing.js"
import { callOf } from "../shared/Api.js"
import type { MadeInvitation } from "../shared/Contract.js"
import { CopyButton } from "../shared/CopyButton.js"
import { Dialog } from "../shared/Dialog.js"
import { FormDialog } from "../shared/FormDialog.js"
import { cache } from "../shared/Query.js"
import { Field, TextField } from "../shared/SettingsForm.js"
import { Timestamp } from "../shared/Timestamp.js"
import type { Role } from "./MemberAction.js"
import { RoleField } from "./MemberForms.js"

/** How many days an invitation can be open. */
const DAYS = [1, 3, 7, 14, 30]

interface Props {
  readonly org: string
  readonly onClose: () => void
}

/** Fields that were filled in. */
const given = (fields: { readonly [name: string]: string }): { [name: string]: string } =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, text]) =>
      text.trim() === "" ? [] : [[name, text.trim()]]
    )
  )

const DaysField = ({
  days,
  problem
}: {
  readonly days: Signal<number>
  readonly problem: string | undefined
}) => (
  <Field
    label="Open for"
    problem={problem}
    control={(attributes) => (
      <select
        {...attributes}
        value={String(days.value)}
        onChange={({ currentTarget }) => {
          days.value = Number(currentTarget.value)
        }}
      >
        {DAYS.map((each) => (
          <option key={each} value={each}>
            {each === 1 ? "1 day" : `${each} days`}
          </option>
        ))}
      </select>
    )}
  />
)

/** The form of a new invitation. */
export const Invite = ({
  org,
  onClose,
  onMade
}: Props & { readonly onMade: (made: MadeInvitation) => void }) => {
  const write = useWrite()
  const role = useSignal<Role>("member")
  const names = { login: useSignal(""), display_name: useSignal(""), email: useSignal("") }
  const days = useSignal(7)
  return (
    <FormDialog
      title="Invite a person"
      action="Make the link"
      fields={["role", "login", "display_name", "email", "days"]}
      onClose={onClose}
      onDone={(made) => {
        cache.invalidate(callOf("invitation.list", { org }).path)
        onMade(made)
      }}
      write={() =>
        write(
          "invitation.create",
          { org },
          {
            role: role.value,
            days: days.value,
            ...given({
              login: names.login.value,
              display_name: names.display_name.value,
              email: names.email.value
            })
          }
        )
      }
    >
      {(problemOf) => (
        <>
          <RoleField role={role} problem={problemOf("role")} />
          <TextField
            label="Name (optional)"
            problem={problemOf("display_name")}
            text={names.display_name}
          />
          <TextField
            label="Login (optional)"
            problem={problemOf("login")}
            hint="Without it the person chooses one: lower-case letters, digits and . _ @ + -"
            text={names.login}
          />
          <TextField
            label="Address (optional)"
            problem={problemOf("email")}
            hint="Tells you in the list whom it is for. Nothing is sent."
            text={names.email}
          />
          <DaysField days={days} problem={problemOf("days")} />
        </>
      )}
    </FormDialog>
  )
}

/** Shows the link of a new invitation once. */
export const InvitationLink = ({
  made,
  onClose
}: {
  readonly made: MadeInvitation
  readonly onClose: () => void
}) => (
  <Dialog title="The invitation">
    <p>
      Send this link to the person, over a channel that only they read. It works once, makes them{" "}
      <strong>{made.role}</strong>, and is shown this once.
    </p>
    <div class="secret">
      <code>{made.link}</code>
      <CopyButton text={made.link} what="link" />
    </div>
    <p class="quiet">
      It ends <Timestamp seconds={made.expires_at} />.
    </p>
    <div class="form-actions">
      <button type="button" class="button button-main" onClick={onClose}>
        I have copied it
      </button>
    </div>
  </Dialog>
)
