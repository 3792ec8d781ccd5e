/** A link from a property of artifacts to the page that shows where they ran. */
import * as Navigation from "../shared/Navigation.js"
import * as Reveal from "../shared/Reveal.js"
import { routeOf, type Subject, WORDS } from "./ExposureSubject.js"

/** `what` names the subject for screen readers if a page has several links by the same property. */
export const WhereLink = ({
  org,
  subject,
  what
}: {
  readonly org: string
  readonly subject: Subject
  readonly what?: string
}) => (
  <a
    class="where-link"
    href={Navigation.hrefOf(routeOf(org, subject))}
    aria-label={
      what === undefined
        ? `where it ran, by ${WORDS[subject.name]}`
        : `where it ran: ${Reveal.plain(what)}`
    }
  >
    where it ran
  </a>
)
