/** A fingerprint or a commit: shows its first characters; the tooltip and the copy button have all of it. */
import { CopyButton } from "./CopyButton.js"
import * as Shorten from "./Shorten.js"

/** `whole` shows all characters. */
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

export const Commit = ({ value }: { readonly value: string }) => (
  <span class="fingerprint">
    <code title={value}>{Shorten.commit(value)}</code>
    <CopyButton text={value} what="commit" />
  </span>
)
