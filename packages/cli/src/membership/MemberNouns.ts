/** The nouns of `attestry member list` and `attestry invitation list`. */
import { instant, type ListNoun, listed, text } from "../reading/ListNoun.js"

/** The members of the org, with those who are suspended. */
export const MEMBERS: ListNoun = listed({
  noun: "members",
  brief: "List the members of the org, in the order of joining",
  operation: "membership.members",
  items: "members",
  columns: [
    ["LOGIN", text("login")],
    ["NAME", text("user")],
    ["ROLE", text("role")],
    ["STATE", ({ suspended }) => (suspended === true ? "suspended" : "active")],
    ["SINCE", instant("created_at")]
  ]
})

/** The invitations to the org. */
export const INVITATIONS: ListNoun = listed({
  noun: "invitations",
  brief: "List invitations, newest first",
  operation: "invitation.list",
  items: "invitations",
  columns: [
    ["ID", text("id")],
    ["STATE", text("state")],
    ["ROLE", text("role")],
    [
      "FOR",
      ({ login, display_name, email }, style) =>
        text("for")({ for: login ?? display_name ?? email }, style)
    ],
    ["BY", text("created_by")],
    ["ENDS", instant("expires_at")],
    ["ACCEPTED BY", text("accepted_by")]
  ]
})
