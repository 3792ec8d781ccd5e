/** Selects the target that a draft is tried on; the URL has the selection. */
import { useSignal } from "@preact/signals"
import type { Environment } from "../shared/Contract.js"
import * as Navigation from "../shared/Navigation.js"
import { LATEST, print, type TryTarget } from "./TryTarget.js"

const tryOn = (target: TryTarget) =>
  Navigation.setQuery({ try: print(target), cell: undefined, row: undefined }, { replace: true })

const SnapshotChoice = ({
  environments,
  target
}: {
  readonly environments: ReadonlyArray<Environment>
  readonly target: Extract<TryTarget, { readonly _tag: "Snapshot" }> | undefined
}) => (
  <>
    <label class="inline-field">
      environment
      <select
        value={target?.environment ?? ""}
        onChange={({ currentTarget: { value } }) =>
          tryOn({ _tag: "Snapshot", environment: value, expression: LATEST })
        }
      >
        {target === undefined ? <option value="">choose one</option> : null}
        {environments.map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
    <label class="inline-field">
      snapshot
      <input
        class="short-field"
        value={target?.expression ?? LATEST}
        title="A number, ~N behind the latest, or @{2026-11-16T03:00:00}"
        onChange={({ currentTarget: { value } }) =>
          target === undefined
            ? undefined
            : tryOn({ ...target, expression: value.trim() === "" ? LATEST : value.trim() })
        }
      />
    </label>
  </>
)

const ArtifactChoice = ({ fingerprint }: { readonly fingerprint: string }) => {
  const problem = useSignal(false)
  return (
    <label class="inline-field">
      fingerprint
      <input
        class="wide-field"
        value={fingerprint}
        aria-invalid={problem.value}
        placeholder="64 hexadecimal characters"
        onChange={({ currentTarget: { value } }) => {
          const given = value.trim()
          problem.value = !/^[0-9a-f]{64}$/.test(given)
          if (!problem.value) tryOn({ _tag: "Artifact", fingerprint: given })
        }}
      />
    </label>
  )
}

export const TryChoice = ({
  environments,
  target
}: {
  readonly environments: ReadonlyArray<Environment>
  readonly target: TryTarget | undefined
}) => {
  const isArtifact = useSignal(target?._tag === "Artifact")
  return (
    <div class="try-choice">
      <fieldset class="segments">
        <legend class="visually-hidden">Try it on</legend>
        <label>
          <input
            type="radio"
            name="try"
            checked={!isArtifact.value}
            onChange={() => {
              isArtifact.value = false
            }}
          />
          what runs
        </label>
        <label>
          <input
            type="radio"
            name="try"
            checked={isArtifact.value}
            onChange={() => {
              isArtifact.value = true
            }}
          />
          one artifact
        </label>
      </fieldset>
      {isArtifact.value ? (
        <ArtifactChoice fingerprint={target?._tag === "Artifact" ? target.fingerprint : ""} />
      ) : (
        <SnapshotChoice
          environments={environments}
          target={target?._tag === "Snapshot" ? target : undefined}
        />
      )}
    </div>
  )
}
