/**
 * Rules by which the id tokens of GitHub, GitLab and other issuers become keys of a service account. Pure.
 *
 * Names of owners and projects can change hands, so a rule of GitHub or GitLab also names the numeric id.
 */
import type { Fields } from "../shared/Json.js"

/** The issuer of github.com. */
export const GITHUB_ISSUER = "https://token.actions.githubusercontent.com"

/** The issuer of gitlab.com. */
export const GITLAB_ISSUER = "https://gitlab.com"

/** The jobs of a repository that a rule accepts; all of them if every member is undefined. */
export interface Jobs {
  readonly branch: string | undefined
  readonly tag: string | undefined
  readonly environment: string | undefined
}

/** A repository with its number at the forge. */
export interface Repository {
  readonly name: string
  readonly id: string
}

const githubJobs = ({ branch, tag, environment }: Jobs): string => {
  if (branch !== undefined) return `ref:refs/heads/${branch}`
  if (tag !== undefined) return `ref:refs/tags/${tag}`
  // WHY: GitHub writes a colon in the name of an environment in this way.
  return environment === undefined ? "**" : `environment:${environment.replaceAll(":", "%3A")}`
}

/** The rule for jobs of GitHub Actions. */
export const ofGithub = (issuer: string, { name, id }: Repository, jobs: Jobs): Fields => ({
  issuer,
  subject: `repo:${name}:${githubJobs(jobs)}`,
  claims: { repository_id: id }
})

const gitlabJobs = ({ branch, tag }: Jobs): string => {
  if (branch !== undefined) return `ref_type:branch:ref:${branch}`
  return tag === undefined ? "**" : `ref_type:tag:ref:${tag}`
}

/** The rule for jobs of GitLab CI, whose environment is a claim and no part of the subject. */
export const ofGitlab = (issuer: string, { name, id }: Repository, jobs: Jobs): Fields => ({
  issuer,
  subject: `project_path:${name}:${gitlabJobs(jobs)}`,
  claims: {
    project_id: id,
    ...(jobs.environment === undefined ? {} : { environment: jobs.environment })
  }
})

const DEFAULTS: Fields = { claims: {}, scope: undefined }

const sorted = (value: unknown): unknown =>
  typeof value === "object" && value !== null
    ? Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1))
    : value

/** Whether a stored rule has every field of a rule to write; a field that is not given has its default there. */
export const isSame = (stored: Fields, rule: Fields): boolean =>
  Object.entries({ ...DEFAULTS, ...rule }).every(
    ([name, value]) => JSON.stringify(sorted(stored[name])) === JSON.stringify(sorted(value))
  )
