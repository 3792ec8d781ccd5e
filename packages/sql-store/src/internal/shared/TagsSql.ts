/** Conditions on a column of tags. */
import type { SqlClient } from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"

/** Whether there is a tag, with the value where one is given. */
export const has = (
  sql: SqlClient,
  tags: Fragment,
  { key, value }: { readonly key: string; readonly value?: string | undefined }
): Fragment =>
  value === undefined
    ? sql`jsonb_exists(${tags}, ${key})`
    : sql`${tags} @> ${JSON.stringify(Object.fromEntries([[key, value]]))}::jsonb`
