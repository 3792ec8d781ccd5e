/** The cookie of a browser session. */
import * as Authentication from "../../shared/internal/Authentication.js"

/** Scripts cannot read the cookie and other sites cannot send it; `Secure` where the public URL has TLS. */
export const print = (base: string, text: string, seconds: number): string =>
  [
    `${Authentication.SESSION_COOKIE}=${text}`,
    "Path=/",
    "HttpOnly",
    "SameSite=Strict",
    `Max-Age=${seconds}`,
    ...(base.startsWith("https:") ? ["Secure"] : [])
  ].join("; ")
