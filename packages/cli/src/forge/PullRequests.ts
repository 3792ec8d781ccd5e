/** The pull requests of a commit, read from the forge that hosts it, in the words of the interface. */
import type { CommandContext } from "../shared/CommandContext.js"
import { usage } from "../shared/CommandFailure.js"
import { variable } from "../shared/Host.js"
import * as Json from "../shared/Json.js"
import * as ForeignApi from "../transport/ForeignApi.js"

/** What is asked of a forge. */
export interface PullRequestQuery {
  readonly repository: string
  readonly commit: string
  /** One pull request, where its number is known. */
  readonly number: string | undefined
  readonly apiUrl: string | undefined
}

/** A forge that is known. */
export type Forge = "github" | "gitlab"

const seconds = (text: unknown): number | undefined => {
  const millis = typeof text === "string" ? Date.parse(text) : Number.NaN
  return Number.isNaN(millis) ? undefined : Math.floor(millis / 1_000)
}

const present = (fields: Json.Fields): Json.Fields =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)
  )

const tokenOf = ({ host, output }: CommandContext, names: ReadonlyArray<string>): string => {
  for (const name of names) {
    const token = variable(host, name)
    if (token === undefined) continue
    output.hide(token)
    return token
  }
  throw usage("the forge needs a token", `set ${names.join(" or ")}`)
}

const githubCommit = (item: Json.Fields): Json.Fields => {
  const commit = Json.object(item.commit)
  const author = Json.object(commit.author)
  return present({
    sha1: item.sha,
    message: commit.message,
    author: `${author.name ?? ""} <${author.email ?? ""}>`,
    author_username: Json.object(item.author).login,
    timestamp: seconds(author.date),
    url: item.html_url
  })
}

const githubReview = (review: Json.Fields): Json.Fields =>
  present({
    username: Json.object(review.user).login,
    state: review.state,
    timestamp: seconds(review.submitted_at)
  })

const github = async (
  context: CommandContext,
  { repository, commit, number, apiUrl }: PullRequestQuery
): Promise<ReadonlyArray<Json.Fields>> => {
  const token = tokenOf(context, ["GITHUB_TOKEN", "GH_TOKEN"])
  const base = apiUrl ?? variable(context.host, "GITHUB_API_URL") ?? "https://api.github.com"
  const api = await ForeignApi.make(
    context,
    { authorization: `Bearer ${token}`, accept: "application/vnd.github+json" },
    "the token needs to read pull requests and contents"
  )
  const root = `${base.replace(/\/+$/, "")}/repos/${repository}`
  const numbers =
    number === undefined
      ? Json.objects(await api.all(`${root}/commits/${commit}/pulls?per_page=100`)).map(
          (each) => each.number
        )
      : [number]
  const found: Array<Json.Fields> = []
  for (const each of numbers) {
    const place = `${root}/pulls/${each}`
    const pull = Json.object(await api.get(place))
    if (pull.html_url === undefined) continue
    const reviews = Json.objects(await api.all(`${place}/reviews?per_page=100`))
    const commits = Json.objects(await api.all(`${place}/commits?per_page=100`))
    found.push(
      present({
        url: pull.html_url,
        state: pull.merged_at === null || pull.merged_at === undefined ? pull.state : "merged",
        author: Json.text(Json.object(pull.user).login) ?? "",
        title: pull.title,
        head_ref: Json.object(pull.head).ref,
        base_ref: Json.object(pull.base).ref,
        merge_commit: pull.merge_commit_sha,
        created_at: seconds(pull.created_at),
        merged_at: seconds(pull.merged_at),
        approvers: reviews.filter(({ state }) => state === "APPROVED").map(githubReview),
        commits: commits.map(githubCommit)
      })
    )
  }
  return found
}

const gitlabCommit = (item: Json.Fields): Json.Fields =>
  present({
    sha1: item.id,
    message: item.message,
    author: `${item.author_name ?? ""} <${item.author_email ?? ""}>`,
    timestamp: seconds(item.authored_date),
    url: item.web_url
  })

const gitlab = async (
  context: CommandContext,
  { repository, commit, number, apiUrl }: PullRequestQuery
): Promise<ReadonlyArray<Json.Fields>> => {
  const token = tokenOf(context, ["GITLAB_TOKEN"])
  const base = apiUrl ?? variable(context.host, "CI_API_V4_URL") ?? "https://gitlab.com/api/v4"
  const api = await ForeignApi.make(
    context,
    { "private-token": token },
    "the token needs the scope read_api"
  )
  const root = `${base.replace(/\/+$/, "")}/projects/${encodeURIComponent(repository)}`
  const list =
    number === undefined
      ? await api.all(`${root}/repository/commits/${commit}/merge_requests?per_page=100`)
      : [await api.get(`${root}/merge_requests/${number}`)]
  const found: Array<Json.Fields> = []
  for (const request of Json.objects(list)) {
    const place = `${root}/merge_requests/${request.iid}`
    const approvals = Json.object(await api.get(`${place}/approvals`))
    const commits = Json.objects(await api.all(`${place}/commits?per_page=100`))
    found.push(
      present({
        url: request.web_url,
        state: request.state,
        author: Json.text(Json.object(request.author).username) ?? "",
        title: request.title,
        head_ref: request.source_branch,
        base_ref: request.target_branch,
        merge_commit: request.merge_commit_sha,
        created_at: seconds(request.created_at),
        merged_at: seconds(request.merged_at),
        approvers: Json.objects(approvals.approved_by).map(({ user }) =>
          present({ username: Json.object(user).username, state: "APPROVED" })
        ),
        commits: commits.map(gitlabCommit)
      })
    )
  }
  return found
}

/** The pull requests of a commit. */
export const find = (
  context: CommandContext,
  forge: Forge,
  query: PullRequestQuery
): Promise<ReadonlyArray<Json.Fields>> =>
  forge === "github" ? github(context, query) : gitlab(context, query)
