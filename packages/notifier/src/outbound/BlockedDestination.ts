/**
 * The reason for which a destination is refused.
 *
 * It never repeats the URL or a resolved address: URLs of targets are secrets, and addresses
 * disclose networks.
 */
import * as Schema from "effect/Schema"

const Reason = Schema.Literal(
  "scheme",
  "length",
  "characters",
  "credentials",
  "host",
  "port",
  "name",
  "address",
  "unresolved"
)

const explanations: Readonly<Record<typeof Reason.Type, string>> = {
  scheme: "the URL must start with `https://`",
  length: "the URL is too long",
  characters: "the URL holds a space, a backslash or a character outside printable ASCII",
  credentials: "the URL holds credentials",
  host: "the host is neither an address nor a domain name",
  port: "the port is not a number from 1 to 65535",
  name: "the host name is not a public one",
  address: "the address is not a public one",
  unresolved: "the host name has no address"
}

/** A destination that is not permitted. */
export class BlockedDestination extends Schema.TaggedError<BlockedDestination>()(
  "BlockedDestination",
  { reason: Reason }
) {
  override get message() {
    return `blocked destination: ${explanations[this.reason]}`
  }
}
