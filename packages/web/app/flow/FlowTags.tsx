/** The tags of a flow: set one, or remove one. */
import { useSignal } from "@preact/signals"
import { useWrite } from "../session/Writing.js"
import type { Flow } from "../shared/Contract.js"
import { cache } from "../shared/Query.js"
import { RevealedText } from "../shared/RevealedText.js"
import { SettingsForm, TextField } from "../shared/SettingsForm.js"

/** The form. */
export const FlowTags = ({ org, flow }: { readonly org: string; readonly flow: Flow }) => {
  const write = useWrite()
  const key = useSignal("")
  const value = useSignal("")
  const change = async (body: object) => {
    const written = await write("G1", { org, resource_type: "flow", resource_id: flow.name }, body)
    if (written._tag === "Done") cache.invalidate(`/api/v2/flows/${encodeURIComponent(org)}`)
    return written
  }
  const tags = Object.entries(flow.tags)
  return (
    <SettingsForm
      title="Tags"
      about="Conditions of policies can ask for them."
      fields={["set_tags"]}
      action="Set tag"
      write={() =>
        change({ set_tags: Object.fromEntries([[key.value, value.value]]), remove_tags: null })
      }
    >
      {(problemOf) => (
        <>
          {tags.length === 0 ? null : (
            <ul class="tags">
              {tags.map(([name, text]) => (
                <li key={name}>
                  <span class="tag tag-first">
                    <RevealedText text={`${name}: ${text}`} />
                  </span>
                  <button
                    type="button"
                    class="button-plain"
                    onClick={() => void change({ set_tags: null, remove_tags: [name] })}
                  >
                    Remove<span class="visually-hidden"> {name}</span>
                  </button>
                </li>
              ))}
            </ul>
          )}
          <div class="field-row">
            <TextField label="Key" problem={problemOf("set_tags")} text={key} />
            <TextField label="Value" problem={undefined} text={value} />
          </div>
        </>
      )}
    </SettingsForm>
  )
}
