/** Offers to propose a write that was held back. */
import { type HeldRequest, proposing } from "./HeldRequest.js"

/** Renders nothing for other problems. */
export const ProposeButton = ({ held }: { readonly held: HeldRequest | undefined }) =>
  held === undefined ? null : (
    <p>
      <button
        type="button"
        class="button"
        onClick={() => {
          proposing.value = held
        }}
      >
        Propose it…
      </button>
    </p>
  )
