/** The initial text of a new trust policy. */

/** A text with one rule; names of the org replace its example names. */
export const starter = (publicUrl: string): string =>
  [
    `_schema: ${publicUrl}/api/v2/schemas/trust-policy/v1`,
    "# Findings of scans count from this severity on.",
    "scan: { fail_on: high }",
    "# Who signs what. A second rule may name keys instead of an identity.",
    "rules:",
    "  - name: built by our release workflow",
    "    kinds: [provenance]",
    "    signer:",
    "      sigstore:",
    "        roots: [public-good]",
    "        issuer: https://token.actions.githubusercontent.com",
    "        san: https://github.com/acme/shop/.github/workflows/release.yml@refs/tags/*",
    ""
  ].join("\n")
