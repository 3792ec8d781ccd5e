/** Asks to sign in again over a page whose session has ended; the page keeps its state. */

import { ProviderButtons } from "../session/ProviderButtons.js"
import * as Session from "../session/Session.js"
import { SignInForm } from "../session/SignInForm.js"
import { Dialog } from "../shared/Dialog.js"
import * as Navigation from "../shared/Navigation.js"

/** WHY: the dialog also opens for changes that need a recent sign-in, of five minutes at the least. */
const ASKED_SECONDS = 300

export const SignInDialog = () =>
  Session.session.value._tag === "Ended" ? (
    <Dialog title="Your session has ended">
      <p>Sign in again to go on. What you have typed on this page is kept.</p>
      <ProviderButtons next={Navigation.route.value} maxAge={ASKED_SECONDS} />
      <SignInForm />
    </Dialog>
  ) : null
