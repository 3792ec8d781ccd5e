/** The table of API keys; deleting a service account deletes its keys. */
import type { ApiKey, ApiKeyOwner } from "@attestry/core/ApiKey"
import { table } from "../shared/MemoryState.js"

/** Keys by id. */
export const keys = table<ApiKey>("api_key")

/** Whether a key belongs to an owner. */
export const isOwner = (wanted: ApiKeyOwner, { owner }: ApiKey): boolean =>
  wanted.kind === "user"
    ? owner.kind === "user" && owner.user_id === wanted.user_id
    : owner.kind === "service-account" &&
      owner.org_id === wanted.org_id &&
      owner.service_account_id === wanted.service_account_id
