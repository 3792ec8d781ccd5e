/** The `User-Agent` of the client. */

/** The default `User-Agent`; browsers set their own. */
export const defaultUserAgent = (): string | undefined =>
  typeof navigator !== "undefined" && navigator.userAgent.startsWith("Mozilla/")
    ? undefined
    : "attestry-client"
