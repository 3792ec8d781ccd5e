/**
 * Parses the `Retry-After` header (RFC 9110 section 10.2.3).
 *
 * The caller decides how much of the time to grant; text in neither form gives none.
 */
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"

const SECONDS = /^[0-9]{1,9}$/
const HTTP_DATE = /^[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT$/

/** The time to wait from seconds or an HTTP date relative to `now`; a past date gives zero. */
export const parse = (text: string, now: DateTime.Utc): Option.Option<Duration.Duration> =>
  SECONDS.test(text)
    ? Option.some(Duration.seconds(Number(text)))
    : HTTP_DATE.test(text)
      ? // WHY: `DateTime.make` parses only ISO 8601.
        Option.map(DateTime.make(Date.parse(text)), (until) =>
          Duration.millis(Math.max(0, DateTime.distance(now, until)))
        )
      : Option.none()
