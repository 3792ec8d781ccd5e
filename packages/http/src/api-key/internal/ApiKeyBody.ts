/** API keys in bodies: as answers, and the end of a new one. */
import type { ApiKeyResponse } from "@attestry/api/ApiKeyApi"
import type { ApiKey } from "@attestry/core/ApiKey"
import * as Timestamp from "@attestry/core/Timestamp"

/** The fields of every answer about a key. */
export const shownOf = ({ id, description, created_at, expires_at, scope }: ApiKey) => ({
  id,
  description,
  created_at,
  expires_at,
  ...(scope === undefined ? {} : { scope })
})

/** The mark of a key for emergencies; other keys have none. */
export const markOf = ({ emergency }: ApiKey) => (emergency === undefined ? {} : { emergency })

/** A key without its secret. */
export const responseOf = (key: ApiKey): typeof ApiKeyResponse.Type => ({
  ...shownOf(key),
  last_used_at: key.last_used_at,
  ...(key.grace_period_expires_at === null
    ? {}
    : { grace_period_expires_at: key.grace_period_expires_at })
})

/** The end of a new key; 0 and `null` are never. */
export const endOf = (seconds: number | null | undefined): Timestamp.Timestamp | null =>
  seconds === undefined || seconds === null || seconds === 0 ? null : Timestamp.fromSeconds(seconds)
