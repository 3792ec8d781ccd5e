/** A scope of a key in a table. */
import * as KeyScope from "./KeyScope.js"

/** What a key may do, in which places, and from where. */
export const ScopeText = ({ scope }: { readonly scope: KeyScope.KeyScope | null | undefined }) => {
  const limits = [
    KeyScope.orgsText(scope),
    KeyScope.placesText(scope),
    KeyScope.networksText(scope)
  ]
    .filter(Boolean)
    .join(" ")
  return (
    <span class={scope === null || scope === undefined ? "quiet" : ""}>
      {KeyScope.permissionsText(scope)}
      {limits === "" ? null : <span class="quiet"> {limits}</span>}
    </span>
  )
}
