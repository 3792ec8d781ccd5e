/**
 * The class of failure of an error of Node's sockets, of TLS, or of undici.
 *
 * It depends on the error's code alone: the messages of these errors hold addresses and ports.
 */
import type { DeliveryReason } from "../../outbound/DeliveryError.js"

const patterns: ReadonlyArray<readonly [RegExp, DeliveryReason]> = [
  [/^(?:UND_ERR_HEADERS_OVERFLOW|RESPONSE_TOO_LARGE)$/, "response too large"],
  // WHY: a response that ends too early has a broken connection.
  [/^HPE_INVALID_EOF_STATE$/, "connection"],
  [/^HPE_/, "invalid response"],
  [/^UND_ERR_INVALID_ARG$/, "invalid request"],
  [/^(?:ERR_TLS_|ERR_SSL_|ERR_OSSL_|EPROTO$)/, "tls"],
  [/(?:^|_)(?:CERT|CRL|ISSUER)(?:_|$)/, "tls"],
  [/^(?:UNABLE_TO_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|HOSTNAME_MISMATCH)/, "tls"],
  [/^ETIMEDOUT$/, "timeout"]
]

/** The class of an error code; `connection` for an unknown one. */
export const fromCode = (code: string): DeliveryReason =>
  patterns.find(([pattern]) => pattern.test(code))?.[1] ?? "connection"

// WHY: errors of undici's HTTP parser have no code but a fixed phrase.
const parserCode = ({ message }: Error): string =>
  message.includes("Invalid EOF state") ? "HPE_INVALID_EOF_STATE" : "HPE_INVALID"

/** The code of an error, or `UNKNOWN`. */
export const codeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return "UNKNOWN"
  if ("code" in error && typeof error.code === "string") return error.code
  return error.name === "HTTPParserError" ? parserCode(error) : "UNKNOWN"
}
