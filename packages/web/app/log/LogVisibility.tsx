/** Who can read the log, and the dialog in which an administrator changes it. */
import { useSignal } from "@preact/signals"
import * as Session from "../session/Session.js"
import { useWrite } from "../session/Writing.js"
import { callOf } from "../shared/Api.js"
import type { Log } from "../shared/Contract.js"
import { FormDialog } from "../shared/FormDialog.js"
import { cache } from "../shared/Query.js"
import { visibilityText } from "./LogText.js"

type Visibility = Log["visibility"]

const Consequences = ({ next }: { readonly next: Visibility }) =>
  next === "public" ? (
    <>
      <p>
        Anyone who reaches this server can then read the checkpoints, hashes, entries and proofs of
        the log without signing in. They see when something was recorded and how much. Contents are
        salted digests there, which do not reveal names or evidence.
      </p>
      <p>
        Receipts and events, which have contents, stay for members. Copies that others made stay
        with them if you make the log private again.
      </p>
    </>
  ) : (
    <p>
      Only members of this org can then read the log. Others, such as witnesses and auditors who
      follow it without an account, are refused. Copies that they made stay valid.
    </p>
  )

export const LogVisibility = ({ org, log }: { readonly org: string; readonly log: Log }) => {
  const write = useWrite()
  const isOpen = useSignal(false)
  const next: Visibility = log.visibility === "public" ? "members" : "public"
  const close = () => {
    isOpen.value = false
  }
  return (
    <section class="block">
      <h2>Who can read it</h2>
      <p>{visibilityText(log.visibility)}</p>
      {Session.may(org, "log.write") ? (
        <p class="below">
          <button
            type="button"
            class="button"
            onClick={() => {
              isOpen.value = true
            }}
          >
            {next === "public" ? "Make it public…" : "Make it private…"}
          </button>
        </p>
      ) : null}
      {isOpen.value ? (
        <FormDialog
          title={next === "public" ? "Make the log public" : "Make the log private"}
          action={next === "public" ? "Make it public" : "Make it private"}
          fields={[]}
          onClose={close}
          onDone={() => {
            cache.invalidate(callOf("log.get", { org }).path)
            close()
          }}
          write={() => write("log.patch", { org }, { visibility: next })}
        >
          {() => (
            <>
              <Consequences next={next} />
              <p class="quiet">The change is an entry of the log.</p>
            </>
          )}
        </FormDialog>
      ) : null}
    </section>
  )
}
