/** The nouns of `attestry waiver list` and `waiver get`. */
import type { GetNoun } from "../reading/GetTable.js"
import { instant, type ListNoun, listed, text } from "../reading/ListNoun.js"

/** The waivers of an org. */
export const WAIVERS: ListNoun = listed({
  noun: "waivers",
  brief: "List waivers, newest first",
  operation: "waiver.list",
  items: "waivers",
  filters: {
    state: "state",
    policy_name: "policy",
    environment: "environment",
    owner: "owner"
  },
  columns: [
    ["NUMBER", text("number")],
    ["STATE", text("state")],
    ["POLICY", text("policy_name")],
    ["ENVIRONMENT", text("environment")],
    ["OWNER", text("owner")],
    ["ENDS", instant("expires_at")],
    ["REASON", text("reason")]
  ]
})

/** One waiver. */
export const WAIVER: GetNoun = {
  noun: "waiver",
  brief: "Show a waiver, and what it waives now",
  operation: "waiver.get",
  positionals: [["NUMBER", "number"]],
  essential: "state",
  needsFlow: false
}
