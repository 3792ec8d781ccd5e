/** The job: a CI run, or the working tree of a person. */

/** The repository of a job. */
export interface JobRepository {
  readonly name: string
  readonly id: string
  readonly url: string
  readonly provider: string | undefined
  /** The groups of the repository, outermost first, on forges with groups. */
  readonly namespace?: ReadonlyArray<string>
  readonly description?: string
}

/** A job: its commit, branch, build and repository. */
export interface Job {
  /** The name of the CI; `git` outside of a CI. */
  readonly ci: string
  readonly commit: string | undefined
  readonly branch: string | undefined
  readonly tag: string | undefined
  readonly run: string | undefined
  readonly buildUrl: string | undefined
  readonly repository: JobRepository | undefined
  readonly pullRequest: string | undefined
  /** How the values were found. */
  readonly notes: ReadonlyArray<string>
}

/** A job without values. */
export const NONE: Job = {
  ci: "git",
  commit: undefined,
  branch: undefined,
  tag: undefined,
  run: undefined,
  buildUrl: undefined,
  repository: undefined,
  pullRequest: undefined,
  notes: []
}

/** The provider of a URL, as the API names it. */
export const providerOf = (url: string): string | undefined => {
  const host = /^https?:\/\/([^/:]+)/.exec(url)?.[1] ?? ""
  if (/(?:^|\.)github\./.test(host)) return "github"
  if (/(?:^|\.)gitlab\./.test(host)) return "gitlab"
  if (/^(?:dev\.azure|.+\.visualstudio)\.com$/.test(host)) return "cloudx-devops"
  return /(?:^|\.)bitbucket\.org$/.test(host) ? "bitbucket_cloud" : undefined
}

/** An SSH remote of Azure DevOps, whose page has another host and path. */
const AZURE_SSH = /^(?:[^@/\s]+@)?ssh\.dev\.azure\.com:v3\/([^/\s]+)\/([^/\s]+)\/([^/\s]+)$/

/** The `https` URL of a remote in any form, without credentials; undefined for a local path. */
export const webUrlOf = (remote: string): string | undefined => {
  const text = remote.trim().replace(/\.git\/?$/, "")
  const [, org, project, repository] = AZURE_SSH.exec(text) ?? []
  if (org !== undefined) return `https://dev.azure.com/${org}/${project}/_git/${repository}`
  const [, scpHost = "", scpPath = ""] = /^(?:[^@/\s]+@)?([^:/\s]+):(?!\/\/)(\S+)$/.exec(text) ?? []
  if (scpHost !== "" && !/^[A-Za-z]$/.test(scpHost)) return `https://${scpHost}/${scpPath}`
  const [, scheme = "", host = "", path = ""] =
    /^(https?|ssh|git):\/\/(?:[^@/\s]*@)?([^/\s]+)\/(\S+)$/i.exec(text) ?? []
  if (scheme === "") return undefined
  const isWeb = scheme.toLowerCase().startsWith("http")
  return `${isWeb ? scheme.toLowerCase() : "https"}://${isWeb ? host : host.replace(/:\d+$/, "")}/${path}`
}

/** The name of a repository by its path. Azure DevOps adds `/_git/` to the path, and escapes spaces of names. */
const nameOf = (path: string): string =>
  path.includes("/_git/") ? path.replace("/_git/", "/").replaceAll("%20", " ") : path

/** The repository of a URL; its id is host and path. */
export const repositoryOf = (url: string): JobRepository => {
  const place = url.replace(/^https?:\/\//, "")
  return {
    name: nameOf(place.slice(place.indexOf("/") + 1)),
    id: place,
    url,
    provider: providerOf(url)
  }
}

/** The URL of a commit. */
export const commitUrlOf = (
  { url, provider }: Pick<JobRepository, "url" | "provider">,
  commit: string
): string => {
  if (provider === "gitlab") return `${url}/-/commit/${commit}`
  return provider === "bitbucket_cloud" ? `${url}/commits/${commit}` : `${url}/commit/${commit}`
}
