/** The page of a route that has no page of its own yet: it names the record and leads to what exists. */
import type * as Route from "@attestry/web/Route"
import * as Navigation from "../shared/Navigation.js"
import { Page } from "../shared/Page.js"
import { RevealedText } from "../shared/RevealedText.js"
import { crumbsOf } from "./Crumbs.js"

/** The page. */
export const PendingPage = ({
  route,
  org
}: {
  readonly route: Route.Route
  readonly org: string | undefined
}) => {
  const name = crumbsOf(route).at(-1)?.text ?? "Page"
  return (
    <Page name={name} org={org} heading={<RevealedText text={name} />}>
      <p>
        This page is not in this version. What it would show is in the{" "}
        <a href={`${Navigation.base}/api/v2/doc/`} target="_self">
          API
        </a>
        .
      </p>
    </Page>
  )
}
