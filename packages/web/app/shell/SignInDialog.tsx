/**
 * Asks to sign in again over a page: where its session has ended, or is too old for a change. Providers open in another
 * tab, so that the page keeps its state, and goes on when the other tab is signed in.
 */

import { ProviderButtons } from "../session/ProviderButtons.js"
import * as Session from "../session/Session.js"
import { SignInForm } from "../session/SignInForm.js"
import { Dialog } from "../shared/Dialog.js"

const KEPT = "What you have typed on this page is kept. A provider opens in another tab."

/** WHY no field for an API key: it is no recent sign-in of a person. */
const StepUp = ({ within, end }: NonNullable<typeof Session.waiting.value>) => (
  <Dialog title="Sign in again" onClose={end}>
    <p>
      This change needs a sign-in within the last {Math.round(within / 60)} minutes; it is sent when
      you have signed in. {KEPT}
    </p>
    {/* WHY half: the provider may still know the person, and some of the time must be left for the change. */}
    <ProviderButtons maxAge={Math.floor(within / 2)} />
    <div class="form-actions">
      <button type="button" class="button" onClick={end}>
        Cancel
      </button>
    </div>
  </Dialog>
)

export const SignInDialog = () => {
  const waiting = Session.waiting.value
  if (Session.session.value._tag === "Ended")
    return (
      <Dialog title="Your session has ended">
        <p>Sign in again to go on. {KEPT}</p>
        <ProviderButtons />
        <SignInForm />
      </Dialog>
    )
  return waiting === undefined ? null : <StepUp {...waiting} />
}
