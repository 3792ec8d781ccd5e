/**
 * Which class of failure is this error of Node's sockets, TLS or HTTP parser?
 *
 * Looks at the code alone: the messages of these errors hold addresses and ports.
 */
import type { DeliveryReason } from "../../outbound/DeliveryError.js"

const patterns: ReadonlyArray<readonly [RegExp, DeliveryReason]> = [
  [/^(?:HPE_HEADER_OVERFLOW|RESPONSE_TOO_LARGE)$/, "response too large"],
  [/^HPE_/, "invalid response"],
  [/^ERR_(?:INVALID_CHAR|INVALID_HTTP_TOKEN|UNESCAPED_CHARACTERS)$/, "invalid request"],
  [/^(?:ERR_TLS_|ERR_SSL_|ERR_OSSL_|EPROTO$)/, "tls"],
  [/(?:^|_)(?:CERT|CRL|ISSUER)(?:_|$)/, "tls"],
  [/^(?:UNABLE_TO_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|HOSTNAME_MISMATCH)/, "tls"],
  [/^ETIMEDOUT$/, "timeout"]
]

/** The class of an error code; an unknown one is a fault of the connection. */
export const fromCode = (code: string): DeliveryReason =>
  patterns.find(([pattern]) => pattern.test(code))?.[1] ?? "connection"

/** The code of an error, or `UNKNOWN`. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : "UNKNOWN"
