/** A scope of a key in a table. */
import * as KeyScope from "./KeyScope.js"

/** What a key may do, and from where. */
export const ScopeText = ({ scope }: { readonly scope: KeyScope.KeyScope | null | undefined }) => {
  const networks = KeyScope.networksText(scope)
  return (
    <span class={scope === null || scope === undefined ? "quiet" : ""}>
      {KeyScope.permissionsText(scope)}
      {networks === "" ? null : <span class="quiet"> {networks}</span>}
    </span>
  )
}
