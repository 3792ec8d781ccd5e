/** Asks to sign in again over a page whose session has ended; the page keeps its state. */
import * as Session from "../session/Session.js"
import { SignInForm } from "../session/SignInForm.js"
import { Dialog } from "../shared/Dialog.js"

export const SignInDialog = () =>
  Session.session.value._tag === "Ended" ? (
    <Dialog title="Your session has ended">
      <p>Sign in again to go on. What you have typed on this page is kept.</p>
      <SignInForm />
    </Dialog>
  ) : null
