/** The description and the scaling option of an environment, and the members of a logical one. */
import { useSignal } from "@preact/signals"
import { useId } from "preact/hooks"
import * as Session from "../../session/Session.js"
import type { Environment } from "../../shared/Contract.js"
import { useQuery } from "../../shared/Query.js"
import { knownOf } from "../../shared/QueryCache.js"
import { RevealedText } from "../../shared/RevealedText.js"
import { ChangeNote, type SettingsTarget, useChange } from "./Change.js"

interface SectionProps {
  readonly target: SettingsTarget
  readonly value: Environment
}

/** The description, and whether a change of instance counts alone creates a snapshot. */
export const GeneralSettings = ({ target, value }: SectionProps) => {
  const { org, environment } = target
  const id = useId()
  const change = useChange(target)
  const description = useSignal(value.description)
  const scaling = useSignal(value.include_scaling)
  if (!Session.may(org, "environment.write"))
    return (
      <section class="setting">
        <h2 class="part-title">General</h2>
        <p>
          {value.description === "" ? "No description." : <RevealedText text={value.description} />}
        </p>
        <p class="quiet">
          {value.include_scaling
            ? "A change of instance counts alone makes a snapshot."
            : "A change of instance counts alone makes no snapshot."}
        </p>
      </section>
    )
  const save = async (event: SubmitEvent) => {
    event.preventDefault()
    await change.run(
      (write) =>
        write(
          "environment.patch",
          { org, env_name: environment },
          { description: description.value, include_scaling: scaling.value }
        ),
      "Saved."
    )
  }
  return (
    <section class="setting">
      <h2 class="part-title">General</h2>
      <form class="form" onSubmit={save}>
        <div class="field">
          <label for={`${id}-description`}>Description</label>
          <input
            id={`${id}-description`}
            value={description.value}
            onInput={({ currentTarget }) => {
              description.value = currentTarget.value
            }}
          />
        </div>
        <label class="setting-check">
          <input
            type="checkbox"
            checked={scaling.value}
            onChange={({ currentTarget }) => {
              scaling.value = currentTarget.checked
            }}
          />
          A change of instance counts alone makes a snapshot
        </label>
        <div class="setting-actions">
          <button type="submit" class="button" disabled={change.isSending.value}>
            Save
          </button>
          <ChangeNote change={change} />
        </div>
      </form>
    </section>
  )
}

export const MemberSettings = ({ target, value }: SectionProps) => {
  const { org, environment } = target
  const change = useChange(target)
  const known = knownOf(useQuery("environment.list", { org, query: { page: 1, per_page: 100 } }))
  const stored: ReadonlyArray<string> = value.included_environments ?? []
  const draft = useSignal<ReadonlyArray<string> | undefined>(undefined)
  const members = draft.value ?? stored
  const mayWrite = Session.may(org, "environment.write")
  const physical = (known?.value.environments ?? [])
    .filter(({ type }) => type !== "logical")
    .map(({ name }): string => name)
  const names = [...new Set([...stored, ...physical])].sort()
  const save = async (event: SubmitEvent) => {
    event.preventDefault()
    const isDone = await change.run(
      (write) =>
        write(
          "environment.patch",
          { org, env_name: environment },
          { included_environments: members }
        ),
      "Saved. A snapshot of the members was made at once."
    )
    if (isDone) draft.value = undefined
  }
  return (
    <section class="setting">
      <h2 class="part-title">Members</h2>
      <form onSubmit={save}>
        <ul class="setting-members">
          {names.map((name) => (
            <li key={name}>
              <label class="setting-check">
                <input
                  type="checkbox"
                  checked={members.includes(name)}
                  disabled={!mayWrite}
                  onChange={({ currentTarget }) => {
                    draft.value = currentTarget.checked
                      ? [...members, name]
                      : members.filter((each) => each !== name)
                  }}
                />
                <RevealedText text={name} />
              </label>
            </li>
          ))}
        </ul>
        {mayWrite ? (
          <div class="setting-actions">
            <button type="submit" class="button" disabled={change.isSending.value}>
              Save members
            </button>
            <span class="quiet">Makes a snapshot of the members at once.</span>
            <ChangeNote change={change} />
          </div>
        ) : null}
      </form>
    </section>
  )
}
