/** Renames or archives a flow. Renaming leads to its new page, archiving to the list. */
import * as Route from "@attestry/web/Route"
import { useSignal } from "@preact/signals"
import { useWrite } from "../session/Writing.js"
import type { Flow } from "../shared/Contract.js"
import * as Navigation from "../shared/Navigation.js"
import { cache } from "../shared/Query.js"
import { RevealedText } from "../shared/RevealedText.js"
import { SettingsForm, TextField } from "../shared/SettingsForm.js"

interface Props {
  readonly org: string
  readonly flow: Flow
}

/** Refetches lists. WHY not the flow itself: it no longer exists under this name. */
const forget = (org: string): void => {
  for (const list of ["flows", "trails", "artifacts", "attestations"])
    cache.invalidate(`/api/v2/${list}/${encodeURIComponent(org)}?`)
}

export const RenameFlow = ({ org, flow }: Props) => {
  const write = useWrite()
  const name = useSignal(flow.name)
  const rename = async () => {
    const written = await write(
      "flow.rename",
      { org, flow_name: flow.name },
      { new_name: name.value }
    )
    if (written._tag === "Done") {
      Navigation.go(Route.make("FlowSettings", { org, flow: name.value }), { replace: true })
      forget(org)
    }
    return written
  }
  return (
    <SettingsForm
      title="Name"
      about="The old name leads to the flow until another flow takes it."
      fields={["new_name"]}
      action="Rename"
      write={() => (name.value === flow.name ? undefined : rename())}
    >
      {(problemOf) => (
        <TextField label="Name of the flow" problem={problemOf("new_name")} text={name} />
      )}
    </SettingsForm>
  )
}

/** Archives a flow. WHY the person types its name: to prevent an accident. */
export const ArchiveFlow = ({ org, flow }: Props) => {
  const write = useWrite()
  const typed = useSignal("")
  const problem = useSignal<string | undefined>(undefined)
  const archive = async () => {
    const written = await write("flow.archive", { org, flow_name: flow.name })
    if (written._tag === "Done") {
      Navigation.go(Route.make("Flows", { org }))
      forget(org)
    }
    return written
  }
  return (
    <SettingsForm
      title="Archive"
      about="Lists leave the flow out. Its trails, artifacts and attestations are kept."
      fields={[]}
      action="Archive this flow"
      write={() => {
        problem.value = typed.value === flow.name ? undefined : "Type the name of the flow."
        return problem.value === undefined ? archive() : undefined
      }}
    >
      {() => (
        <TextField
          label="Name of the flow, to be sure"
          problem={problem.value}
          hint={<RevealedText text={flow.name} />}
          text={typed}
        />
      )}
    </SettingsForm>
  )
}
