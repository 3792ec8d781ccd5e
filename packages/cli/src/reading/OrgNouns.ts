/** The nouns of `list` about an org as a whole: builds, running artifacts, deliveries, erasures and tags. */
import * as Json from "../shared/Json.js"
import * as KeyScope from "../shared/KeyScope.js"
import {
  type Column,
  digest,
  instant,
  type ListNoun,
  listed,
  NAME,
  outcome,
  text
} from "./ListNoun.js"

const TAG: ReadonlyArray<Column> = [
  ["KEY", text("key")],
  ["VALUE", text("value")]
]

/** The verdict of a run, which the API gives as a word. */
const verdict: Column = [
  "VERDICT",
  (item, style) => {
    const words: ReadonlyMap<unknown, boolean> = new Map([
      ["Compliant", true],
      ["NonCompliant", false]
    ])
    return outcome("verdict")({ verdict: words.get(item.verdict) }, style)
  }
]

/** The nouns about an org. */
export const ORG_NOUNS: ReadonlyArray<ListNoun> = [
  listed({
    noun: "org-keys",
    brief: "List the API keys of all members and service accounts, oldest first",
    operation: "apiKey.listOrg",
    items: "api_keys",
    filters: {
      unused_days: "unused-days",
      ends_within_days: "ends-within-days",
      unscoped: "unscoped"
    },
    columns: [
      ["ID", text("id")],
      ["OWNER", ({ owner }, style) => text("name")(Json.object(owner), style)],
      ["SCOPE", ({ scope }, style) => style.text(KeyScope.textOf(scope))],
      ["MADE", instant("created_at")],
      ["USED", instant("last_used_at")],
      ["ENDS", instant("expires_at")]
    ]
  }),
  listed({
    noun: "own-keys",
    brief: "List your own API keys, oldest first",
    operation: "personalKey.list",
    items: "api_keys",
    columns: [
      ["ID", text("id")],
      ["DESCRIPTION", text("description")],
      ["SCOPE", ({ scope }, style) => style.text(KeyScope.textOf(scope))],
      ["MADE", instant("created_at")],
      ["USED", instant("last_used_at")],
      ["ENDS", instant("expires_at")]
    ]
  }),
  listed({
    noun: "builds",
    brief: "List builds, which are the first records of fingerprints, newest first",
    operation: "build.list",
    items: "builds",
    perPageMax: 50,
    filters: { repo_name: "repo", start_ts: "since", end_ts: "until" },
    columns: [
      ["FINGERPRINT", digest("fingerprint")],
      ["NAME", text("artifact_name")],
      ["FLOW", text("flow_name")],
      ["TRAIL", text("trail_name")],
      ["COMMIT", digest("git_commit")],
      ["BUILT", instant("created_at")]
    ]
  }),
  listed({
    noun: "running",
    brief: "List the running artifacts of a repository",
    operation: "deployment.liveArtifacts",
    items: "live_artifacts",
    path: { repo_name: "repo" },
    columns: [
      ["ENVIRONMENT", text("environment_name")],
      ["NAME", text("artifact_name")],
      ["FINGERPRINT", digest("fingerprint")],
      ["COMMIT", digest("git_commit")],
      ["COMPLIANT", outcome("compliant")],
      ["STARTED", instant("started_at")]
    ]
  }),
  listed({
    noun: "runs",
    brief: "List where an artifact ran and runs, oldest first",
    operation: "artifact.runs",
    items: "runs",
    path: { fingerprint: "fingerprint" },
    usualDirection: "asc",
    columns: [
      ["ENVIRONMENT", text("environment")],
      NAME,
      ["STARTED", instant("started_at")],
      [
        "ENDED",
        (item, style) => (item.ended_at === null ? "runs" : instant("ended_at")(item, style))
      ],
      verdict
    ]
  }),
  listed({
    noun: "system-types",
    brief: "List the built-in attestation types whose data has a schema",
    operation: "attestation.listSystemTypes",
    columns: [
      NAME,
      [
        "VERSIONS",
        (item, style) =>
          style.text(
            Json.objects(item.versions)
              .map(({ version }) => version)
              .join(", ")
          )
      ]
    ]
  }),
  listed({
    noun: "control-versions",
    brief: "List the versions of a control, newest first",
    operation: "control.versions",
    items: "versions",
    path: { identifier: "control" },
    usualDirection: "desc",
    columns: [
      ["VERSION", text("version")],
      ["CHANGE", text("kind")],
      NAME,
      ["WHEN", instant("timestamp")],
      ["BY", text("user")]
    ]
  }),
  listed({
    noun: "control-coverage",
    brief: "List controls with the number of environments that enforce each",
    operation: "control.matrix",
    items: "controls",
    filters: { search: "search", tag: "tag", archived: "archived" },
    usualDirection: "asc",
    columns: [
      ["IDENTIFIER", text("identifier")],
      NAME,
      ["ENVIRONMENTS", (item) => `${Json.number(item.covered)} of ${Json.number(item.total)}`],
      [
        "FAILING",
        (item) => {
          const cells = Json.objects(item.cells)
          const failing = cells.reduce((sum, cell) => sum + Json.number(cell.rows_failing), 0)
          return cells.length < Json.number(item.total)
            ? `${failing} in the first ${cells.length}`
            : String(failing)
        }
      ]
    ]
  }),
  listed({
    noun: "control-tags",
    brief: "List the tags of controls",
    operation: "control.tags",
    columns: TAG
  }),
  listed({
    noun: "repository-tags",
    brief: "List the tags of repositories",
    operation: "repo.tags",
    columns: TAG
  }),
  listed({
    noun: "failed-deliveries",
    brief: "List notifications that could not be delivered, newest failure first",
    operation: "delivery.failed",
    items: "deliveries",
    columns: [
      ["ID", text("id")],
      ["NOTIFICATION", (item, style) => text("name")(Json.object(item.notification), style)],
      ["EVENT", text("event_type")],
      ["TARGET", text("target_type")],
      ["ERROR", text("error")],
      ["ATTEMPTS", text("attempts")],
      ["FAILED", instant("failed_at")]
    ]
  }),
  listed({
    noun: "erasures",
    brief: "List erasures of personal data, newest first",
    operation: "log.listErasures",
    columns: [
      ["WHEN", instant("at")],
      ["BY", text("by")],
      ["REASON", text("reason")],
      ["ENTRIES", (item) => String(Json.list(item.entries).length)]
    ]
  })
]
