/** A fingerprint or a commit: its first characters, the whole in the tooltip and by the copy button. */
import { CopyButton } from "./CopyButton.js"
import * as Shorten from "./Shorten.js"

/** A fingerprint; `whole` shows all of it. */
export const Fingerprint = ({
  value,
  whole = false
}: {
  readonly value: string
  readonly whole?: boolean
}) => (
  <span class="fingerprint">
    <code title={value}>{whole ? value : Shorten.fingerprint(value)}</code>
    <CopyButton text={value} what="fingerprint" />
  </span>
)

/** A commit. */
export const Commit = ({ value }: { readonly value: string }) => (
  <span class="fingerprint">
    <code title={value}>{Shorten.commit(value)}</code>
    <CopyButton text={value} what="commit" />
  </span>
)
