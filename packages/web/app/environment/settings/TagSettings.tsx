/** The tags of an environment. */
import { useSignal } from "@preact/signals"
import * as Session from "../../session/Session.js"
import type { Environment } from "../../shared/Contract.js"
import { Icon } from "../../shared/Icon.js"
import { RevealedText } from "../../shared/RevealedText.js"
import { ChangeNote, type SettingsTarget, useChange } from "./Change.js"

/** The section. */
export const TagSettings = ({
  target,
  value: { tags }
}: {
  readonly target: SettingsTarget
  readonly value: Environment
}) => {
  const { org, environment } = target
  const change = useChange(target)
  const key = useSignal("")
  const text = useSignal("")
  const mayWrite = Session.may(org, "tag.write")
  const at = { org, resource_type: "environment", resource_id: environment }
  const add = async (event: SubmitEvent) => {
    event.preventDefault()
    const body = { set_tags: Object.fromEntries([[key.value, text.value]]) }
    if (!(await change.run((write) => write("G1", at, body), `The tag ${key.value} is set.`)))
      return
    key.value = ""
    text.value = ""
  }
  const entries = Object.entries(tags).sort(([one], [other]) => (one < other ? -1 : 1))
  return (
    <section class="setting">
      <h2 class="section-title">Tags</h2>
      {entries.length === 0 ? <p class="quiet">No tags.</p> : null}
      <ul class="setting-tags">
        {entries.map(([name, value]) => (
          <li key={name} class="setting-tag">
            <span>
              <RevealedText text={name} />: <RevealedText text={value} />
            </span>
            {mayWrite ? (
              <button
                type="button"
                class="button-icon"
                aria-label={`Remove tag ${name}`}
                onClick={() =>
                  void change.run(
                    (write) => write("G1", at, { remove_tags: [name] }),
                    `The tag ${name} is removed.`
                  )
                }
              >
                <Icon name="close" />
              </button>
            ) : null}
          </li>
        ))}
      </ul>
      {mayWrite ? (
        <form class="setting-form" onSubmit={add}>
          <input
            aria-label="Key"
            placeholder="key"
            required
            value={key.value}
            onInput={({ currentTarget }) => {
              key.value = currentTarget.value
            }}
          />
          <input
            aria-label="Value"
            placeholder="value"
            value={text.value}
            onInput={({ currentTarget }) => {
              text.value = currentTarget.value
            }}
          />
          <button type="submit" class="button" disabled={change.isSending.value}>
            Set tag
          </button>
        </form>
      ) : null}
      <ChangeNote change={change} />
    </section>
  )
}
