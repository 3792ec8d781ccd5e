/** Drafts of identity rules: the fields of the form, and the rule that they make. Pure. */
import * as KeyScope from "../api-key/KeyScope.js"
import type { IdentityRule } from "../shared/Contract.js"

/** A rule in a request; it has all fields. */
export type IdentityRuleInput = IdentityRule

/** Where jobs run. `other` has the fields of the rule itself. */
export type Provider = "github" | "gitlab" | "other"

/** The jobs of a repository that a rule accepts. */
export type Scope = "branch" | "tag" | "environment" | "any"

export interface Draft {
  readonly provider: Provider
  /** The issuer; GitHub has one, GitLab one for each instance. */
  readonly issuer: string
  /** The path of the repository: `owner/name`, `group/project`. */
  readonly repository: string
  /** The number of the repository, which stays when names change hands. */
  readonly repositoryId: string
  readonly scope: Scope
  /** The name of the branch, tag or environment. */
  readonly ref: string
  readonly subject: string
  /** Claims, one `name=pattern` per line. */
  readonly claims: string
  readonly audience: string
  readonly minutes: string
  readonly isSingleUse: boolean
  /** What keys of the rule may do, and where. */
  readonly keyScope: KeyScope.ScopeDraft
  /** The scope of a saved rule that has one. */
  readonly savedScope?: IdentityRule["scope"]
}

export const ISSUERS = {
  github: "https://token.actions.githubusercontent.com",
  gitlab: "https://gitlab.com",
  other: ""
} as const

export const SCOPES: ReadonlyArray<readonly [scope: Scope, text: string]> = [
  ["branch", "one branch"],
  ["environment", "one deployment environment"],
  ["tag", "tags"],
  ["any", "every job of the repository"]
]

/** The limits of a lifetime and its default, in minutes. */
export const MINUTES = { min: 1, max: 60, otherwise: "15" } as const

/** An empty draft for a provider; `audience` is the URL of the deployment. */
export const emptyOf = (provider: Provider, audience: string): Draft => ({
  provider,
  issuer: ISSUERS[provider],
  repository: "",
  repositoryId: "",
  scope: "branch",
  ref: "main",
  subject: "",
  claims: "",
  audience,
  minutes: MINUTES.otherwise,
  isSingleUse: false,
  keyScope: KeyScope.draftOf(undefined)
})

/** The same draft for another provider. */
export const withProvider = (draft: Draft, provider: Provider): Draft => ({
  ...draft,
  provider,
  issuer: ISSUERS[provider]
})

/** The same draft for other jobs; a name that the form proposed is replaced. */
export const withScope = (draft: Draft, scope: Scope): Draft => ({
  ...draft,
  scope,
  ref: { branch: "main", environment: "production", tag: "v*", any: "" }[scope]
})

/** Claims as lines of the form. */
const linesOf = (claims: IdentityRule["claims"]): string =>
  Object.entries(claims)
    .map(([name, pattern]) => `${name}=${pattern}`)
    .join("\n")

/** A saved rule as a draft with its exact fields. */
export const fromRule = (rule: IdentityRule): Draft => ({
  ...emptyOf("other", rule.audience),
  issuer: rule.issuer,
  subject: rule.subject,
  claims: linesOf(rule.claims),
  minutes: String(rule.lifetime / 60),
  isSingleUse: rule.single_use,
  keyScope: KeyScope.draftOf(rule.scope),
  ...(rule.scope === undefined ? {} : { savedScope: rule.scope })
})

const claimsOf = (text: string): { readonly [name: string]: string } =>
  Object.fromEntries(
    text
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "")
      .map((line) => {
        const [name = "", ...pattern] = line.split("=")
        return [name.trim(), pattern.join("=").trim()]
      })
  )

const githubSubject = ({ repository, scope, ref }: Draft): string => {
  const place = `repo:${repository.trim()}`
  switch (scope) {
    case "branch":
      return `${place}:ref:refs/heads/${ref.trim()}`
    case "tag":
      return `${place}:ref:refs/tags/${ref.trim()}`
    case "environment":
      return `${place}:environment:${ref.trim()}`
    case "any":
      return `${place}:**`
  }
}

