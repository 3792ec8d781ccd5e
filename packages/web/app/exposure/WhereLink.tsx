/** A link from a property of artifacts to the page that shows where they ran. */
import * as Navigation from "../shared/Navigation.js"
import { routeOf, type Subject, TEXTS } from "./ExposureSubject.js"

export const WhereLink = ({
  org,
  subject
}: {
  readonly org: string
  readonly subject: Subject
}) => (
  <a
    class="where-link"
    href={Navigation.hrefOf(routeOf(org, subject))}
    aria-label={`where it ran, by ${TEXTS[subject.name].word}`}
  >
    where it ran
  </a>
)
