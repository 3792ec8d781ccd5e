/** Identity rules in words, and the job that uses one. Pure. */
import type { IdentityRule } from "../shared/Contract.js"
import { hasHidden } from "../shared/Reveal.js"
import * as TimeText from "../shared/TimeText.js"
import { ISSUERS } from "./IdentityRuleDraft.js"

type Rule = Pick<IdentityRule, "issuer" | "subject" | "audience" | "claims">

const REFS: ReadonlyArray<readonly [pattern: RegExp, text: (name: string) => string]> = [
  [/^ref:refs\/heads\/(.+)$/, (name) => `branch ${name}`],
  [/^ref:refs\/tags\/(.+)$/, (name) => `tags ${name}`],
  [/^environment:(.+)$/, (name) => `environment ${name}`],
  [/^ref_type:branch:ref:(.+)$/, (name) => `branch ${name}`],
  [/^ref_type:tag:ref:(.+)$/, (name) => `tags ${name}`],
  [/^pull_request$/, () => "pull requests"],
  [/^\*\*$/, () => "every job"]
]

const jobsOf = (rest: string): string => {
  for (const [pattern, text] of REFS) {
    const found = pattern.exec(rest)
    if (found !== null) return text(found[1] ?? "")
  }
  return rest
}

/** The system that a rule names. */
export const providerOf = ({ issuer }: Pick<Rule, "issuer">): "github" | "gitlab" | "other" => {
  if (issuer.startsWith(ISSUERS.github)) return "github"
  return issuer.startsWith("https://gitlab.") ? "gitlab" : "other"
}

const NAMES = { github: "GitHub Actions", gitlab: "GitLab CI/CD" } as const

/** The environment that a job must name to get the claims of a rule. */
const environmentOf = ({
  subject,
  claims
}: Pick<Rule, "subject" | "claims">): string | undefined =>
  Object.hasOwn(claims, "environment")
    ? claims.environment
    : /:environment:([^*]+)$/.exec(subject)?.[1]

/** A rule as a title: `GitHub Actions · acme/shop · branch main`. */
export const titleOf = (rule: Pick<Rule, "issuer" | "subject" | "claims">): string => {
  const provider = providerOf(rule)
  const parts = /^(?:repo|project_path):([^:]+):(.+)$/.exec(rule.subject)
  if (provider === "other") return rule.issuer.replace(/^https:\/\//, "")
  if (parts === null) return `${NAMES[provider]} · ${rule.subject}`
  const [, repository = "", rest = ""] = parts
  const environment = environmentOf(rule)
  const jobs = environment === undefined ? jobsOf(rest) : `environment ${environment}`
  return `${NAMES[provider]} · ${repository} · ${jobs}`
}

/** The claims that an id token must have, as tokens name them. */
export const claimsOf = ({
  issuer,
  subject,
  audience,
  claims
}: Rule): ReadonlyArray<readonly [claim: string, pattern: string]> => [
  ["iss", issuer],
  ["aud", audience],
  ["sub", subject],
  ...Object.entries(claims)
]

/** How long a key of a rule works. */
export const lifetimeText = ({
  lifetime,
  single_use
}: Pick<IdentityRule, "lifetime" | "single_use">): string =>
  `A key works for ${TimeText.duration(lifetime * 1_000)}${
    single_use ? "; each id token gets one key" : ""
  }.`

/** The values that a job needs. */
export interface JobPlace {
  readonly url: string
  readonly org: string
  readonly account: string
}

/** A value of YAML; a text of JSON is one. */
const yaml = (text: string): string =>
  /^[A-Za-z0-9](?:[A-Za-z0-9._/-]|:(?=\/\/|\d))*$/.test(text) ? text : JSON.stringify(text)

const lines = (all: ReadonlyArray<string | undefined>): string =>
  all.filter((line) => line !== undefined).join("\n")

const github = (rule: Rule, { url, org, account }: JobPlace): string => {
  const environment = environmentOf(rule)
  return lines([
    "jobs:",
    "  build:",
    "    runs-on: ubuntu-latest",
    environment === undefined ? undefined : `    environment: ${yaml(environment)}`,
    "    permissions:",
    "      contents: read",
    "      id-token: write",
    "    env:",
    `      ATTESTRY_URL: ${url}`,
    `      ATTESTRY_ORG: ${org}`,
    `      ATTESTRY_SERVICE_ACCOUNT: ${account}`,
    "    steps:",
    "      - run: npm install --global @attestry/cli",
    "      - run: attestry whoami"
  ])
}

const gitlab = (rule: Rule, { url, org, account }: JobPlace): string => {
  const environment = environmentOf(rule)
  return lines([
    "build:",
    environment === undefined ? undefined : `  environment: ${yaml(environment)}`,
    "  id_tokens:",
    "    ATTESTRY_ID_TOKEN:",
    `      aud: ${yaml(rule.audience)}`,
    "  variables:",
    `    ATTESTRY_URL: ${url}`,
    `    ATTESTRY_ORG: ${org}`,
    `    ATTESTRY_SERVICE_ACCOUNT: ${account}`,
    "  script:",
    "    - npm install --global @attestry/cli",
    "    - attestry whoami"
  ])
}

const other = ({ url, org, account }: JobPlace): string =>
  lines([
    `export ATTESTRY_URL=${url} ATTESTRY_ORG=${org} ATTESTRY_SERVICE_ACCOUNT=${account}`,
    "export ATTESTRY_ID_TOKEN=…   # the id token of the job, for the audience above",
    "attestry whoami"
  ])

const textOf = (rule: Rule, place: JobPlace): string => {
  switch (providerOf(rule)) {
    case "github":
      return github(rule, place)
    case "gitlab":
      return gitlab(rule, place)
    case "other":
      return other(place)
  }
}

/** The job that signs in by a rule. WHY undefined with hidden characters: a reader would copy what they cannot see. */
export const jobOf = (rule: Rule, place: JobPlace): string | undefined => {
  const text = textOf(rule, place)
  return hasHidden(text.replaceAll("\n", "")) ? undefined : text
}
