/**
 * How long does a receiver ask us to wait?
 *
 * Reads the `Retry-After` header (RFC 9110 section 10.2.3). How much of the wish is granted is the
 * caller's decision; text that is neither form is no wish.
 */
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"

const SECONDS = /^[0-9]{1,9}$/
const HTTP_DATE = /^[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT$/

/** Reads seconds or an HTTP date relative to `now`; a date in the past is no wait at all. */
export const parse = (text: string, now: DateTime.Utc): Option.Option<Duration.Duration> =>
  SECONDS.test(text)
    ? Option.some(Duration.seconds(Number(text)))
    : HTTP_DATE.test(text)
      ? // WHY: `DateTime.make` takes only ISO 8601 as text.
        Option.map(DateTime.make(Date.parse(text)), (until) =>
          Duration.millis(Math.max(0, DateTime.distance(now, until)))
        )
      : Option.none()
