/** What a person sees when the server has started: where it is, how to get in, what to try first. */
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { FirstStart } from "./Bootstrap.js"

/** What is known when the server has started. */
export interface Started {
  /** Where it listens. */
  readonly url: string
  /** Where it is reached from outside, if that was said. */
  readonly publicUrl: string | undefined
  readonly store: string
  /** Destinations of deliveries that are permitted although they are not public. */
  readonly permitted: ReadonlyArray<string>
  readonly first: Option.Option<FirstStart>
}

const firstSteps = (url: string, { org, user, key }: FirstStart): ReadonlyArray<string> => [
  "",
  `  Org            ${org}`,
  `  Administrator  ${user}`,
  `  API key        ${Redacted.value(key)}`,
  "",
  "  The key is shown this once: keep it. Try it out:",
  "",
  `  curl -X PUT ${url}/api/v2/flows/${org}/template_file \\`,
  `    -H "Authorization: Bearer ${Redacted.value(key)}" \\`,
  "    -H 'Content-Type: application/json' \\",
  `    -d '{"name": "my-service", "description": "builds of my service"}'`
]

/** The text to show. */
export const print = ({ url, publicUrl = url, store, permitted, first }: Started): string =>
  [
    "",
    `  Attestry is ready at ${url}`,
    "",
    `  Documentation  ${publicUrl}/api/v2/doc/`,
    `  Store          ${store}`,
    ...(permitted.length === 0
      ? []
      : [`  WARNING        deliveries may go to ${permitted.join(", ")}, which is not public`]),
    ...Option.match(first, { onNone: () => [], onSome: (made) => firstSteps(publicUrl, made) }),
    "",
    ""
  ].join("\n")
