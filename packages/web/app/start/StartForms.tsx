/** The forms of the first-run page: flow, environment and policy. */
import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useId } from "preact/hooks"
import { useWrite } from "../session/Writing.js"
import * as FormErrors from "../shared/FormErrors.js"
import * as ProductName from "../shared/ProductName.js"
import { cache } from "../shared/Query.js"
import { RevealedText } from "../shared/RevealedText.js"
import { EXAMPLE, KNOWN_BUILDS } from "./Commands.js"

/** Sends the write of a step; returns the error message if it fails. */
type Send = (name: string, kind: string) => Promise<string | undefined>

const KINDS = ["server", "docker", "K8S"]

const refresh = (org: string) => {
  for (const list of ["flows", "environments", "policies"])
    cache.invalidate(`/api/v2/${list}/${org}`)
}

/** A form with one field. */
const StepForm = ({
  send,
  button,
  children
}: {
  readonly send: () => Promise<string | undefined>
  readonly button: string
  readonly children?: ComponentChildren
}) => {
  const problem = useSignal<string | undefined>(undefined)
  const isSending = useSignal(false)
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (isSending.value) return
    isSending.value = true
    problem.value = await send()
    isSending.value = false
  }
  return (
    <form class="start-step-form" onSubmit={submit}>
      {children}
      <button type="submit" class="button" disabled={isSending.value}>
        {button}
      </button>
      <p class="field-problem" role="alert">
        {problem.value === undefined ? null : <RevealedText text={problem.value} />}
      </p>
    </form>
  )
}

const NamedForm = ({
  what,
  example,
  kinds,
  send
}: {
  readonly what: string
  readonly example: string
  readonly kinds?: ReadonlyArray<string>
  readonly send: Send
}) => {
  const id = useId()
  const name = useSignal<string>(example)
  const kind = useSignal<string>(EXAMPLE.kind)
  return (
    <StepForm send={() => send(name.value.trim(), kind.value)} button={`Create ${what}`}>
      <label for={`${id}-name`}>Name</label>
      <input
        id={`${id}-name`}
        value={name.value}
        required
        spellcheck={false}
        autocomplete="off"
        onInput={({ currentTarget }) => {
          name.value = currentTarget.value
        }}
      />
      {kinds === undefined ? null : (
        <>
          <label for={`${id}-kind`}>Kind</label>
          <select
            id={`${id}-kind`}
            value={kind.value}
            onChange={({ currentTarget }) => {
              kind.value = currentTarget.value
            }}
          >
            {kinds.map((each) => (
              <option key={each} value={each}>
                {ProductName.ofKind(each)}
              </option>
            ))}
          </select>
        </>
      )}
    </StepForm>
  )
}

const messageOf = (
  written: Awaited<ReturnType<ReturnType<typeof useWrite>>>
): string | undefined => {
  if (written._tag === "Done") return undefined
  const { byField, others } = FormErrors.make(written.problem, ["name"])
  return [...byField.values(), ...others].join("; ")
}

export const FlowForm = ({ org }: { readonly org: string }) => {
  const write = useWrite()
  return (
    <NamedForm
      what="flow"
      example={EXAMPLE.flow}
      send={async (name) => {
        const refused = messageOf(
          await write("flow.putWithTemplate", { org }, { name, description: "" })
        )
        refresh(org)
        return refused
      }}
    />
  )
}

export const EnvironmentForm = ({ org }: { readonly org: string }) => {
  const write = useWrite()
  return (
    <NamedForm
      what="environment"
      example={EXAMPLE.environment}
      kinds={KINDS}
      send={async (name, type) => {
        const refused = messageOf(await write("environment.put", { org }, { name, type }))
        refresh(org)
        return refused
      }}
    />
  )
}

/** Saves the suggested policy and attaches it. */
export const PolicyForm = ({
  org,
  environment
}: {
  readonly org: string
  readonly environment: string
}) => {
  const save = useWrite()
  const attach = useWrite()
  return (
    <StepForm
      button={`Use “${KNOWN_BUILDS.name}”`}
      send={async () => {
        const { name, policy_yaml } = KNOWN_BUILDS
        const refused =
          messageOf(await save("policy.put", { org, name }, { policy_yaml })) ??
          messageOf(
            await attach(
              "environment.attach",
              { org, env_name: environment },
              { policy_names: [name] }
            )
          )
        refresh(org)
        return refused
      }}
    >
      <span class="quiet">Every running artifact must be reported to a flow.</span>
    </StepForm>
  )
}
