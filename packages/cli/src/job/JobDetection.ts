/**
 * Detects the CI of this process, and reads commit, branch, build and repository from its variables. The first CI
 * that matches is used. Pure.
 */
import { type Job, type JobRepository, NONE, providerOf, repositoryOf, webUrlOf } from "./Job.js"

/** The variables of a process. */
export type Variables = { readonly [name: string]: string | undefined }

/** The variables of a CI, and the files that they name. */
export interface Surroundings {
  readonly env: Variables
  /** The event that started a workflow, as JSON. */
  readonly event: unknown
  /** The properties of a build. */
  readonly properties?: ReadonlyMap<string, string>
}

const some = (text: string | undefined): string | undefined => (text === "" ? undefined : text)

const without = (ref: string | undefined, prefix: string): string | undefined =>
  ref?.startsWith(prefix) === true ? some(ref.slice(prefix.length)) : some(ref)

const at = (value: unknown, ...path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>(
    (inner, name) =>
      typeof inner === "object" && inner !== null && Object.hasOwn(inner, name)
        ? Reflect.get(inner, name)
        : undefined,
    value
  )

const textAt = (value: unknown, ...path: ReadonlyArray<string>): string | undefined => {
  const found = at(value, ...path)
  if (typeof found === "number") return String(found)
  return typeof found === "string" && found !== "" ? found : undefined
}

const repository = (
  { name, id, url }: { readonly [part in "name" | "id" | "url"]: string | undefined },
  provider: string | undefined
): JobRepository | undefined => {
  const web = url === undefined ? undefined : (webUrlOf(url) ?? url)
  if (web === undefined) return undefined
  const known = repositoryOf(web)
  return {
    name: name ?? known.name,
    id: id ?? known.id,
    url: web,
    provider: provider ?? providerOf(web)
  }
}

const githubCommit = ({ env, event }: Surroundings): Pick<Job, "commit" | "notes"> => {
  const sha = some(env.GITHUB_SHA)
  const head = textAt(event, "pull_request", "head", "sha")
  if (!(env.GITHUB_EVENT_NAME ?? "").startsWith("pull_request") || head === undefined)
    return { commit: sha, notes: [] }
  return {
    commit: head,
    notes: [
      `commit ${head} is the head of the pull request (GITHUB_SHA is the merge commit ${sha})`
    ]
  }
}

const github = (surroundings: Surroundings): Job => {
  const { env, event } = surroundings
  const name = some(env.GITHUB_REPOSITORY)
  const url = name === undefined ? undefined : `${env.GITHUB_SERVER_URL}/${name}`
  const attempt = Number(env.GITHUB_RUN_ATTEMPT ?? "1")
  const run = some(env.GITHUB_RUN_ID)
  return {
    ...NONE,
    ci: "GitHub Actions",
    ...githubCommit(surroundings),
    branch: some(env.GITHUB_HEAD_REF) ?? some(env.GITHUB_REF_NAME),
    tag: env.GITHUB_REF_TYPE === "tag" ? some(env.GITHUB_REF_NAME) : undefined,
    run,
    buildUrl:
      url === undefined || run === undefined
        ? undefined
        : `${url}/actions/runs/${run}${attempt > 1 ? `/attempts/${attempt}` : ""}`,
    repository: repository({ name, id: some(env.GITHUB_REPOSITORY_ID), url }, "github"),
    pullRequest: textAt(event, "pull_request", "number")
  }
}

const gitlabRepository = (env: Variables): JobRepository | undefined => {
  const known = repository(
    { name: some(env.CI_PROJECT_PATH), id: some(env.CI_PROJECT_ID), url: some(env.CI_PROJECT_URL) },
    "gitlab"
  )
  const namespace = some(env.CI_PROJECT_NAMESPACE)?.split("/")
  const description = some(env.CI_PROJECT_DESCRIPTION)
  return known === undefined
    ? undefined
    : {
        ...known,
        ...(namespace === undefined ? {} : { namespace }),
        ...(description === undefined ? {} : { description })
      }
}

const gitlab = ({ env }: Surroundings): Job => ({
  ...NONE,
  ci: "GitLab CI",
  commit: some(env.CI_COMMIT_SHA),
  branch: some(env.CI_MERGE_REQUEST_SOURCE_BRANCH_NAME) ?? some(env.CI_COMMIT_REF_NAME),
  tag: some(env.CI_COMMIT_TAG),
  run: some(env.CI_PIPELINE_ID),
  buildUrl: some(env.CI_JOB_URL),
  repository: gitlabRepository(env),
  pullRequest: some(env.CI_MERGE_REQUEST_IID)
})

/** Azure DevOps, which the API names `cloudx-devops`. */
const azureDevops = ({ env }: Surroundings): Job => {
  const collection = (env.SYSTEM_COLLECTIONURI ?? "").replace(/\/+$/, "")
  const project = env.SYSTEM_TEAMPROJECT ?? ""
  const provider = env.BUILD_REPOSITORY_PROVIDER
  const isOwn = provider === "TfsGit"
  const name = some(env.BUILD_REPOSITORY_NAME)
  const place = [collection.replace(/^.*\//, ""), project, name]
  return {
    ...NONE,
    ci: "Azure DevOps",
    commit: some(env.SYSTEM_PULLREQUEST_SOURCECOMMITID) ?? some(env.BUILD_SOURCEVERSION),
    branch: without(
      some(env.SYSTEM_PULLREQUEST_SOURCEBRANCH) ?? env.BUILD_SOURCEBRANCH,
      "refs/heads/"
    ),
    tag: env.BUILD_SOURCEBRANCH?.startsWith("refs/tags/")
      ? without(env.BUILD_SOURCEBRANCH, "refs/tags/")
      : undefined,
    run: some(env.BUILD_BUILDID),
    buildUrl:
      collection === "" || env.BUILD_BUILDID === undefined
        ? undefined
        : `${collection}/${encodeURIComponent(project)}/_build/results?buildId=${env.BUILD_BUILDID}`,
    repository: repository(
      {
        name: isOwn && name !== undefined ? place.join("/") : name,
        id: some(env.BUILD_REPOSITORY_ID),
        url: some(env.BUILD_REPOSITORY_URI)
      },
      isOwn ? "cloudx-devops" : undefined
    ),
    pullRequest:
      some(env.SYSTEM_PULLREQUEST_PULLREQUESTNUMBER) ?? some(env.SYSTEM_PULLREQUEST_PULLREQUESTID)
  }
}

const bitbucket = ({ env }: Surroundings): Job => {
  const origin = some(env.BITBUCKET_GIT_HTTP_ORIGIN)?.replace(/^http:/, "https:")
  return {
    ...NONE,
    ci: "Bitbucket Pipelines",
    commit: some(env.BITBUCKET_COMMIT),
    branch: some(env.BITBUCKET_BRANCH),
    tag: some(env.BITBUCKET_TAG),
    run: some(env.BITBUCKET_BUILD_NUMBER),
    buildUrl:
      origin === undefined
        ? undefined
        : `${origin}/pipelines/results/${env.BITBUCKET_BUILD_NUMBER}`,
    repository: repository(
      { name: some(env.BITBUCKET_REPO_FULL_NAME), id: some(env.BITBUCKET_REPO_UUID), url: origin },
      "bitbucket_cloud"
    ),
    pullRequest: some(env.BITBUCKET_PR_ID)
  }
}

const onlyUrl = (url: string | undefined): JobRepository | undefined =>
  repository({ name: undefined, id: undefined, url: some(url) }, undefined)

const jenkins = ({ env }: Surroundings): Job => ({
  ...NONE,
  ci: "Jenkins",
  commit: some(env.GIT_COMMIT),
  branch: some(env.CHANGE_BRANCH) ?? without(env.GIT_BRANCH, "origin/"),
  tag: some(env.TAG_NAME),
  run: some(env.BUILD_NUMBER),
  buildUrl: some(env.BUILD_URL),
  repository: onlyUrl(env.GIT_URL),
  pullRequest: some(env.CHANGE_ID)
})

const circle = ({ env }: Surroundings): Job => ({
  ...NONE,
  ci: "CircleCI",
  commit: some(env.CIRCLE_SHA1),
  branch: some(env.CIRCLE_BRANCH),
  tag: some(env.CIRCLE_TAG),
  run: some(env.CIRCLE_BUILD_NUM),
  buildUrl: some(env.CIRCLE_BUILD_URL),
  repository: onlyUrl(env.CIRCLE_REPOSITORY_URL),
  pullRequest: some(env.CIRCLE_PULL_REQUEST)?.replace(/^.*\//, "")
})

/** The page of a TeamCity build, from its properties. */
const teamcityUrl = ({ env, properties }: Surroundings): string | undefined => {
  const server = properties?.get("teamcity.serverUrl")?.replace(/\/+$/, "")
  const build = properties?.get("teamcity.build.id")
  if (server === undefined || build === undefined) return some(env.BUILD_URL)
  return `${server}/viewLog.html?buildId=${encodeURIComponent(build)}`
}

const teamcity = (surroundings: Surroundings): Job => ({
  ...NONE,
  ci: "TeamCity",
  commit: some(surroundings.env.BUILD_VCS_NUMBER),
  run: some(surroundings.env.BUILD_NUMBER),
  buildUrl: teamcityUrl(surroundings)
})

const buildkite = ({ env }: Surroundings): Job => {
  const url = some(env.BUILDKITE_BUILD_URL)
  const job = some(env.BUILDKITE_JOB_ID)
  const pullRequest = some(env.BUILDKITE_PULL_REQUEST)
  return {
    ...NONE,
    ci: "Buildkite",
    commit: some(env.BUILDKITE_COMMIT),
    branch: some(env.BUILDKITE_BRANCH),
    tag: some(env.BUILDKITE_TAG),
    run: some(env.BUILDKITE_BUILD_NUMBER),
    buildUrl: url === undefined || job === undefined ? url : `${url}#${job}`,
    repository: onlyUrl(env.BUILDKITE_REPO),
    pullRequest: pullRequest === "false" ? undefined : pullRequest
  }
}

const codebuild = ({ env }: Surroundings): Job => ({
  ...NONE,
  ci: "CodeBuild",
  commit: some(env.CODEBUILD_RESOLVED_SOURCE_VERSION),
  run: some(env.CODEBUILD_BUILD_NUMBER),
  buildUrl: some(env.CODEBUILD_BUILD_URL),
  repository: onlyUrl(env.CODEBUILD_SOURCE_REPO_URL)
})

const KNOWN: ReadonlyArray<readonly [string, (surroundings: Surroundings) => Job]> = [
  ["GITHUB_ACTIONS", github],
  ["GITLAB_CI", gitlab],
  ["TF_BUILD", azureDevops],
  ["BITBUCKET_BUILD_NUMBER", bitbucket],
  ["JENKINS_URL", jenkins],
  ["CIRCLECI", circle],
  ["TEAMCITY_VERSION", teamcity],
  ["BUILDKITE", buildkite],
  ["CODEBUILD_CI", codebuild]
]

/** The job of a process; has no values outside of a known CI. */
export const detect = (surroundings: Surroundings): Job => {
  const known = KNOWN.find(([name]) => some(surroundings.env[name]) !== undefined)
  return known === undefined ? NONE : known[1](surroundings)
}
