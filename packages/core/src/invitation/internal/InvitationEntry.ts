/** The entries of invitations in the journal: the whole invitation, with a check in place of its digest. Pure. */
import type { WriteContext } from "../../access/internal/WriteContext.js"
import { checkOf } from "../../api-key/ApiKeySecret.js"
import type { JournalRecord } from "../../journal/Journals.js"
import type { Invitation } from "../Invitation.js"

/** The entry of a change. */
export const of = (
  writer: WriteContext,
  kind: "invitation_made" | "invitation_accepted" | "invitation_revoked",
  { digest, ...invitation }: Invitation
): JournalRecord => ({
  ...writer,
  kind,
  subject: { type: "invitation", id: invitation.id },
  // WHY `details`: the log does not show it, as of API keys.
  content: { ...invitation, details: { check: checkOf(digest) } }
})
