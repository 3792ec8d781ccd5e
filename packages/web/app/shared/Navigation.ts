/** The current route, and how it changes: by links, the back button and code. */
import * as Route from "@attestry/web/Route"
import { signal } from "@preact/signals"

const baseOfDocument = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name="attestry-base"]')?.content ?? ""

/** The path of the deployment's public URL, without a trailing slash. */
export const base = baseOfDocument()

const current = (): Route.Route => Route.parse(location.pathname + location.search, base)

export const route = signal<Route.Route>(current())

/** Incremented when the page changes, but not for a change of its query. Each change moves the focus to the title. */
export const visits = signal(0)

/** The URL of a route, for links. */
export const hrefOf = (to: Route.Route): string => Route.print(to, base)

export const href = <T extends Route.Tag>(tag: T, params: Route.ParamsOf<T>): string =>
  Route.to(base, tag, params)

const samePage = (a: Route.Route, b: Route.Route): boolean =>
  hrefOf({ ...a, query: [] }) === hrefOf({ ...b, query: [] })

const show = (next: Route.Route): void => {
  const isSame = samePage(route.value, next)
  route.value = next
  if (isSame) return
  visits.value += 1
  scrollTo(0, 0)
}

/** Navigates to a route; `replace` adds no history entry. */
export const go = (to: Route.Route, options: { readonly replace?: boolean } = {}): void => {
  const address = hrefOf(to)
  if (options.replace === true) history.replaceState(null, "", address)
  else history.pushState(null, "", address)
  show(to)
}

/** Changes query parameters of the current page. */
export const setQuery = (
  change: Route.QueryChange,
  options?: { readonly replace?: boolean }
): void => go(Route.withQuery(route.value, change), options)

const linkOf = (event: MouseEvent): HTMLAnchorElement | undefined => {
  const isPlain =
    event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
  if (!isPlain || event.defaultPrevented) return undefined
  const [target] = event.composedPath()
  const link = target instanceof Element ? target.closest("a") : null
  return link === null || link.target !== "" || link.hasAttribute("download") ? undefined : link
}

/** Handles clicks on internal links without reloading the document, and the back button. */
export const start = (): void => {
  addEventListener("popstate", () => show(current()))
  document.addEventListener("click", (event) => {
    const link = linkOf(event)
    if (link === undefined || link.origin !== location.origin) return
    if (link.pathname === location.pathname && link.search === location.search && link.hash !== "")
      return
    const to = Route.parse(link.pathname + link.search, base)
    if (to._tag === "NotFound") return
    event.preventDefault()
    go(to)
  })
}
