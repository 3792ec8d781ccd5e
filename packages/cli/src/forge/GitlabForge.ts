/** Merge requests of GitLab. */
import { variable } from "../shared/Host.js"
import * as Json from "../shared/Json.js"
import * as ForeignApi from "../transport/ForeignApi.js"
import * as GitlabCommitAuthors from "./GitlabCommitAuthors.js"
import * as PullRequests from "./PullRequests.js"

const { present, seconds } = PullRequests

interface Place {
  readonly api: ForeignApi.ForeignApi
  /** The address of the project. */
  readonly root: string
  /** The logins of the authors of commits. */
  readonly authorsOf: (iid: string) => Promise<ReadonlyMap<unknown, string>>
}

/** A commit with its signature; 404 means that it is not signed. */
const commitOf = async (
  { api, root }: Place,
  item: Json.Fields,
  login: string | undefined
): Promise<Json.Fields> => {
  const signature = await api.get(`${root}/repository/commits/${item.id}/signature`)
  const state = Json.text(Json.object(signature).verification_status)
  return present({
    sha1: item.id,
    message: item.message,
    author: PullRequests.person(item.author_name, item.author_email),
    author_username: login,
    timestamp: seconds(item.authored_date),
    url: item.web_url,
    parents: Array.isArray(item.parent_ids) ? item.parent_ids : undefined,
    verified: state === "verified",
    signature_state: state ?? "unsigned"
  })
}

const approverOf = (entry: Json.Fields): Json.Fields =>
  present({
    username: Json.text(Json.object(entry.user).username) ?? "",
    state: "APPROVED",
    timestamp: seconds(entry.approved_at)
  })

const MISSING = "the merge request is not there, or the token may not see it"

const requestOf = async (at: Place, request: Json.Fields): Promise<Json.Fields> => {
  const { api, root } = at
  const place = `${root}/merge_requests/${request.iid}`
  const approvals = Json.object(await api.need(`${place}/approvals`, MISSING))
  const authors = await at.authorsOf(String(request.iid))
  const commits: Array<Json.Fields> = []
  for (const item of Json.objects(await api.all(`${place}/commits?per_page=100`, MISSING)))
    commits.push(await commitOf(at, item, authors.get(item.id)))
  return present({
    url: Json.text(request.web_url) ?? "",
    state: Json.text(request.state),
    author: Json.text(Json.object(request.author).username) ?? "",
    title: Json.text(request.title),
    head_ref: Json.text(request.source_branch),
    base_ref: Json.text(request.target_branch),
    // WHY both: a squashed fast-forward merge has only the first.
    merge_commit: Json.text(request.merge_commit_sha) ?? Json.text(request.squash_commit_sha),
    created_at: seconds(request.created_at),
    merged_at: seconds(request.merged_at),
    approvers: Json.objects(approvals.approved_by).map(approverOf),
    commits
  })
}

const headersOf = ({
  name,
  value
}: PullRequests.ForgeToken): { readonly [name: string]: string } =>
  name === "CI_JOB_TOKEN" ? { "job-token": value } : { "private-token": value }

/** Finds the merge requests of a commit. */
export const find: PullRequests.ForgeModule["find"] = async (context, query) => {
  const number = PullRequests.numberOf(query)
  const token = PullRequests.tokenOf(context, ["GITLAB_TOKEN", "CI_JOB_TOKEN"])
  const named = query.apiUrl ?? variable(context.host, "CI_API_V4_URL")
  const base = ForeignApi.baseOf(
    named ?? "https://gitlab.com/api/v4",
    "--forge-url or CI_API_V4_URL"
  )
  const api = await ForeignApi.make(context, {
    headers: headersOf(token),
    lacking:
      token.name === "CI_JOB_TOKEN"
        ? "the token of a job may not read merge requests here: set GITLAB_TOKEN with the scope read_api"
        : "the token needs the scope read_api"
  })
  const root = `${base}/projects/${encodeURIComponent(query.repository)}`
  const absent = "the project or the commit is not there, or the token may not see it"
  const list =
    number === undefined
      ? await api.all(
          `${root}/repository/commits/${query.commit}/merge_requests?per_page=100`,
          absent
        )
      : [await api.need(`${root}/merge_requests/${number}`, MISSING)]
  const found: Array<Json.Fields> = []
  const project = query.repository
  const authorsOf = (iid: string) => GitlabCommitAuthors.find(context, api, { base, project, iid })
  for (const request of Json.objects(list))
    found.push(await requestOf({ api, root, authorsOf }, request))
  return found
}
