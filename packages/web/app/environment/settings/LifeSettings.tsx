/** Renames or archives an environment; both then leave the page. */
import * as Route from "@attestry/web/Route"
import { useSignal } from "@preact/signals"
import { useId } from "preact/hooks"
import { Dialog } from "../../shared/Dialog.js"
import * as Navigation from "../../shared/Navigation.js"
import { RevealedText } from "../../shared/RevealedText.js"
import { ChangeNote, type SettingsTarget, useChange } from "./Change.js"

export const RenameSettings = ({ target }: { readonly target: SettingsTarget }) => {
  const { org, environment } = target
  const id = useId()
  const change = useChange(target)
  const name = useSignal(environment)
  const rename = async (event: SubmitEvent) => {
    event.preventDefault()
    const to = name.value.trim()
    const isDone = await change.run(
      (write) => write("environment.rename", { org, env_name: environment }, { new_name: to }),
      "Renamed."
    )
    if (isDone && to !== environment)
      Navigation.go(Route.make("EnvironmentSettings", { org, environment: to }), { replace: true })
  }
  return (
    <section class="setting">
      <h2 class="part-title">Name</h2>
      <p class="quiet">The old name leads here until another environment takes it.</p>
      <form class="setting-form" onSubmit={rename}>
        <label class="visually-hidden" for={`${id}-name`}>
          Name
        </label>
        <input
          id={`${id}-name`}
          required
          spellcheck={false}
          value={name.value}
          onInput={({ currentTarget }) => {
            name.value = currentTarget.value
          }}
        />
        <button
          type="submit"
          class="button"
          disabled={change.isSending.value || name.value.trim() === environment}
        >
          Rename
        </button>
      </form>
      <ChangeNote change={change} />
    </section>
  )
}

/** Archives the environment after a confirmation. */
export const ArchiveSettings = ({ target }: { readonly target: SettingsTarget }) => {
  const { org, environment } = target
  const change = useChange(target)
  const isAsking = useSignal(false)
  const archive = async () => {
    const isDone = await change.run(
      (write) => write("environment.archive", { org, env_name: environment }),
      "Archived."
    )
    if (isDone) Navigation.go(Route.make("Overview", { org }))
  }
  return (
    <section class="setting">
      <h2 class="part-title">Archive</h2>
      <p class="quiet">Its snapshots are kept. Its name becomes free for another environment.</p>
      <button
        type="button"
        class="button"
        onClick={() => {
          isAsking.value = true
        }}
      >
        Archive…
      </button>
      {isAsking.value ? (
        <Dialog
          title="Archive this environment"
          onClose={() => {
            isAsking.value = false
          }}
        >
          <p>
            <RevealedText text={environment} /> takes no more reports and leaves the overview. This
            cannot be undone.
          </p>
          <ChangeNote change={change} />
          <div class="form-actions">
            <button
              type="button"
              class="button"
              onClick={() => {
                isAsking.value = false
              }}
            >
              Keep it
            </button>
            <button
              type="button"
              class="button button-main"
              disabled={change.isSending.value}
              onClick={() => void archive()}
            >
              Archive <RevealedText text={environment} />
            </button>
          </div>
        </Dialog>
      ) : null}
    </section>
  )
}
