/**
 * Where a provider sends the browser after a sign-in: it lets other tabs know, and goes on to the page that the person
 * wanted. Without one another tab waits, and this one can be closed.
 */
import * as Route from "@attestry/web/Route"
import { useEffect } from "preact/hooks"
import * as Navigation from "../shared/Navigation.js"
import * as Session from "./Session.js"
import { nextOf, SignInCard } from "./SignInPage.js"

const SIGN_IN: Route.Route = { _tag: "SignIn", params: {}, query: [] }

export const SignedInPage = () => {
  const { _tag } = Session.session.value
  const isSignedIn = _tag === "SignedIn"
  const isAwaited = Route.parameter(Navigation.route.value, "next") === undefined
  useEffect(() => {
    document.title = "Signed in · Attestry"
  }, [])
  useEffect(() => {
    if (isSignedIn) Session.announce()
    const next = isSignedIn ? nextOf(Navigation.route.value) : SIGN_IN
    if (_tag === "SignedOut" || (isSignedIn && !isAwaited)) Navigation.go(next, { replace: true })
  }, [_tag, isSignedIn, isAwaited])
  return isSignedIn && isAwaited ? (
    <SignInCard title="You are signed in">
      <p role="status">Go back to the tab where you were: it goes on by itself. Close this one.</p>
    </SignInCard>
  ) : null
}
