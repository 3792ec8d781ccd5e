/** The sidebar entries of an org, with the permission that each needs. */
import * as Route from "@attestry/web/Route"
import type { IconName } from "../shared/Icon.js"

/** The routes of sidebar entries; each needs only an org. */
export type PlaceTag =
  | "Overview"
  | "Flows"
  | "Artifacts"
  | "Policies"
  | "Waivers"
  | "Controls"
  | "Proposals"
  | "Builds"
  | "Deployments"
  | "Notifications"
  | "Members"
  | "AuditLog"
  | "Log"

/** A sidebar entry. */
export interface Place {
  readonly tag: PlaceTag
  readonly name: string
  readonly icon: IconName
  readonly permission: string
  /** The first path segments below the org that belong to it. */
  readonly segments: ReadonlyArray<string>
}

/** The entries in order: environments and evidence, then administration. */
export const PLACES: ReadonlyArray<ReadonlyArray<Place>> = [
  [
    {
      tag: "Overview",
      name: "Overview",
      icon: "overview",
      permission: "org.read",
      segments: ["", "environments", "diff", "start", "decaying"]
    },
    {
      tag: "Flows",
      name: "Flows",
      icon: "flows",
      permission: "org.read",
      segments: ["flows", "repos"]
    },
    {
      tag: "Artifacts",
      name: "Artifacts",
      icon: "package",
      permission: "org.read",
      segments: [
        "artifacts",
        "attestations",
        "attestation-types",
        "components",
        "evidence",
        "where-it-ran"
      ]
    },
    {
      tag: "Policies",
      name: "Policies",
      icon: "scroll",
      permission: "org.read",
      segments: ["policies", "allow-lists", "trust-policy"]
    },
    {
      tag: "Waivers",
      name: "Waivers",
      icon: "hourglass",
      permission: "org.read",
      segments: ["waivers"]
    },
    {
      tag: "Controls",
      name: "Controls",
      icon: "shield",
      permission: "org.read",
      segments: ["controls"]
    },
    {
      tag: "Proposals",
      name: "Proposals",
      icon: "check",
      permission: "org.read",
      segments: ["proposals", "protections", "break-glass"]
    },
    {
      tag: "Builds",
      name: "Builds",
      icon: "hammer",
      permission: "org.read",
      segments: ["builds"]
    },
    {
      tag: "Deployments",
      name: "Deployments",
      icon: "rocket",
      permission: "org.read",
      segments: ["deployments", "release-evidence"]
    }
  ],
  [
    {
      tag: "Notifications",
      name: "Notifications",
      icon: "bell",
      permission: "org.read",
      segments: ["notifications"]
    },
    {
      tag: "Members",
      name: "Access",
      icon: "users",
      permission: "service-account.create",
      segments: ["members", "teams", "spaces", "access", "service-accounts", "api-keys", "sign-in"]
    },
    {
      tag: "Log",
      name: "Evidence log",
      icon: "book",
      permission: "org.read",
      segments: ["log"]
    },
    {
      tag: "AuditLog",
      name: "Audit log",
      icon: "clipboard",
      permission: "journal.read",
      segments: ["audit-log"]
    }
  ]
]

export const isIn = (route: Route.Route, { segments }: Place): boolean => {
  const [, , segment = ""] = Route.print({ ...route, query: [] }).split("/")
  return Route.orgOf(route) !== undefined && segments.includes(segment)
}
