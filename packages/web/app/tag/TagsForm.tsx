/** The tags of a flow or a control, with a form that sets or removes one. */
import { useSignal } from "@preact/signals"
import { useWrite } from "../session/Writing.js"
import { RevealedText } from "../shared/RevealedText.js"
import { SettingsForm, TextField } from "../shared/SettingsForm.js"

export interface Tagged {
  readonly org: string
  readonly type: "flow" | "control"
  /** The name of a flow, or the identifier of a control. */
  readonly id: string
  readonly tags: { readonly [key: string]: string }
}

/** `onChanged` is called after each change. */
export const TagsForm = ({
  tagged: { org, type, id, tags },
  about,
  onChanged
}: {
  readonly tagged: Tagged
  readonly about: string
  readonly onChanged: () => void
}) => {
  const write = useWrite()
  const key = useSignal("")
  const value = useSignal("")
  const change = async (body: object) => {
    const written = await write("tag.change", { org, resource_type: type, resource_id: id }, body)
    if (written._tag === "Done") onChanged()
    return written
  }
  const entries = Object.entries(tags)
  return (
    <SettingsForm
      title="Tags"
      about={about}
      fields={["set_tags"]}
      action="Set tag"
      write={() =>
        change({ set_tags: Object.fromEntries([[key.value, value.value]]), remove_tags: null })
      }
    >
      {(problemOf) => (
        <>
          {entries.length === 0 ? null : (
            <ul class="tags">
              {entries.map(([name, text]) => (
                <li key={name}>
                  <span class="tag tag-first">
                    <RevealedText text={`${name}: ${text}`} />
                  </span>
                  <button
                    type="button"
                    class="button-plain"
                    onClick={() => void change({ set_tags: null, remove_tags: [name] })}
                  >
                    Remove
                    <span class="visually-hidden">
                      {" "}
                      <RevealedText text={name} />
                    </span>
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
