/** The job: the run of a CI that a command is part of, or the working tree of a person. */

/** A repository, as far as a job knows it. */
export interface JobRepository {
  readonly name: string
  readonly id: string
  readonly url: string
  readonly provider: string | undefined
  /** The groups that hold it, from the outermost, where the forge has them. */
  readonly namespace?: ReadonlyArray<string>
  readonly description?: string
}

/** What a job says about itself. */
export interface Job {
  /** The name of the CI; `git` without one. */
  readonly ci: string
  readonly commit: string | undefined
  readonly branch: string | undefined
  readonly tag: string | undefined
  readonly run: string | undefined
  readonly buildUrl: string | undefined
  readonly repository: JobRepository | undefined
  readonly pullRequest: string | undefined
  /** What is worth knowing about how these were found. */
  readonly notes: ReadonlyArray<string>
}

/** A job that knows nothing. */
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

/** The provider of a host, by the words of the interface. */
export const providerOf = (url: string): string | undefined => {
  const host = /^https?:\/\/([^/:]+)/.exec(url)?.[1] ?? ""
  if (/(?:^|\.)github\./.test(host)) return "github"
  if (/(?:^|\.)gitlab\./.test(host)) return "gitlab"
  return /(?:^|\.)bitbucket\.org$/.test(host) ? "bitbucket_cloud" : undefined
}

/** The `https` address of a remote in any form, without credentials; undefined for a path. */
export const webUrlOf = (remote: string): string | undefined => {
  const text = remote.trim().replace(/\.git\/?$/, "")
  const [, scpHost = "", scpPath = ""] = /^(?:[^@/\s]+@)?([^:/\s]+):(?!\/\/)(\S+)$/.exec(text) ?? []
  if (scpHost !== "" && !/^[A-Za-z]$/.test(scpHost)) return `https://${scpHost}/${scpPath}`
  const [, scheme = "", host = "", path = ""] =
    /^(https?|ssh|git):\/\/(?:[^@/\s]*@)?([^/\s]+)\/(\S+)$/i.exec(text) ?? []
  if (scheme === "") return undefined
  const isWeb = scheme.toLowerCase().startsWith("http")
  return `${isWeb ? scheme.toLowerCase() : "https"}://${isWeb ? host : host.replace(/:\d+$/, "")}/${path}`
}

/** A repository by its address alone; its id is the host and the path. */
export const repositoryOf = (url: string): JobRepository => {
  const place = url.replace(/^https?:\/\//, "")
  return {
    name: place.slice(place.indexOf("/") + 1),
    id: place,
    url,
    provider: providerOf(url)
  }
}

/** The address of a commit. */
export const commitUrlOf = ({ url, provider }: JobRepository, commit: string): string => {
  if (provider === "gitlab") return `${url}/-/commit/${commit}`
  return provider === "bitbucket_cloud" ? `${url}/commits/${commit}` : `${url}/commit/${commit}`
}
