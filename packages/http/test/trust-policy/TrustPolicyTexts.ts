/** Texts of trust policies for tests of the wire. */

/** A public key that no test signs with. */
export const PUBLIC_KEY = `-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEA/f4ifDG5rCDGJzrnOS5kJeSvU2zq7MwTTVt+Nu3LgXg=
-----END PUBLIC KEY-----
`

/** A trust policy with a key and a rule; `comment` makes texts differ. */
export const trustYaml = (
  comment = ""
): string => `_schema: https://example.org/schemas/trust-policy/v1
keys:
  - id: release
    public_key: |
      ${PUBLIC_KEY.trimEnd().replaceAll("\n", "\n      ")}
    valid_until: 2027-12-31
rules:
  - name: releases
    kinds: [sbom]
    signer: { keys: [release] }
# ${comment}
`
