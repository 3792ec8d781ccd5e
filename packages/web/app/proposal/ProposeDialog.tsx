/** Asks why a change should be made that was held back, and proposes it. */
import { isProposable } from "@attestry/core/ProposableOperation"
import * as Route from "@attestry/web/Route"
import { useSignal } from "@preact/signals"
import { useWrite } from "../session/Writing.js"
import { Dialog } from "../shared/Dialog.js"
import { FormDialog } from "../shared/FormDialog.js"
import { type HeldRequest, proposing } from "../shared/HeldRequest.js"
import * as Navigation from "../shared/Navigation.js"
import { LinesField } from "../waiver/WaiverActions.js"
import { renewProposals } from "./ProposalParts.js"

const close = (): void => {
  proposing.value = undefined
}

const Form = ({ held }: { readonly held: HeldRequest }) => {
  const write = useWrite()
  const reason = useSignal("")
  const { org = "", ...params } = held.params
  return (
    <FormDialog
      title="Propose this change"
      action="Propose"
      fields={["reason"]}
      write={() =>
        write(
          "proposal.make",
          { org },
          {
            operation: held.operation,
            params,
            ...(held.body === undefined ? {} : { body: held.body }),
            reason: reason.value.trim()
          }
        )
      }
      onDone={({ number }) => {
        close()
        renewProposals(org)
        Navigation.go(Route.make("Proposal", { org, number: String(number) }))
      }}
      onClose={close}
    >
      {(problemOf) => (
        <>
          <p>It is made, in your name, once enough other people have approved it.</p>
          <LinesField label="Reason" problem={problemOf("reason")} text={reason} />
        </>
      )}
    </FormDialog>
  )
}

export const ProposeDialog = ({ held }: { readonly held: HeldRequest }) =>
  isProposable(held.operation) ? (
    <Form held={held} />
  ) : (
    <Dialog title="This cannot be proposed" onClose={close}>
      <p>
        Its answer is a secret, which nobody would get. Choose another way: add a person who has an
        account here as a member, or give a key an end.
      </p>
      <div class="form-actions">
        <button type="button" class="button" onClick={close}>
          Close
        </button>
      </div>
    </Dialog>
  )
