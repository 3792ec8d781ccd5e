/** Leads from an environment, policy or control to the page that moves it to another space. */
import * as Route from "@attestry/web/Route"
import * as Session from "../session/Session.js"
import * as Navigation from "../shared/Navigation.js"

export const MoveLink = ({
  org,
  type,
  name
}: {
  readonly org: string
  readonly type: "environment" | "policy" | "control"
  readonly name: string
}) =>
  Session.may(org, "placement.write") ? (
    <a href={Navigation.hrefOf(Route.make("MoveThings", { org }, { type, name }))}>
      Move to another space
    </a>
  ) : null
