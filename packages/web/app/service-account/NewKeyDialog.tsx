/** Shows a new key once. The dialog cannot be closed by accident, and no state has the key afterwards. */
import { useSignal } from "@preact/signals"
import { CopyButton } from "../shared/CopyButton.js"
import { Dialog } from "../shared/Dialog.js"
import { Timestamp } from "../shared/Timestamp.js"

/** A key with its secret, and when the replaced key stops working. */
export interface NewKey {
  readonly key: string
  readonly expires_at: number | null
  readonly grace_period_expires_at?: number
}

/** `onStored` drops the key from the state. */
export const NewKeyDialog = ({
  made,
  onStored
}: {
  readonly made: NewKey
  readonly onStored: () => void
}) => {
  const isSure = useSignal(false)
  return (
    <Dialog title="The new key">
      <p>It is shown this once. Copy it to where it is used before you close this.</p>
      <div class="secret">
        <code>{made.key}</code>
        <CopyButton text={made.key} what="key" />
      </div>
      <p class="quiet">
        {made.expires_at === null || made.expires_at === 0 ? (
          "It does not end."
        ) : (
          <>
            It ends <Timestamp seconds={made.expires_at} />.
          </>
        )}
        {made.grace_period_expires_at === undefined ? null : (
          <>
            {" "}
            The old key ends <Timestamp seconds={made.grace_period_expires_at} />.
          </>
        )}
      </p>
      <label class="radio">
        <input
          type="checkbox"
          checked={isSure.value}
          onChange={({ currentTarget }) => {
            isSure.value = currentTarget.checked
          }}
        />
        I have stored it
      </label>
      <div class="form-actions">
        <button
          type="button"
          class="button button-main"
          disabled={!isSure.value}
          onClick={onStored}
        >
          Close
        </button>
      </div>
    </Dialog>
  )
}
