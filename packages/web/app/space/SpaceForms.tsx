/** Dialogs that make, change and delete a space. */
import { useSignal } from "@preact/signals"
import { useWrite } from "../session/Writing.js"
import type { Space } from "../shared/Contract.js"
import { FormDialog } from "../shared/FormDialog.js"
import { TextField } from "../shared/SettingsForm.js"
import { below, parentOf, ROOT } from "./SpaceTree.js"

interface Props {
  readonly org: string
  readonly onClose: () => void
}

/** Called with the path that the space has now. */
interface Moved {
  readonly onDone: (path: string) => void
}

export const CreateSpace = ({
  org,
  parent,
  onDone,
  onClose
}: Props & Moved & { readonly parent: string }) => {
  const write = useWrite()
  const name = useSignal("")
  const description = useSignal("")
  const problem = useSignal<string | undefined>(undefined)
  return (
    <FormDialog
      title={parent === ROOT ? "New space" : `New space in ${parent}`}
      action="Create space"
      fields={["path", "description"]}
      onClose={onClose}
      onDone={({ path }) => onDone(path)}
      write={() => {
        const typed = name.value.trim()
        problem.value = typed === "" || typed.includes("/") ? "One name, without /." : undefined
        return problem.value === undefined
          ? write(
              "space.create",
              { org },
              { path: below(parent, typed), description: description.value.trim() }
            )
          : undefined
      }}
    >
      {(problemOf) => (
        <>
          <TextField
            label="Name"
            text={name}
            problem={problem.value ?? problemOf("path")}
            hint="Lower-case letters, digits, dots, underscores and hyphens."
          />
          <TextField label="Description" text={description} problem={problemOf("description")} />
        </>
      )}
    </FormDialog>
  )
}

export const ChangeSpace = ({
  org,
  space,
  onDone,
  onClose
}: Props & Moved & { readonly space: Space }) => {
  const write = useWrite()
  const name = useSignal(space.name)
  const parent = useSignal(parentOf(space.path))
  const description = useSignal(space.description)
  return (
    <FormDialog
      title={`Change ${space.path}`}
      action="Change"
      fields={["name", "parent", "description"]}
      onClose={onClose}
      onDone={({ path }) => onDone(path)}
      write={() =>
        write(
          "space.change",
          { org, space_id: space.id },
          {
            ...(name.value.trim() === space.name ? {} : { name: name.value.trim() }),
            ...(parent.value.trim() === parentOf(space.path)
              ? {}
              : { parent: parent.value.trim() }),
            ...(description.value.trim() === space.description
              ? {}
              : { description: description.value.trim() })
          }
        )
      }
    >
      {(problemOf) => (
        <>
          <TextField label="Name" text={name} problem={problemOf("name")} />
          <TextField
            label="In"
            text={parent}
            problem={problemOf("parent")}
            hint="The space above it, such as retail; / is the whole org. What is in it goes with it."
          />
          <TextField label="Description" text={description} problem={problemOf("description")} />
        </>
      )}
    </FormDialog>
  )
}

export const DeleteSpace = ({
  org,
  space,
  onDone,
  onClose
}: Props & { readonly space: Space; readonly onDone: () => void }) => {
  const write = useWrite()
  return (
    <FormDialog
      title={`Delete ${space.path}`}
      action="Delete space"
      fields={[]}
      onClose={onClose}
      onDone={onDone}
      write={() => write("space.delete", { org, space_id: space.id })}
    >
      {() => <p>It must be empty: without spaces, things, grants and placement rules.</p>}
    </FormDialog>
  )
}
