/**
 * The users of GitLab who wrote the commits of a merge request.
 *
 * WHY another API: lists of commits have names and e-mail addresses alone, and approvals have logins alone.
 */
import type { CommandContext } from "../shared/CommandContext.js"
import * as Json from "../shared/Json.js"
import * as ForeignApi from "../transport/ForeignApi.js"

/** A merge request and the place where it is asked for. */
export interface MergeRequestPlace {
  /** The address of the API, such as `https://gitlab.com/api/v4`. */
  readonly base: string
  readonly project: string
  readonly iid: string
}

const QUERY = `query ($project: ID!, $iid: String!, $after: String) {
  project(fullPath: $project) {
    mergeRequest(iid: $iid) {
      commits(first: 100, after: $after) {
        nodes { sha author { username } }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
}`

const MISSING = "this server does not tell the users of commits"

const path = (value: unknown, ...names: ReadonlyArray<string>): unknown =>
  names.reduce((part, name) => Json.object(part)[name], value)

/** The login of each commit whose address belongs to a user. Warns and has none if the server does not tell them. */
export const find = async (
  { output }: CommandContext,
  api: ForeignApi.ForeignApi,
  { base, project, iid }: MergeRequestPlace
): Promise<ReadonlyMap<unknown, string>> => {
  const url = `${base.replace(/\/v4$/, "")}/graphql`
  const found = new Map<unknown, string>()
  let after: string | undefined
  for (let count = 0; count < ForeignApi.PAGES_MAX; count++) {
    const variables = { project, iid, after: after ?? null }
    // WHY: a job's token may not ask this API, and the evidence is of use without the logins.
    const answer = await api.ask(url, { query: QUERY, variables }, MISSING).catch(() => undefined)
    const commits = path(answer, "data", "project", "mergeRequest", "commits")
    if (!Json.isObject(commits)) {
      output.warn(
        "the users of the commits are not known, so authors and approvers can only be compared by " +
          "address: set GITLAB_TOKEN with the scope read_api"
      )
      return found
    }
    for (const node of Json.objects(commits.nodes)) {
      const login = Json.text(path(node, "author", "username"))
      if (login !== undefined) found.set(node.sha, login)
    }
    after = Json.text(path(commits, "pageInfo", "endCursor"))
    if (path(commits, "pageInfo", "hasNextPage") !== true || after === undefined) return found
  }
  return found
}
