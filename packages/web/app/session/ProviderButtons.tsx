/**
 * A button for each provider with which people sign in. It leaves the application: the provider sends the browser back
 * to a page that lets other tabs know, and goes on.
 */
import * as Route from "@attestry/web/Route"
import * as Navigation from "../shared/Navigation.js"
import { useQuery } from "../shared/Query.js"
import { knownOf } from "../shared/QueryCache.js"

interface Way {
  /** The page to return to. */
  readonly next: string
  /** How many seconds ago the provider may have asked the person; absent does not ask. */
  readonly maxAge?: number
}

/** The address at which a browser begins to sign in. */
export const addressOf = (base: string, path: string, { next, maxAge }: Way): string => {
  const query = new URLSearchParams({ next })
  if (maxAge !== undefined) query.set("max_age", String(maxAge))
  return `${base}${path}?${query}`
}

/** Without providers nothing is shown. */
export const ProviderButtons = ({
  next,
  only,
  maxAge
}: {
  /** The page to return to; absent stays on this one, and signs in in another tab. */
  readonly next?: Route.Route
  /** The ids of the providers that count here; absent shows all. */
  readonly only?: ReadonlyArray<string>
  readonly maxAge?: number
}) => {
  const state = useQuery("signIn.providers", {})
  const all = knownOf(state)?.value.providers ?? []
  const shown = all.filter(({ id }) => only === undefined || only.includes(id))
  if (shown.length === 0) return null
  const arrival = next === undefined ? {} : { next: Route.print(next) }
  const way = {
    next: Route.print(Route.make("SignedIn", {}, arrival)),
    ...(maxAge === undefined ? {} : { maxAge })
  }
  return (
    <p class="provider-buttons">
      {shown.map(({ id, label, path }) => (
        // WHY a target: the application does not handle this path itself.
        <a
          key={id}
          class="button button-main"
          target={next === undefined ? "_blank" : "_self"}
          href={addressOf(Navigation.base, path, way)}
        >
          {label}
        </a>
      ))}
    </p>
  )
}
