/** The application: session and route decide which page is shown. */
import * as Route from "@attestry/web/Route"
import { useSignal } from "@preact/signals"
import type { ComponentType } from "preact"
import { useEffect } from "preact/hooks"
import { PAGES, type PageProps } from "./pages.js"
import { ProviderButtons } from "./session/ProviderButtons.js"
import * as Session from "./session/Session.js"
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

/** A route whose page `PAGES` loads. */
type PagedRoute = Exclude<Route.Route, Route.RouteOf<"Home">>

/** A page's component; undefined if its code could not be loaded. */
interface LoadedCode {
  readonly tag: string
  readonly Page: AnyPage | undefined
}

/** Renders the page of a route once its code is loaded. */
const LoadedPage = ({ route }: PageProps<PagedRoute>) => {
  const loaded = useSignal<LoadedCode | undefined>(undefined)
  const tag = route._tag
  useEffect(() => {
    let isWanted = true
    const set = (Page: AnyPage | undefined) => {
      if (isWanted) loaded.value = { tag, Page }
    }
    // WHY: `PAGES` is keyed by route name, so a page only ever gets routes of that name.
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
      {/* WHY reload the document: browsers may cache that a module failed to load. */}
      <ProblemNote problem={ApiProblem.offline} retry={() => location.reload()} />
    </Page>
  )
}

/** Shown for an org that the person is not a member of. */
const NoAccessPage = ({ org }: { readonly org: string }) => {
  const elsewhere = Session.current()?.uncounted?.find(({ name }) => name === org)
  return elsewhere === undefined ? (
    <NotAMemberPage org={org} />
  ) : (
    <Page name="Sign in again">
      <p>
        This session does not count in <strong>{org}</strong>: the org accepts other sign-ins.
      </p>
      <ProviderButtons next={Navigation.route.value} only={elsewhere.sign_in} />
    </Page>
  )
}

const NotAMemberPage = ({ org }: { readonly org: string }) => (
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

/** The org that `/` redirects to: the default org, else the first. */
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
        <RevealedText text={session?.actor.name ?? ""} /> belongs to no org. An administrator of an
        org invites you.
      </p>
    </Page>
  ) : (
    <Skeleton />
  )
}

/** Redirects to the sign-in page, which returns here afterwards. */
const ToSignIn = ({ route }: PageProps) => {
  useEffect(() => {
    const next = route._tag === "Home" ? {} : { next: Route.print(route) }
    Navigation.go(Route.make("SignIn", {}, next), { replace: true })
  }, [route])
  return <Skeleton />
}

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
  if (route._tag === "SignIn" || route._tag === "SignedIn") return <LoadedPage route={route} />
  if (state._tag === "Unknown") return <Skeleton />
  if (route._tag === "Invitation") return <LoadedPage route={route} />
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
    // WHY a key: what one person has typed is not shown to the next.
    <Shell key={state.session.actor.id} org={isMember ? org : undefined}>
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
