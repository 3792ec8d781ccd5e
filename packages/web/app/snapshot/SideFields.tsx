/** The fields for the two sides of a comparison, with suggestions of environments. */
import * as Route from "@attestry/web/Route"
import { useId, useRef } from "preact/hooks"
import * as Navigation from "../shared/Navigation.js"
import { useQuery } from "../shared/Query.js"
import { knownOf } from "../shared/QueryCache.js"

/** Both sides are submitted together. */
export const SideFields = ({
  route,
  swap
}: {
  readonly route: Route.RouteOf<"Diff">
  readonly swap: () => void
}) => {
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const { org } = route.params
  const known = knownOf(useQuery("environment.list", { org, query: { page: 1, per_page: 100 } }))
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (form.current === null) return
    const values = new FormData(form.current)
    const textOf = (name: string) => String(values.get(name) ?? "").trim()
    Navigation.setQuery({ left: textOf("left"), right: textOf("right") })
  }
  const field = (name: "left" | "right", label: string) => (
    <input
      name={name}
      list={`${id}-names`}
      aria-label={label}
      placeholder="environment#12"
      autocomplete="off"
      spellcheck={false}
      defaultValue={Route.parameter(route, name) ?? ""}
    />
  )
  return (
    <form ref={form} class="filters side-fields" onSubmit={submit}>
      {field("left", "Left snapshot")}
      <button type="button" class="button" onClick={swap} title="Swap the sides ( s )">
        ⇄ <span class="visually-hidden">Swap the sides</span>
      </button>
      {field("right", "Right snapshot")}
      <button type="submit" class="button">
        Compare
      </button>
      <datalist id={`${id}-names`}>
        {(known?.value.environments ?? []).map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </form>
  )
}
