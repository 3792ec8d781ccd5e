/** The address of a deployment, as callers may write it. */

/** The address without `/api/v2` and without slashes at its end; both spellings are accepted. */
export const origin = (baseUrl: string | URL): string =>
  baseUrl
    .toString()
    .replace(/\/+$/, "")
    .replace(/\/api\/v2$/, "")
    .replace(/\/+$/, "")
