/** The nouns of `get` as data: the operation, and the positionals that fill its path. */
import { OPERATIONS, type OperationName, type PathParameter } from "@attestry/api/OperationIndex"

/** A noun of `get`. */
export interface GetNoun {
  readonly noun: string
  readonly brief: string
  readonly operation: OperationName
  /** The positionals in order, each with its path parameter. */
  readonly positionals: ReadonlyArray<readonly [string, string]>
  /** Path parameters with fixed values. */
  readonly fixedPath?: Readonly<Record<string, string>>
  /** The member that `--quiet` prints; by default its name or id. */
  readonly essential?: string
  /** Whether its path has the flow, which comes from a setting. */
  readonly needsFlow: boolean
  /** Whether its operation accepts `as_of`. */
  readonly takesAsOf?: boolean
}

/** A noun without the parts that follow from its operation; its positionals must be parameters of the path. */
type Described<Name extends OperationName> = Omit<
  GetNoun,
  "operation" | "positionals" | "needsFlow"
> & {
  readonly operation: Name
  readonly positionals: ReadonlyArray<readonly [string, PathParameter<Name>]>
}

/** Completes a noun. It needs a flow if the path has one and no positional gives it. */
const named = <Name extends OperationName>(noun: Described<Name>): GetNoun => ({
  ...noun,
  needsFlow:
    OPERATIONS[noun.operation].includes("{flow_name}") &&
    !noun.positionals.some(([, parameter]) => parameter === "flow_name")
})

/** All nouns of `get`. */
export const GET_NOUNS: ReadonlyArray<GetNoun> = [
  named({
    noun: "flow",
    brief: "Show a flow",
    operation: "flow.get",
    positionals: [["FLOW", "flow_name"]]
  }),
  named({
    noun: "trail",
    brief: "Show a trail and how it stands",
    operation: "trail.get",
    positionals: [["TRAIL", "trail_name"]],
    takesAsOf: true
  }),
  named({
    noun: "artifact",
    brief: "Show an artifact: FLOW@FINGERPRINT, FLOW:COMMIT, or FINGERPRINT with --flow",
    operation: "artifact.get",
    positionals: [["ARTIFACT", "fingerprint"]]
  }),
  named({
    noun: "environment",
    brief: "Show an environment",
    operation: "environment.get",
    positionals: [["ENV", "env_name"]]
  }),
  named({
    noun: "snapshot",
    brief: "Show a snapshot of an environment",
    operation: "snapshot.get",
    positionals: [["SNAPSHOT", "snapshot_expression"]],
    takesAsOf: true
  }),
  named({
    noun: "policy",
    brief: "Show a policy",
    operation: "policy.get",
    positionals: [["POLICY", "name"]]
  }),
  named({
    noun: "control",
    brief: "Show a control: ID, or ID@v2 for one version",
    operation: "control.get",
    positionals: [["CONTROL", "identifier"]]
  }),
  named({
    noun: "repository",
    brief: "Show a repository",
    operation: "repo.get",
    positionals: [["NAME", "repo_name"]]
  }),
  named({
    noun: "type",
    brief: "Show a custom attestation type: NAME, or NAME@v2 for one version",
    operation: "attestationType.get",
    positionals: [["TYPE", "type_name"]]
  }),
  named({
    noun: "account",
    brief: "Show a service account",
    operation: "serviceAccount.get",
    positionals: [["NAME", "name"]]
  }),
  named({
    noun: "key",
    brief: "Show what is known of an API key",
    operation: "apiKey.get",
    positionals: [
      ["ACCOUNT", "name"],
      ["ID", "key_id"]
    ]
  }),
  named({
    noun: "deployment",
    brief: "Show a deployment",
    operation: "deployment.get",
    positionals: [["ID", "deployment_id"]]
  }),
  named({
    noun: "decision",
    brief: "Show a decision about a control",
    operation: "control.decision",
    positionals: [
      ["CONTROL", "identifier"],
      ["ID", "decision_id"]
    ]
  }),
  named({
    noun: "notification",
    brief: "Show a notification",
    operation: "action.get",
    positionals: [["NUMBER", "action_number"]]
  }),
  named({
    noun: "approval",
    brief: "Show an approval of a flow",
    operation: "approval.get",
    positionals: [["NUMBER", "number"]]
  }),
  named({
    noun: "newest-deployment",
    brief: "Show the newest deployment of an artifact to an environment",
    operation: "deployment.newest",
    positionals: [
      ["ENV", "env_name"],
      ["FINGERPRINT", "fingerprint"]
    ],
    essential: "id"
  }),
  named({
    noun: "log",
    brief: "Show the state of the evidence log: its size, its keys, and who may read it",
    operation: "log.get",
    positionals: [],
    essential: "state"
  }),
  named({
    noun: "key-expiry-notices",
    brief: "Show where notices about expiring API keys go",
    operation: "notificationConfig.get",
    positionals: [],
    fixedPath: { notification_type: "api_key_expiry" },
    essential: "notification_type"
  }),
  named({
    noun: "waiver-expiry-notices",
    brief: "Show where notices about expiring waivers go",
    operation: "notificationConfig.get",
    positionals: [],
    fixedPath: { notification_type: "waiver_expiry" },
    essential: "notification_type"
  }),
  named({
    noun: "access-notices",
    brief: "Show where notices about uses of keys for emergencies go",
    operation: "notificationConfig.get",
    positionals: [],
    fixedPath: { notification_type: "access_change" },
    essential: "notification_type"
  }),
  named({
    noun: "break-glass-notices",
    brief: "Show where notices about break-glass go",
    operation: "notificationConfig.get",
    positionals: [],
    fixedPath: { notification_type: "break_glass" },
    essential: "notification_type"
  }),
  named({
    noun: "proposal-notices",
    brief: "Show where notices about proposals go",
    operation: "notificationConfig.get",
    positionals: [],
    fixedPath: { notification_type: "proposal" },
    essential: "notification_type"
  }),
  named({
    noun: "default-org",
    brief: "Show the org that commands use if none is given",
    operation: "user.getDefaultOrg",
    positionals: [],
    essential: "default_org_name"
  }),
  named({ noun: "org", brief: "Show the org", operation: "org.get", positionals: [] }),
  named({
    noun: "meta",
    brief: "Show the version, the features and the limits of the deployment",
    operation: "meta.get",
    positionals: []
  })
]
