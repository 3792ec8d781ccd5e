/**
 * `attest jira`: finds the issues that the commit, the branch or a text mentions, and checks that they exist. With
 * `--trailer`, only those that trailers of the commit name.
 */
import { resolve } from "node:path"
import * as WorkingTree from "@attestry/client/node/PlainWorkingTree"
import * as CommitTrailers from "../../forge/CommitTrailers.js"
import * as IssueKeys from "../../forge/IssueKeys.js"
import type { Arguments } from "../../shared/Arguments.js"
import type { CommandContext } from "../../shared/CommandContext.js"
import { usage } from "../../shared/CommandFailure.js"
import { variable } from "../../shared/Host.js"
import * as Json from "../../shared/Json.js"
import * as ForeignApi from "../../transport/ForeignApi.js"
import { command } from "../Attest.js"
import * as EvidenceFields from "../EvidenceFields.js"

const authorizationOf = ({ host, output }: CommandContext): string => {
  const token = variable(host, "JIRA_TOKEN")
  const user = variable(host, "JIRA_USER")
  const personal = variable(host, "JIRA_PAT")
  for (const secret of [token, personal]) if (secret !== undefined) output.hide(secret)
  if (personal !== undefined) return `Bearer ${personal}`
  if (user === undefined || token === undefined)
    throw usage("the tracker needs a credential", "set JIRA_USER and JIRA_TOKEN, or JIRA_PAT")
  const basic = Buffer.from(`${user}:${token}`).toString("base64")
  output.hide(basic)
  return `Basic ${basic}`
}

/** The texts that may mention issues. */
const textsOf = async (
  context: CommandContext,
  args: Arguments
): Promise<ReadonlyArray<string>> => {
  const commit = await EvidenceFields.commitOf(context, args)
  const root = resolve(context.host.cwd, args.text("repo-root") ?? ".")
  const trailers = args.texts("trailer")
  if (trailers.length > 0) {
    if (commit === undefined) throw usage("the commit is not known", "give --commit")
    const values = trailers.map((key) => CommitTrailers.read(root, commit, key))
    // WHY in capitals: a trailer has nothing but keys, and people write them in small letters too.
    return (await Promise.all(values)).flat().map((value) => value.toUpperCase())
  }
  const known = commit === undefined ? undefined : await WorkingTree.commit(root, commit)
  const { branch } = await context.job()
  return [
    ...(known === undefined ? [] : [known.message]),
    ...(branch === undefined || args.has("no-branch") ? [] : [branch]),
    ...args.texts("source")
  ]
}

const whereOf = (args: Arguments): string => {
  const trailers = args.texts("trailer")
  return trailers.length === 0 ? "" : ` by a trailer ${trailers.join(" or ")}`
}

/** Runs `attestry attest jira`. */
export const { run } = command({
  operation: "attestation.jira",
  word: "jira",
  gather: async (context, args) => {
    if (args.texts("trailer").length > 0 && args.texts("source").length > 0)
      throw usage("--trailer and --source cannot stand together", "--trailer reads trailers alone")
    const base = ForeignApi.baseOf(args.required("base-url"), "--base-url")
    const keys = IssueKeys.find(await textsOf(context, args), args.texts("project"))
    const api = await ForeignApi.make(context, {
      headers: { authorization: authorizationOf(context) },
      lacking: "may this account see the issues?"
    })
    const fields = args.text("fields")
    const results: Array<Json.Fields> = []
    for (const key of keys) {
      const query = `?fields=${encodeURIComponent(fields ?? "summary,status")}`
      const found = await api.get(`${base}/rest/api/2/issue/${encodeURIComponent(key)}${query}`)
      results.push({
        issue_id: key,
        issue_url: `${base}/browse/${key}`,
        issue_exists: found !== undefined,
        ...(found === undefined || fields === undefined
          ? {}
          : { issue_fields: Json.object(Json.object(found).fields) })
      })
    }
    const missing = results.filter(({ issue_exists }) => issue_exists === false)
    return {
      fields: { jira_results: results },
      files: [],
      summary: keys.length === 0 ? `no issue is referred to${whereOf(args)}` : keys.join(", "),
      findings: (style) => missing.map(({ issue_id }) => `  ${style.text(issue_id)} does not exist`)
    }
  }
})
