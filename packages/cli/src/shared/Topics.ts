/** Help topics that are not about one command. */

/** The text of each topic. */
export const TOPICS: { readonly [topic: string]: ReadonlyArray<string> } = {
  environment: [
    "Settings are taken from, in this order: a flag, a variable, .attestry.yaml of the repository,",
    "the profile, the job, a default. `attestry config show` prints each with its source.",
    "",
    "  ATTESTRY_URL             the address of the deployment",
    "  ATTESTRY_API_KEY         the key; there is no flag for it",
    "  ATTESTRY_API_KEY_FILE    a file with the key",
    "  ATTESTRY_ORG             the org",
    "  ATTESTRY_FLOW            the flow",
    "  ATTESTRY_TRAIL           the trail",
    "  ATTESTRY_PROFILE         the profile",
    "  ATTESTRY_OUTPUT          table, json or jsonl",
    "  ATTESTRY_TIMEOUT         the time limit of one attempt: 60s",
    "  ATTESTRY_RETRIES         how often an attempt is repeated: 4",
    "  ATTESTRY_CA_FILE         certificates that are trusted beside the usual ones",
    "  ATTESTRY_ALLOW_HTTP      1 allows plain http to other machines",
    "  ATTESTRY_CONFIG_DIR      the folder of config.yaml and of keys",
    "  ATTESTRY_IF_UNREACHABLE  fail or spool: what becomes of evidence without a server",
    "  ATTESTRY_SPOOL_DIR       the folder of evidence that waits for a server",
    "  ATTESTRY_SPOOL_MAX       the most bytes that wait: 1GiB",
    "  HTTPS_PROXY, HTTP_PROXY, NO_PROXY",
    "  NO_COLOR, FORCE_COLOR"
  ],
  identity: [
    "A job signs in without a stored key: its CI gives it an id token, and the deployment exchanges the token for a",
    "key of a service account that works for 15 minutes. A rule of the account names the jobs that it accepts.",
    "",
    "  attestry put account ci-shop --privilege member",
    "  attestry put identity-rules ci-shop --github acme/shop --branch main",
    "  attestry put identity-rules ci-shop --gitlab acme/shop --environment prod --append",
    "  attestry get identity-rules ci-shop",
    "",
    "The job needs ATTESTRY_URL and ATTESTRY_ORG, no ATTESTRY_API_KEY, and an id token:",
    "",
    "  GitHub Actions  permissions: { id-token: write, contents: read }",
    "  GitLab CI       id_tokens: { ATTESTRY_ID_TOKEN: { aud: https://attestry.example.com } }",
    "  CircleCI        nothing; the rule names its audience with --audience",
    "  Buildkite       nothing",
    "  other CIs       the variable ATTESTRY_ID_TOKEN, with the address of the deployment as audience",
    "",
    "ATTESTRY_SERVICE_ACCOUNT selects the account if rules of several accept the job.",
    "attestry doctor shows how this machine signs in."
  ],
  expressions: [
    "ENV            the latest snapshot of an environment",
    "ENV#12         the twelfth; negative numbers count from the latest",
    "ENV~1          the one before the latest",
    "'ENV@{2.days.ago}', 'ENV@{2026-11-16T10:00:00}', 'ENV@{now}'"
  ],
  ci: [
    "A job is recognised by the variables of its CI; it gives the commit, the branch, the address of the build and",
    "the repository. Flags win over it, and `attestry config show` says what was found and why.",
    "",
    "  export ATTESTRY_URL=https://attestry.example.com ATTESTRY_ORG=acme ATTESTRY_FLOW=shop",
    "  attestry begin",
    "  attestry attest artifact dist/web --slot web",
    "  attestry attest junit reports/ -n web.unit -a dist/web",
    "  attestry assert artifact dist/web --environment prod"
  ]
}
