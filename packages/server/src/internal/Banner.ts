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
  /** Names of the orgs that there were before. */
  readonly orgs: ReadonlyArray<string>
}

/** As many orgs are named at a start. */
const ORGS_MAX = 5

const firstSteps = (
  url: string,
  { org, user, key, keyFile }: FirstStart
): ReadonlyArray<string> => [
  "",
  `  Org            ${org}`,
  `  Administrator  ${user}`,
  `  API key        ${keyFile === undefined ? Redacted.value(key) : `in ${keyFile}`}`,
  "",
  keyFile === undefined ? "  The key is shown this once: keep it. Try it out:" : "  Try it out:",
  "",
  `  curl -X PUT ${url}/api/v2/flows/${org}/template_file \\`,
  `    -H "Authorization: Bearer ${keyFile === undefined ? Redacted.value(key) : `$(cat ${keyFile})`}" \\`,
  "    -H 'Content-Type: application/json' \\",
  `    -d '{"name": "my-service", "description": "builds of my service"}'`
]

/** What there is already, and how to get in: the first key was shown once, at the first start. */
const laterSteps = (orgs: ReadonlyArray<string>): ReadonlyArray<string> => {
  const more = orgs.length > ORGS_MAX ? ` and ${orgs.length - ORGS_MAX} more` : ""
  return [
    `  Orgs           ${orgs.slice(0, ORGS_MAX).join(", ")}${more}`,
    "",
    "  The first key was shown at the first start. For another one:",
    "",
    "  attestry-server user list",
    "  attestry-server key issue --user LOGIN"
  ]
}

/** The text to show. */
export const print = ({ url, publicUrl = url, store, permitted, first, orgs }: Started): string =>
  [
    "",
    `  Attestry is ready at ${url}`,
    "",
    `  Documentation  ${publicUrl}/api/v2/doc/`,
    `  Store          ${store}`,
    ...(permitted.length === 0
      ? []
      : [`  WARNING        deliveries may go to ${permitted.join(", ")}, which is not public`]),
    ...Option.match(first, {
      onNone: () => laterSteps(orgs),
      onSome: (made) => firstSteps(publicUrl, made)
    }),
    "",
    ""
  ].join("\n")
