/** How often an environment must report, and what a missed report means. */
import { type Signal, useSignal } from "@preact/signals"
import { useId } from "preact/hooks"
import * as Session from "../../session/Session.js"
import type { Environment } from "../../shared/Contract.js"
import { Timestamp } from "../../shared/Timestamp.js"
import * as CadenceField from "./CadenceField.js"
import { ChangeNote, type SettingsTarget, useChange } from "./Change.js"

interface CadenceProps {
  readonly target: SettingsTarget
  readonly value: Environment
}

const EFFECTS = [
  ["warn", "silent"],
  ["non_compliant", "silent and not compliant"]
] as const

const Silent = ({ value: { silent_since } }: Pick<CadenceProps, "value">) =>
  silent_since === null ? null : (
    <p class="stale">
      Silent since <Timestamp seconds={silent_since} />.
    </p>
  )

const ShownCadence = ({ value }: Pick<CadenceProps, "value">) => (
  <p>
    {value.report_every === null
      ? "No report is expected at a time."
      : `Reports at least every ${CadenceField.textOf(value.report_every)}; otherwise it is ${
          EFFECTS.find(([word]) => word === value.when_silent)?.[1] ?? value.when_silent
        }.`}
  </p>
)

/** A count and a unit; an empty count is no cadence. */
const EveryField = ({
  id,
  field
}: {
  readonly id: string
  readonly field: Signal<CadenceField.CadenceField>
}) => (
  <div class="field">
    <label for={id}>Reports at least every</label>
    <span class="cadence">
      <input
        id={id}
        type="number"
        min="1"
        placeholder="–"
        value={field.value.count}
        onInput={({ currentTarget }) => {
          field.value = { ...field.value, count: currentTarget.value }
        }}
      />
      <select
        aria-label="Unit"
        value={field.value.unit}
        onChange={({ currentTarget }) => {
          const unit = CadenceField.UNITS.find(({ name }) => name === currentTarget.value)
          if (unit !== undefined) field.value = { ...field.value, unit: unit.name }
        }}
      >
        {CadenceField.UNITS.map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </span>
  </div>
)

/** The cadence and the effect of silence. */
const CadenceForm = ({ target, value }: CadenceProps) => {
  const { org, environment } = target
  const id = useId()
  const change = useChange(target)
  const field = useSignal(CadenceField.fromSeconds(value.report_every))
  const effect = useSignal(value.when_silent)
  const save = async (event: SubmitEvent) => {
    event.preventDefault()
    await change.run(
      (write) =>
        write(
          "environment.patch",
          { org, env_name: environment },
          { report_every: CadenceField.toSeconds(field.value), when_silent: effect.value }
        ),
      "Saved."
    )
  }
  return (
    <form class="form" onSubmit={save}>
      <EveryField id={`${id}-count`} field={field} />
      <div class="field">
        <label for={`${id}-effect`}>Without a report in time it is</label>
        <select
          id={`${id}-effect`}
          value={effect.value}
          onChange={({ currentTarget }) => {
            effect.value = currentTarget.value === "non_compliant" ? "non_compliant" : "warn"
          }}
        >
          {EFFECTS.map(([word, text]) => (
            <option key={word} value={word}>
              {text}
            </option>
          ))}
        </select>
      </div>
      <div class="setting-actions">
        <button type="submit" class="button" disabled={change.isSending.value}>
          Save cadence
        </button>
        <span class="quiet">One minute to 30 days; empty for no cadence.</span>
        <ChangeNote change={change} />
      </div>
    </form>
  )
}

/** The cadence of a physical environment. */
export const CadenceSettings = ({ target, value }: CadenceProps) => (
  <section class="setting">
    <h2 class="part-title">Cadence</h2>
    <Silent value={value} />
    {Session.may(target.org, "environment.write") ? (
      <CadenceForm target={target} value={value} />
    ) : (
      <ShownCadence value={value} />
    )}
  </section>
)
