/**
 * The secret that signs webhooks: revealed for a minute on demand, and rotated.
 *
 * The button fetches it, so no cache has it; hiding it drops it.
 */
import type * as Route from "@attestry/web/Route"
import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import type { PageProps } from "../pages.js"
import * as Session from "../session/Session.js"
import { useWrite } from "../session/Writing.js"
import { callOf } from "../shared/Api.js"
import type { ApiProblem } from "../shared/ApiProblem.js"
import type { SigningSecret } from "../shared/Contract.js"
import { CopyButton } from "../shared/CopyButton.js"
import { FormDialog } from "../shared/FormDialog.js"
import { Page } from "../shared/Page.js"
import { ProblemNote } from "../shared/ProblemNote.js"
import { Timestamp } from "../shared/Timestamp.js"
import { send } from "../shared/Transport.js"
import { NotificationTabs } from "./NotificationTabs.js"

const SHOWN_SECONDS = 60

const Shown = ({
  secret,
  onHide
}: {
  readonly secret: SigningSecret
  readonly onHide: () => void
}) => {
  const left = useSignal(SHOWN_SECONDS)
  useEffect(() => {
    const timer = setInterval(() => {
      left.value -= 1
      if (left.value <= 0) onHide()
    }, 1_000)
    return () => clearInterval(timer)
  }, [left, onHide])
  return (
    <>
      <div class="secret">
        <code>{secret.secret}</code>
        <CopyButton text={secret.secret} what="secret" />
      </div>
      {secret.previous_secret_expires_at === null ? null : (
        <p>
          The one before signs too until <Timestamp seconds={secret.previous_secret_expires_at} />.
        </p>
      )}
      <p class="row-actions">
        <button type="button" class="button" onClick={onHide}>
          Hide
        </button>
        <span class="quiet">hidden again in {left.value} s</span>
      </p>
    </>
  )
}

const Rotate = ({
  org,
  onDone,
  onClose
}: {
  readonly org: string
  readonly onDone: (secret: SigningSecret) => void
  readonly onClose: () => void
}) => {
  const write = useWrite()
  return (
    <FormDialog
      title="Rotate the signing secret"
      action="Rotate"
      fields={[]}
      onClose={onClose}
      onDone={onDone}
      write={() => write("notificationConfig.rotateSecret", { org })}
    >
      {() => (
        <p>
          A new secret signs from now on, and the old one beside it for a while, so that receivers
          can be changed one after another. Receivers that know only the old one refuse messages
          after that time.
        </p>
      )}
    </FormDialog>
  )
}

const Secret = ({ org }: { readonly org: string }) => {
  const secret = useSignal<SigningSecret | undefined>(undefined)
  const problem = useSignal<ApiProblem | undefined>(undefined)
  const isRotating = useSignal(false)
  const show = async () => {
    const outcome = await send(callOf("notificationConfig.secret", { org }))
    problem.value = outcome._tag === "Refused" ? outcome.problem : undefined
    // WHY: the contract types the answer of this operation.
    if (outcome._tag === "Answered") secret.value = outcome.value as SigningSecret
  }
  const hide = () => {
    secret.value = undefined
  }
  return (
    <>
      <p class="lead">
        Webhooks carry a signature, so that a receiver knows that they come from here. The receiver
        computes it with this secret.
      </p>
      {problem.value === undefined ? null : <ProblemNote problem={problem.value} retry={show} />}
      {secret.value === undefined ? (
        <p class="row-actions">
          <button type="button" class="button" onClick={show}>
            Show the secret
          </button>
          <button
            type="button"
            class="button"
            onClick={() => {
              isRotating.value = true
            }}
          >
            Rotate…
          </button>
        </p>
      ) : (
        <Shown secret={secret.value} onHide={hide} />
      )}
      {isRotating.value ? (
        <Rotate
          org={org}
          onClose={() => {
            isRotating.value = false
          }}
          onDone={(made) => {
            isRotating.value = false
            secret.value = made
          }}
        />
      ) : null}
    </>
  )
}

export const SigningSecretPage = ({ route }: PageProps<Route.RouteOf<"SigningSecret">>) => {
  const { org } = route.params
  return (
    <Page name="Signing secret" org={org}>
      <NotificationTabs org={org} current="SigningSecret" />
      {Session.may(org, "notification-config.write") ? (
        <Secret org={org} />
      ) : (
        <p>The signing secret is for administrators of the org.</p>
      )}
    </Page>
  )
}
