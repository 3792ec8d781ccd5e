/** The sign-in page; afterwards it returns to the page that the person wanted. */
import * as Route from "@attestry/web/Route"
import type { ComponentChildren } from "preact"
import { useEffect } from "preact/hooks"
import * as Navigation from "../shared/Navigation.js"
import { ProviderButtons } from "./ProviderButtons.js"
import * as Session from "./Session.js"
import { SignInForm } from "./SignInForm.js"

/** The route after signing in. `next` counts only if it is a page of this application. */
export const nextOf = (route: Route.Route): Route.Route => {
  const next = Route.parse(Route.parameter(route, "next") ?? "")
  const isPage = next._tag !== "NotFound" && next._tag !== "SignIn" && next._tag !== "SignedIn"
  return isPage ? next : { _tag: "Home", params: {}, query: [] }
}

/** A page without the places of an org. */
export const SignInCard = ({
  title,
  children
}: {
  readonly title: string
  readonly children: ComponentChildren
}) => (
  <main class="sign-in" id="main">
    <div class="sign-in-card">
      <div class="sign-in-mark" aria-hidden="true" />
      <h1 class="sign-in-title">{title}</h1>
      {children}
    </div>
  </main>
)

export const SignInPage = () => {
  const isSignedIn = Session.session.value._tag === "SignedIn"
  useEffect(() => {
    document.title = "Sign in · Attestry"
  }, [])
  useEffect(() => {
    if (isSignedIn) Navigation.go(nextOf(Navigation.route.value), { replace: true })
  }, [isSignedIn])
  return (
    <SignInCard title={`Sign in to ${location.host}`}>
      <ProviderButtons next={nextOf(Navigation.route.value)} />
      <SignInForm />
    </SignInCard>
  )
}