const gitlabSubject = ({ repository, scope, ref }: Draft): string => {
  const place = `project_path:${repository.trim()}`
  return scope === "branch" || scope === "tag"
    ? `${place}:ref_type:${scope}:ref:${ref.trim()}`
    : `${place}:**`
}

/** WHY a claim: subjects of GitLab do not contain the environment. */
const gitlabClaims = ({ repositoryId, scope, ref }: Draft) => ({
  project_id: repositoryId.trim(),
  ...(scope === "environment" ? { environment: ref.trim() } : {})
})

const exactOf = (draft: Draft) => {
  switch (draft.provider) {
    case "github":
      return {
        subject: githubSubject(draft),
        claims: { repository_id: draft.repositoryId.trim() }
      }
    case "gitlab":
      return { subject: gitlabSubject(draft), claims: gitlabClaims(draft) }
    case "other":
      return { subject: draft.subject.trim(), claims: claimsOf(draft.claims) }
  }
}

/** The rule that a draft makes. */
export const ruleOf = (draft: Draft): IdentityRuleInput => {
  const scope = KeyScope.scopeOf(draft.keyScope, draft.savedScope)
  return {
    issuer: draft.issuer.trim(),
    audience: draft.audience.trim(),
    ...exactOf(draft),
    lifetime: Math.round(Number(draft.minutes) * 60),
    single_use: draft.isSingleUse,
    ...(scope === undefined ? {} : { scope })
  }
}

/** Fields of the form. */
export type FieldName =
  | "issuer"
  | "repository"
  | "repositoryId"
  | "ref"
  | "subject"
  | "claims"
  | "audience"
  | "lifetime"

const REPOSITORY = /^[^\s:*/]+(\/[^\s:*/]+)+$/

const repositoryProblems = (draft: Draft): ReadonlyArray<readonly [FieldName, string]> => {
  const example = draft.provider === "github" ? "owner/name" : "group/project"
  const isNamed = draft.scope === "any" || draft.ref.trim() !== ""
  return [
    ...(REPOSITORY.test(draft.repository.trim())
      ? []
      : [["repository", `The path of the repository, as ${example}.`] as const]),
    ...(/^[0-9]{1,20}$/.test(draft.repositoryId.trim())
      ? []
      : [["repositoryId", "The number of the repository: digits."] as const]),
    ...(isNamed ? [] : [["ref", "A name, or a pattern with *."] as const])
  ]
}

const exactProblems = ({ subject, claims }: Draft): ReadonlyArray<readonly [FieldName, string]> => [
  ...(subject.trim() === "" ? [["subject", "The subject of the id token."] as const] : []),
  ...(Object.entries(claimsOf(claims)).every(([name, pattern]) => name !== "" && pattern !== "")
    ? []
    : [["claims", "Each line is a claim and its pattern: name=pattern."] as const])
]

/** Problems that the form finds before it sends a rule; the server checks the rest. */
export const problemsOf = (draft: Draft): ReadonlyMap<FieldName, string> => {
  const minutes = Number(draft.minutes)
  const isLifetime = minutes >= MINUTES.min && minutes <= MINUTES.max
  return new Map([
    ...(draft.issuer.trim().startsWith("https://")
      ? []
      : [["issuer", "The https address of the issuer."] as const]),
    ...(draft.provider === "other" ? exactProblems(draft) : repositoryProblems(draft)),
    ...(draft.audience.trim() === ""
      ? [["audience", "The audience of the id token."] as const]
      : []),
    ...(isLifetime ? [] : [["lifetime", `${MINUTES.min} to ${MINUTES.max} minutes.`] as const])
  ])
}

/** The form fields of the server's errors: `rules[2].claims` belongs to the repository's number if there is one. */
export const fieldsOf = (provider: Provider): { readonly [name: string]: FieldName } =>
  provider === "other"
    ? {
        issuer: "issuer",
        audience: "audience",
        subject: "subject",
        claims: "claims",
        lifetime: "lifetime"
      }
    : {
        issuer: "issuer",
        audience: "audience",
        subject: "repository",
        claims: "repositoryId",
        lifetime: "lifetime"
      }
