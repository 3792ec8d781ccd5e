/** Dialogs that create, describe and delete a team, and that move people into it and out of it. */
import { useSignal } from "@preact/signals"
import { useWrite } from "../session/Writing.js"
import type { Team, TeamMember } from "../shared/Contract.js"
import { FormDialog } from "../shared/FormDialog.js"
import { RevealedText } from "../shared/RevealedText.js"
import { TextField } from "../shared/SettingsForm.js"

interface Props {
  readonly org: string
  readonly onClose: () => void
}

const NAME = /^[a-z0-9][a-z0-9._-]{0,62}$/
const NAME_PROBLEM = "Up to 63 of a–z, 0–9, dots, underscores and hyphens; a letter or digit first."

export const CreateTeam = ({
  org,
  onDone,
  onClose
}: Props & { readonly onDone: (name: string) => void }) => {
  const write = useWrite()
  const name = useSignal("")
  const description = useSignal("")
  const problem = useSignal<string | undefined>(undefined)
  return (
    <FormDialog
      title="New team"
      action="Create team"
      fields={["team", "description"]}
      onClose={onClose}
      onDone={() => onDone(name.value.trim())}
      write={() => {
        problem.value = NAME.test(name.value.trim()) ? undefined : NAME_PROBLEM
        return problem.value === undefined
          ? write(
              "team.put",
              { org, team: name.value.trim() },
              { description: description.value.trim() }
            )
          : undefined
      }}
    >
      {(problemOf) => (
        <>
          <TextField label="Name" text={name} problem={problem.value ?? problemOf("team")} />
          <TextField label="Description" text={description} problem={problemOf("description")} />
        </>
      )}
    </FormDialog>
  )
}

export const DescribeTeam = ({
  org,
  team,
  onDone,
  onClose
}: Props & { readonly team: Team; readonly onDone: () => void }) => {
  const write = useWrite()
  const description = useSignal(team.description)
  return (
    <FormDialog
      title={`Change ${team.name}`}
      action="Change"
      fields={["description"]}
      onClose={onClose}
      onDone={onDone}
      write={() =>
        write("team.put", { org, team: team.name }, { description: description.value.trim() })
      }
    >
      {(problemOf) => (
        <TextField label="Description" text={description} problem={problemOf("description")} />
      )}
    </FormDialog>
  )
}

export const DeleteTeam = ({
  org,
  team,
  onDone,
  onClose
}: Props & { readonly team: Team; readonly onDone: () => void }) => {
  const write = useWrite()
  const typed = useSignal("")
  const problem = useSignal<string | undefined>(undefined)
  return (
    <FormDialog
      title={`Delete ${team.name}`}
      action="Delete team"
      fields={[]}
      onClose={onClose}
      onDone={onDone}
      write={() => {
        problem.value = typed.value === team.name ? undefined : "Type the name of the team."
        return problem.value === undefined
          ? write("team.delete", { org, team: team.name })
          : undefined
      }}
    >
      {() => (
        <>
          <p>The people who are in it stay in the org.</p>
          <TextField label="Name of the team, to be sure" text={typed} problem={problem.value} />
        </>
      )}
    </FormDialog>
  )
}

export const AddMember = ({
  org,
  team,
  onDone,
  onClose
}: Props & { readonly team: Team; readonly onDone: () => void }) => {
  const write = useWrite()
  const login = useSignal("")
  const problem = useSignal<string | undefined>(undefined)
  return (
    <FormDialog
      title={`Add to ${team.name}`}
      action="Add"
      fields={["login"]}
      onClose={onClose}
      onDone={onDone}
      write={() => {
        problem.value = login.value.trim() === "" ? "Name a member of the org." : undefined
        return problem.value === undefined
          ? write("team.addMember", { org, team: team.name, login: login.value.trim() })
          : undefined
      }}
    >
      {(problemOf) => (
        <TextField
          label="Login of a member of the org"
          text={login}
          problem={problem.value ?? problemOf("login")}
        />
      )}
    </FormDialog>
  )
}

export const RemoveMember = ({
  org,
  team,
  member,
  onDone,
  onClose
}: Props & {
  readonly team: Team
  readonly member: TeamMember
  readonly onDone: () => void
}) => {
  const write = useWrite()
  return (
    <FormDialog
      title={`Remove from ${team.name}`}
      action="Remove"
      fields={[]}
      onClose={onClose}
      onDone={onDone}
      write={() => write("team.removeMember", { org, team: team.name, login: member.login })}
    >
      {() => (
        <p>
          <RevealedText text={member.user} /> leaves the team, and stays in the org.
        </p>
      )}
    </FormDialog>
  )
}
