/** The notification of a change of access in the whole org: a sentence says who changed what for whom. */
import type { AccessChange, AccessChangeNotice } from "../../access/AccessNotices.js"
import type { OrgName } from "../../shared/Identifier.js"
import type { Timestamp } from "../../shared/Timestamp.js"
import type { AccessChangeNotification } from "../Notification.js"

/** A change with the name of its subject. */
interface Named extends AccessChangeNotice {
  readonly name: string
}

/** What the sentences name. */
interface Given {
  readonly org: OrgName
  readonly at: Timestamp
  /** The name of the subject. */
  readonly name: string
}

/** The subject in a sentence. */
const whom = ({ name, subject: { kind } }: Named): string => {
  if (kind === "everyone") return "everyone in the org"
  return kind === "user" || kind === "org" ? name : `the ${kind.replace("-", " ")} ${name}`
}

const SENTENCES: { readonly [change in AccessChange]: (change: Named) => string } = {
  "grant-given": (change) =>
    change.eligible
      ? `${change.by} has made ${whom(change)} eligible for the role ${change.role} in the whole org`
      : `${change.by} has given ${whom(change)} the role ${change.role} in the whole org`,
  "grant-ended": (change) =>
    change.eligible
      ? `${change.by} has ended that ${whom(change)} is eligible for the role ${change.role} in the whole org`
      : `${change.by} has ended the grant of the role ${change.role} in the whole org to ${whom(change)}`,
  "member-added": ({ by, name, role }) => `${by} has added ${name} as ${role}`,
  "member-joined": ({ name, role }) => `${name} has joined as ${role}`,
  "member-changed": ({ by, name, previous_role, role }) =>
    `${by} has changed the role of ${name} from ${previous_role} to ${role}`,
  "member-suspended": ({ by, name, role }) => `${by} has suspended ${name}, who is ${role}`,
  "member-restored": ({ by, name, role }) =>
    `${by} has ended the suspension of ${name}, who is ${role}`,
  "member-removed": ({ by, name, previous_role }) =>
    `${by} has removed ${name}, who was ${previous_role}`,
  "sign-in-set": ({ by, name, settings }) =>
    `${by} has changed how people sign in to ${name}: ${settings.join(", ")}`,
  "protections-set": ({ by, name }) =>
    `${by} has changed which changes in ${name} need other people`,
  "scim-refused": ({ by, name }) =>
    `the SCIM client ${by} was refused to suspend or remove ${name}, the last admin: make somebody else an admin first`
}

/** The notification of a change. */
export const notificationOf = (
  notice: AccessChangeNotice,
  { at, name, org }: Given
): AccessChangeNotification => {
  const { by, change, previous_role, reason, role, settings, subject } = notice
  return {
    event_type: "ACCESS_CHANGED",
    org,
    at,
    description: SENTENCES[change]({ ...notice, name }),
    access_change: {
      change,
      by,
      subject: { kind: subject.kind, name },
      role,
      previous_role,
      settings,
      reason
    }
  }
}
