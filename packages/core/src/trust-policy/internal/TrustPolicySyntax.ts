/** The patterns and limits of the parts of a trust policy. */
import { NAME_LENGTH_MAX } from "../../shared/Identifier.js"

/** The most rules of a trust policy. */
export const RULES_MAX = 200
/** The most keys of a trust policy. */
export const KEYS_MAX = 100
/** The most characters of a text, such as a pattern or an address. */
export const TEXT_LENGTH_MAX = 2_048
/** The most characters of the name of a parameter. WHY so few: a key of YAML has at most 1,024, with all escapes. */
export const PARAMETER_NAME_LENGTH_MAX = 128
/** The most characters of a key in PEM. */
export const PUBLIC_KEY_LENGTH_MAX = 8_192
/** The most characters of an id of a key and of a name of a trust root. */
export const ID_LENGTH_MAX = NAME_LENGTH_MAX
/** The highest level of the build track of SLSA. */
export const BUILD_LEVEL_MAX = 3

/** The pattern of `_schema`: an absolute address whose last segment is the version. */
export const SCHEMA_PATTERN =
  "^[a-zA-Z][a-zA-Z0-9+.\\-]*:(//[^\\s/?#]+(/[^\\s?#]*)?|[^\\s/?#][^\\s?#]*)/v1$"
/** The pattern of the id of a key and of the name of a trust root. */
export const ID_PATTERN = "^[a-zA-Z0-9][a-zA-Z0-9._\\-]*$"
/** The pattern of an issuer: an exact address, as certificates contain it. */
export const ISSUER_PATTERN = "^https://[^\\s?#@\\\\*]+$"
/** The pattern of a SAN: at least one letter or digit that is not part of a wildcard. */
export const SAN_PATTERN = "[a-zA-Z0-9]"
/** The pattern of the end of a key: a day or a second in UTC. */
export const END_PATTERN = "^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}:[0-9]{2}Z)?$"

/** The first line of a public key in PEM. */
export const PEM_BEGIN = "-----BEGIN PUBLIC KEY-----"
/** The last line of a public key in PEM. */
export const PEM_END = "-----END PUBLIC KEY-----"
