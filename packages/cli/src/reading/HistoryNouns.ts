/** The nouns of `list` about history: events, decisions, coverage, notifications, approvals, members. */
import { digest, instant, type ListNoun, listed, NAME, names, outcome, text } from "./ListNoun.js"

/** The nouns about history. */
export const HISTORY_NOUNS: ReadonlyArray<ListNoun> = [
  listed({
    noun: "events",
    brief: "List what started and stopped running in an environment, newest first",
    operation: "event.list",
    path: { env_name: "environment" },
    filters: { from: "since", to: "until", interval: "interval", repo_name: "repo" },
    columns: [
      ["SNAPSHOT", text("snapshot_index")],
      ["WHEN", instant("reported_at")],
      ["NAME", text("artifact_name")],
      ["FINGERPRINT", digest("sha256")],
      ["WHAT", text("description")],
      ["VERDICT", outcome("artifact_compliance")]
    ]
  }),
  listed({
    noun: "decisions",
    brief: "List the decisions about a control, newest first",
    operation: "control.decisions",
    items: "decisions",
    path: { identifier: "control" },
    filters: {
      flow_name: "flow",
      is_compliant: "compliant",
      from_timestamp: "since",
      to_timestamp: "until"
    },
    usualDirection: "desc",
    columns: [
      ["NAME", text("attestation_name")],
      ["OUTCOME", outcome("is_compliant")],
      ["FLOW", text("flow_name")],
      ["TRAIL", text("trail_name")],
      ["ARTIFACT", digest("artifact_fingerprint")],
      ["VERSION", text("control_version")],
      ["DECIDED", instant("timestamp")],
      ["BY", text("created_by")]
    ]
  }),
  listed({
    noun: "coverage",
    brief: "List the environments whose policies ask for a control, and those that do not",
    operation: "control.coverage",
    items: "environments",
    path: { identifier: "control" },
    filters: { covered: "covered", search: "search" },
    columns: [NAME, ["COVERED", text("covered")], ["POLICIES", names("policies")]]
  }),
  listed({
    noun: "notifications",
    brief: "List notifications of environments and flows",
    operation: "action.list",
    columns: [
      ["NUMBER", text("number")],
      NAME,
      ["ENVIRONMENTS", names("environments")],
      ["FLOWS", names("flows")],
      ["ON", names("triggers")],
      ["DELIVERED", instant("last_success_timestamp")],
      ["FAILING", text("is_failing")]
    ]
  }),
  listed({
    noun: "approvals",
    brief: "List the approvals of a flow, newest first",
    operation: "approval.list",
    path: { flow_name: "flow" },
    columns: [
      ["NUMBER", text("number")],
      ["STATE", text("state")],
      ["ARTIFACT", digest("artifact_fingerprint")],
      ["MADE", instant("created_at")],
      ["BY", text("created_by")]
    ]
  }),
  listed({
    noun: "members",
    brief: "List the members of the org",
    operation: "membership.members",
    items: "members",
    columns: [
      ["LOGIN", text("login")],
      ["NAME", text("user")],
      ["ROLE", text("role")],
      ["SINCE", instant("created_at")]
    ]
  }),
  listed({
    noun: "membership-log",
    brief: "List changes of memberships, newest first",
    operation: "membership.auditLog",
    items: "events",
    filters: {
      search: "search",
      role: "role",
      from_timestamp: "since",
      to_timestamp: "until"
    },
    usualDirection: "desc",
    columns: [
      ["WHEN", instant("created_at")],
      ["USER", text("user")],
      ["WHAT", text("event_type")],
      ["ROLE", text("role")],
      ["BEFORE", text("previous_role")],
      ["BY", text("changed_by")]
    ]
  })
]
