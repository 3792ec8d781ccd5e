/** The application: session and route decide which page is shown. */
import * as Route from "@attestry/web/Route"
import { useSignal } from "@preact/signals"
import type { ComponentType } from "preact"
import { useEffect } from "preact/hooks"
import { PAGES, type PageProps } from "./pages.js"
import * as Session from "./session/Session.js"
import { SignInPage } from "./session/SignInPage.js"
import * as ApiProblem from "./shared/ApiProblem.js"
import * as Navigation from "./shared/Navigation.js"
import { Page } from "./shared/Page.js"
import * as Printing from "./shared/Printing.js"
import { ProblemNote } from "./shared/ProblemNote.js"
import { Skeleton } from "./shared/QueryView.js"
import { RevealedText } from "./shared/RevealedText.js"
import { forgetSent } from "./shared/Transport.js"
import { NotFoundPage } from "./shell/NotFoundPage.js"
import * as Recent from "./shell/Recent.js"
import { Shell } from "./shell/Shell.js"

type AnyPage = ComponentType<PageProps>

/** A route with a page of its own. */
type PagedRoute = Exclude<Route.Route, Route.RouteOf<"Home"> | Route.RouteOf<"SignIn">>

/** The code of a page; undefined if it could not be loaded. */
interface LoadedCode {
  readonly tag: string
  readonly Page: AnyPage | undefined
}

/** The page of a route, once it is loaded. */
const LoadedPage = ({ route }: PageProps<PagedRoute>) => {
  const loaded = useSignal<LoadedCode | undefined>(undefined)
  const tag = route._tag
  useEffect(() => {
    let isWanted = true
    const set = (Page: AnyPage | undefined) => {
      if (isWanted) loaded.value = { tag, Page }
    }
    // WHY: a page is stored under the name of the only routes that it is given.
    const load = tag === "NotFound" ? undefined : (PAGES[tag] as () => Promise<AnyPage>)
    load?.().then(set, () => set(undefined))
    return () => {
      isWanted = false
    }
  }, [tag, loaded])
  if (tag === "NotFound") return <NotFoundPage path={route.params.path} />
  const ready = loaded.value
  if (ready?.tag !== tag) return <Skeleton />
  if (ready.Page !== undefined) return <ready.Page route={route} />
  return (
    <Page name="Attestry">
      {/* WHY the whole document: browsers may remember that a module could not be loaded. */}
      <ProblemNote problem={ApiProblem.offline} retry={() => location.reload()} />
    </Page>
  )
}

/** An org that the person does not belong to. */
const NoAccessPage = ({ org }: { readonly org: string }) => (
  <Page name="No access">
    <p>
      <RevealedText text={Session.current()?.actor.name ?? ""} /> has no access to{" "}
      <strong>{org}</strong>.
    </p>
    <p>
      <button type="button" class="button" onClick={Session.close}>
        Sign in with another key
      </button>
    </p>
  </Page>
)

/** The target of `/`: the default org, else the first. */
const homeOf = (
  session: NonNullable<ReturnType<typeof Session.current>>
): Route.Route | undefined => {
  const org = session.default_org ?? session.orgs[0]?.name
  return org === undefined ? undefined : { _tag: "Overview", params: { org }, query: [] }
}

const HomePage = () => {
  const session = Session.current()
  const home = session === undefined ? undefined : homeOf(session)
  useEffect(() => {
    if (home !== undefined) Navigation.go(home, { replace: true })
  })
  return home === undefined ? (
    <Page name="No org yet">
      <p>
        <RevealedText text={session?.actor.name ?? ""} /> belongs to no org. An administrator adds
        you with <code>attestry-server user add</code>.
      </p>
    </Page>
  ) : (
    <Skeleton />
  )
}

/** Leads to the sign-in page, which leads back here. */
const ToSignIn = ({ route }: PageProps) => {
  useEffect(() => {
    const next = route._tag === "Home" ? {} : { next: Route.print(route) }
    Navigation.go(Route.make("SignIn", {}, next), { replace: true })
  }, [route])
  return <Skeleton />
}

/** The application. */
export const App = () => {
  useEffect(() => {
    Printing.start()
    Recent.start()
  }, [])
  const route = Navigation.route.value
  const state = Session.session.value
  const visit = Navigation.visits.value
  useEffect(() => {
    if (visit > 0) forgetSent()
  }, [visit])
  if (route._tag === "SignIn") return <SignInPage />
  if (state._tag === "Unknown") return <Skeleton />
  if (state._tag === "Unreachable")
    return (
      <Shell org={undefined}>
        <Page name="Attestry">
          <ProblemNote problem={state.problem} retry={Session.load} />
        </Page>
      </Shell>
    )
  if (state._tag === "SignedOut") {
    if (route._tag !== "NotFound" && route._tag !== "Preferences") return <ToSignIn route={route} />
    return (
      <Shell org={undefined}>
        <LoadedPage route={route} />
      </Shell>
    )
  }
  const org = Route.orgOf(route) ?? state.session.default_org ?? state.session.orgs[0]?.name
  const isMember = state.session.orgs.some(({ name }) => name === org)
  return (
    <Shell org={isMember ? org : undefined}>
      {route._tag === "Home" ? (
        <HomePage />
      ) : org !== undefined && !isMember ? (
        <NoAccessPage org={org} />
      ) : (
        <LoadedPage route={route} />
      )}
    </Shell>
  )
}
