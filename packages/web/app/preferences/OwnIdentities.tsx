/** The identities with which a person signs in, and buttons that link and unlink them. */
import * as Route from "@attestry/web/Route"
import { useSignal } from "@preact/signals"
import { useWrite } from "../session/Writing.js"
import { callOf } from "../shared/Api.js"
import { cache, useQuery } from "../shared/Query.js"
import { knownOf } from "../shared/QueryCache.js"
import { Timestamp } from "../shared/Timestamp.js"

/** Nothing is shown where the deployment has no provider. */
export const OwnIdentities = () => {
  const write = useWrite()
  const problem = useSignal("")
  const { providers = [] } = knownOf(useQuery("signIn.providers", {}))?.value ?? {}
  const { identities = [] } = knownOf(useQuery("signIn.identities", {}))?.value ?? {}
  if (providers.length === 0) return null
  const link = async (provider: string) => {
    const next = Route.print(Route.make("Preferences", {}, {}))
    const written = await write("signIn.link", { provider }, { next })
    problem.value = written._tag === "Refused" ? written.problem.message : ""
    if (written._tag === "Done") location.assign(written.value.location)
  }
  const unlink = async (provider: string) => {
    const written = await write("signIn.unlink", { provider })
    problem.value = written._tag === "Refused" ? written.problem.message : ""
    if (written._tag === "Done") cache.invalidate(callOf("signIn.identities", {}).path)
  }
  return (
    <fieldset class="choice">
      <legend>Identities that you sign in with</legend>
      <p class="field-hint">
        An identity is linked within five minutes after you have signed in with an API key.
      </p>
      <ul class="plain-list">
        {providers.map(({ id, label }) => {
          const own = identities.find(({ provider }) => provider === id)
          return (
            <li key={id}>
              {label}
              {own === undefined ? null : (
                <>
                  : <code>{own.subject}</code>, linked <Timestamp seconds={own.linked_at} />
                </>
              )}{" "}
              <button
                type="button"
                class="button"
                onClick={() => void (own === undefined ? link(id) : unlink(id))}
              >
                {own === undefined ? "Link" : "Unlink"}
              </button>
            </li>
          )
        })}
      </ul>
      <p class="field-problem" role="alert">
        {problem.value}
      </p>
    </fieldset>
  )
}
