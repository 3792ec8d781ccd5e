/** The tags of an environment. */

import { useSignal } from "@preact/signals"
import * as Session from "../../session/Session.js"
import type { Environment } from "../../shared/Contract.js"
import { Icon } from "../../shared/Icon.js"
import * as Reveal from "../../shared/Reveal.js"
import { RevealedText } from "../../shared/RevealedText.js"
import { type Change, ChangeNote, type SettingsTarget, useChange } from "./Change.js"

const placeOf = ({ org, environment }: SettingsTarget) => ({
  org,
  resource_type: "environment",
  resource_id: environment
})

const TagForm = ({
  target,
  change
}: {
  readonly target: SettingsTarget
  readonly change: Change
}) => {
  const key = useSignal("")
  const text = useSignal("")
  const add = async (event: SubmitEvent) => {
    event.preventDefault()
    const body = { set_tags: Object.fromEntries([[key.value, text.value]]) }
    const isDone = await change.run(
      (write) => write("tag.change", placeOf(target), body),
      `The tag ${key.value} is set.`
    )
    if (!isDone) return
    key.value = ""
    text.value = ""
  }
  return (
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
  )
}

export const TagSettings = ({
  target,
  value: { tags }
}: {
  readonly target: SettingsTarget
  readonly value: Environment
}) => {
  const change = useChange(target)
  const mayWrite = Session.may(target.org, "tag.write")
  const remove = (name: string) =>
    change.run(
      (write) => write("tag.change", placeOf(target), { remove_tags: [name] }),
      `The tag ${name} is removed.`
    )
  const entries = Object.entries(tags).sort(([one], [other]) => (one < other ? -1 : 1))
  return (
    <section class="setting">
      <h2 class="part-title">Tags</h2>
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
                aria-label={`Remove tag ${Reveal.plain(name)}`}
                onClick={() => void remove(name)}
              >
                <Icon name="close" />
              </button>
            ) : null}
          </li>
        ))}
      </ul>
      {mayWrite ? <TagForm target={target} change={change} /> : null}
      <ChangeNote change={change} />
    </section>
  )
}
