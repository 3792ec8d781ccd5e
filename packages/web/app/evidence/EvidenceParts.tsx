/** Parts of evidence pages: the state of a verification, and the link to a document. */
import * as Route from "@attestry/web/Route"
import type { ComponentChildren } from "preact"
import type { ListedEvidence } from "../shared/Contract.js"
import * as Navigation from "../shared/Navigation.js"
import { VerdictMark } from "../shared/VerdictMark.js"
import { markOf, stateText } from "./VerificationText.js"

/** The state with its mark and its words. */
export const State = ({ state }: { readonly state: ListedEvidence["verification"]["state"] }) => (
  <VerdictMark verdict={markOf(state)} word label={stateText(state)} />
)

/** A link to a document. */
export const DocumentLink = ({
  org,
  document: { digest, position },
  children
}: {
  readonly org: string
  readonly document: Pick<ListedEvidence, "digest" | "position">
  readonly children: ComponentChildren
}) => (
  <a
    href={Navigation.hrefOf(
      Route.make(
        "EvidenceDocument",
        { org, digest },
        { position: position === 1 ? undefined : String(position) }
      )
    )}
  >
    {children}
  </a>
)
