/** The nouns of `get`, as data: the operation, and the positionals that fill its path. */

/** A noun that can be read by its name. */
export interface GetNoun {
  readonly noun: string
  readonly brief: string
  readonly operation: string
  /** The positionals in order, each with its parameter of the path. */
  readonly positionals: ReadonlyArray<readonly [string, string]>
  readonly needsFlow?: boolean
  /** Whether its operation takes `as_of`. */
  readonly takesAsOf?: boolean
}

/** Every noun of `get`. */
export const GET_NOUNS: ReadonlyArray<GetNoun> = [
  {
    noun: "flow",
    brief: "Show a flow",
    operation: "flow.get",
    positionals: [["FLOW", "flow_name"]]
  },
  {
    noun: "trail",
    brief: "Show a trail and how it stands",
    operation: "trail.get",
    positionals: [["TRAIL", "trail_name"]],
    needsFlow: true,
    takesAsOf: true
  },
  {
    noun: "artifact",
    brief: "Show an artifact: FLOW@FINGERPRINT, FLOW:COMMIT, or FINGERPRINT with --flow",
    operation: "artifact.get",
    positionals: [["ARTIFACT", "fingerprint"]],
    needsFlow: true
  },
  {
    noun: "environment",
    brief: "Show an environment",
    operation: "environment.get",
    positionals: [["ENV", "env_name"]]
  },
  {
    noun: "snapshot",
    brief: "Show a snapshot of an environment",
    operation: "snapshot.get",
    positionals: [["SNAPSHOT", "snapshot"]],
    takesAsOf: true
  },
  {
    noun: "policy",
    brief: "Show a policy",
    operation: "policy.get",
    positionals: [["POLICY", "name"]]
  },
  {
    noun: "control",
    brief: "Show a control",
    operation: "control.get",
    positionals: [["CONTROL", "identifier"]]
  },
  {
    noun: "repository",
    brief: "Show a repository",
    operation: "repo.get",
    positionals: [["NAME", "repo_name"]]
  },
  {
    noun: "type",
    brief: "Show a custom attestation type: NAME, or NAME@v2 for one version",
    operation: "attestationType.get",
    positionals: [["TYPE", "type_name"]]
  },
  {
    noun: "account",
    brief: "Show a service account",
    operation: "serviceAccount.get",
    positionals: [["NAME", "name"]]
  },
  {
    noun: "key",
    brief: "Show what is known of an API key",
    operation: "apiKey.get",
    positionals: [
      ["ACCOUNT", "name"],
      ["ID", "key_id"]
    ]
  },
  {
    noun: "deployment",
    brief: "Show a deployment",
    operation: "deployment.get",
    positionals: [["ID", "deployment_id"]]
  },
  {
    noun: "decision",
    brief: "Show a decision about a control",
    operation: "control.decision",
    positionals: [
      ["CONTROL", "identifier"],
      ["ID", "decision_id"]
    ]
  },
  {
    noun: "notification",
    brief: "Show a notification",
    operation: "action.get",
    positionals: [["NUMBER", "action_number"]]
  },
  {
    noun: "approval",
    brief: "Show an approval of a flow",
    operation: "approval.get",
    positionals: [["NUMBER", "number"]],
    needsFlow: true
  },
  { noun: "org", brief: "Show the org", operation: "org.get", positionals: [] },
  {
    noun: "meta",
    brief: "Show the version, the features and the limits of the deployment",
    operation: "meta.get",
    positionals: []
  }
]
