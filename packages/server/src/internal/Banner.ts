/** The text that the server prints when it is ready: its URL, the first key, and a first request. */
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { FirstStart } from "./Bootstrap.js"

/** The facts that the banner shows. */
export interface Started {
  /** The URL that it listens on. */
  readonly url: string
  /** `ATTESTRY_PUBLIC_URL`, if it is set. */
  readonly publicUrl: string | undefined
  readonly store: string
  /** Whether the pages are served. */
  readonly hasPages: boolean
  /** The destinations of `ATTESTRY_OUTBOUND_ALLOW`. */
  readonly permitted: ReadonlyArray<string>
  /** Whether checkpoints of logs are signed. */
  readonly isSigned: boolean
  readonly first: Option.Option<FirstStart>
  /** The names of existing orgs. */
  readonly orgs: ReadonlyArray<string>
}

/** The warning of a server whose logs are not signed. */
export const UNSIGNED = "the evidence log is not signed: make a key and set ATTESTRY_LOG_KEY_FILE"

/** The most orgs that the banner names. */
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

/** The existing orgs, and the commands that issue another key. */
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

/** Where the pages are, and with which key to sign in. */
const pagesLine = (url: string, first: Option.Option<FirstStart>): string =>
  `  Pages          ${url}/  sign in with ${Option.isSome(first) ? "the key below" : "an API key"}`

/** The banner. */
export const print = ({
  url,
  publicUrl = url,
  store,
  hasPages,
  permitted,
  isSigned,
  first,
  orgs
}: Started): string =>
  [
    "",
    `  Attestry is ready at ${url}`,
    "",
    ...(hasPages ? [pagesLine(publicUrl, first), `  Documentation  ${publicUrl}/docs/`] : []),
    `  API            ${publicUrl}/api/v2/doc/`,
    `  Store          ${store}`,
    ...(permitted.length === 0
      ? []
      : [`  WARNING        deliveries may go to ${permitted.join(", ")}, which is not public`]),
    ...(isSigned ? [] : [`  WARNING        ${UNSIGNED}`]),
    ...Option.match(first, {
      onNone: () => laterSteps(orgs),
      onSome: (made) => firstSteps(publicUrl, made)
    }),
    "",
    ""
  ].join("\n")
