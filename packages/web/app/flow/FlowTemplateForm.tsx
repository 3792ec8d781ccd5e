/** Description, visibility and template of a flow. */
import { useSignal } from "@preact/signals"
import { useWrite } from "../session/Writing.js"
import type { Flow } from "../shared/Contract.js"
import { cache } from "../shared/Query.js"
import { Field, SettingsForm, TextField } from "../shared/SettingsForm.js"
import { TemplateEditor } from "./TemplateEditor.js"

const FIELDS = ["description", "visibility", "template_file"]

export const FlowTemplateForm = ({ org, flow }: { readonly org: string; readonly flow: Flow }) => {
  const write = useWrite()
  const description = useSignal(flow.description)
  const visibility = useSignal(flow.visibility)
  const template = useSignal(flow.template)
  const save = async () => {
    const written = await write(
      "flow.putWithTemplate",
      { org },
      {
        name: flow.name,
        description: description.value,
        visibility: visibility.value,
        template_file: template.value
      }
    )
    if (written._tag === "Done") cache.invalidate(`/api/v2/flows/${encodeURIComponent(org)}`)
    return written
  }
  return (
    <SettingsForm
      title="Template"
      about="What each trail must bring. A change counts for trails that something is reported to afterwards."
      fields={FIELDS}
      restField="template_file"
      action="Save"
      write={save}
    >
      {(problemOf) => (
        <>
          <TextField label="Description" problem={problemOf("description")} text={description} />
          <Field
            label="Visibility"
            problem={problemOf("visibility")}
            control={(attributes) => (
              <select
                {...attributes}
                value={visibility.value}
                onChange={({ currentTarget }) => {
                  visibility.value = currentTarget.value === "public" ? "public" : "private"
                }}
              >
                <option value="private">private</option>
                <option value="public">public</option>
              </select>
            )}
          />
          <TemplateEditor text={template} problem={problemOf("template_file")} />
        </>
      )}
    </SettingsForm>
  )
}
