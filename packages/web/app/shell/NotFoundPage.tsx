/** The page for an unknown URL. */
import * as Session from "../session/Session.js"
import * as Navigation from "../shared/Navigation.js"
import { Page } from "../shared/Page.js"
import { RevealedText } from "../shared/RevealedText.js"

/** Names the missing path, and links to the person's orgs. */
export const NotFoundPage = ({ path }: { readonly path: string }) => {
  const orgs = Session.current()?.orgs ?? []
  return (
    <Page name="Page not found">
      <p>
        Nothing is at{" "}
        <code>
          <RevealedText text={path} />
        </code>
        . The address may be mistyped, or from a newer version.
      </p>
      <ul class="links">
        {orgs.map(({ name }) => (
          <li key={name}>
            <a href={Navigation.href("Overview", { org: name })}>Overview of {name}</a>
          </li>
        ))}
        {orgs.length === 0 ? (
          <li>
            <a href={Navigation.href("Home", {})}>Start page</a>
          </li>
        ) : null}
      </ul>
    </Page>
  )
}
