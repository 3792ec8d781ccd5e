/** What people set up: flows, environments, policies, controls, notifications, accounts. */
import { POLICIES, prepared, TEMPLATES } from "./PreparedOrg.js"
import {
  BY_NAME,
  fixed,
  named,
  notSet,
  type Place,
  type Shown,
  type WritableResource
} from "./WritableResource.js"

/** Why the space of a new thing is not written here. */
const SPACE = "it is for what is new; `PartialReader.test.ts` writes and reads it back"

const flow: WritableResource = {
  title: "a flow",
  create: "flow.putWithTemplate",
  updates: [
    { by: "flow.putWithTemplate", keeps: true, needs: ["description"] },
    { by: "flow.put", keeps: true }
  ],
  reads: [
    { by: "flow.get" },
    { by: "flow.list", find: (body, at) => named(body, "name", at.flow_name) }
  ],
  place: (name) => ({ flow_name: name }),
  values: (name) => ({ name: fixed(name), template_file: TEMPLATES }),
  shown: { template_file: ({ template }) => template },
  without: { template: "names of artifacts in the old style, which have no effect", space: SPACE }
}

const environment: WritableResource = {
  title: "a physical environment",
  create: "environment.put",
  updates: [
    { by: "environment.put", keeps: true },
    { by: "environment.patch", keeps: true }
  ],
  reads: [
    { by: "environment.get" },
    { by: "environment.list", find: (body, at) => named(body, "name", at.env_name) }
  ],
  place: (name) => ({ env_name: name }),
  values: (name) => ({
    name: fixed(name),
    type: fixed("K8S"),
    policies: [[prepared.policies[0]], [...prepared.policies]],
    policy_modes: [{ [prepared.policies[0]]: "warn" }, { [prepared.policies[0]]: "enforce" }],
    report_every: [900, 3_600],
    when_silent: ["non_compliant", "warn"]
  }),
  // WHY: an answer has the mode of every attached policy, also of those that a request leaves out.
  shown: {
    policy_modes: ({ policy_modes: modes }) => ({
      [prepared.policies[0]]: modes[prepared.policies[0]]
    })
  },
  without: { included_environments: "only a logical environment has members", space: SPACE }
}

const logicalEnvironment: WritableResource = {
  ...environment,
  title: "a logical environment",
  values: (name) => ({
    ...environment.values(name),
    type: fixed("logical"),
    included_environments: [[prepared.environments[0]], [prepared.environments[1]]]
  }),
  without: {
    report_every: "only a physical environment reports",
    when_silent: "as before",
    space: SPACE
  }
}

const allowListEntry: WritableResource = {
  title: "an entry of an allow-list",
  create: "allowList.put",
  // WHY: an entry is replaced as a whole, so that one without an end never keeps an end that has passed.
  updates: [{ by: "allowList.put", keeps: false }],
  reads: [
    {
      by: "allowList.list",
      find: (body, at) => named(body, "artifact_fingerprint", at.fingerprint)
    },
    {
      by: "allowList.listOfOrg",
      find: (body, at) => {
        const { fingerprint, ...entry } = named(body, "fingerprint", at.fingerprint)
        return { ...entry, artifact_fingerprint: fingerprint }
      }
    }
  ],
  place: (name) => ({ env_name: prepared.environments[0], fingerprint: digestOf(name) }),
  values: (name) => ({
    artifact_fingerprint: fixed(digestOf(name)),
    expires_at: [inDays(1), inDays(2)],
    owner: ["max", "sue"]
  })
}

const inDays = (days: number): number => Math.floor(Date.now() / 1_000) + days * 86_400

/** A fingerprint of a name's own. */
const digestOf = (name: string): string =>
  Buffer.from(name).toString("hex").padEnd(64, "0").slice(0, 64)

const newestOf = (field: string) => (resource: Shown) =>
  [...resource.versions].sort((left, right) => right.version - left.version)[0]?.[field]

const policy: WritableResource = {
  title: "a policy",
  create: "policy.putNamed",
  updates: [
    { by: "policy.putNamed", keeps: false },
    { by: "policy.put", keeps: false }
  ],
  reads: [
    { by: "policy.get" },
    { by: "policy.list", find: (body, at) => named(body, "name", at.name) }
  ],
  place: BY_NAME,
  values: (name) => ({
    name: fixed(name),
    policy_yaml: POLICIES,
    // WHY one value: a comment belongs to a version, and only another text makes one.
    comment: fixed("a comment")
  }),
  shown: { policy_yaml: newestOf("policy_yaml"), comment: newestOf("comment") },
  hidden: { type: "there is one type of policies" },
  without: {
    policy_file: "the same text as `policy_yaml`, from a form",
    space: SPACE,
    unless: "what the request rules out, and nothing of the policy"
  }
}

const SCHEMAS = [{ type: "object" }, { type: "object", required: ["load"] }]

const attestationType: WritableResource = {
  title: "a custom attestation type",
  create: "attestationType.put",
  updates: [{ by: "attestationType.put", keeps: false }],
  reads: [
    { by: "attestationType.get" },
    { by: "attestationType.list", find: (body, at) => named(body, "name", at.type_name) }
  ],
  place: (name) => ({ type_name: name }),
  values: (name) => ({
    name: fixed(name),
    type_schema: [SCHEMAS[0], SCHEMAS[1]],
    evaluator: [
      { content_type: "jq", rules: [".load < 1"] },
      { content_type: "jq", rules: [".load < 2"] }
    ],
    summary: [[{ name: "load", expression: ".load" }], [{ name: "more", expression: ".more" }]]
  }),
  shown: {
    type_schema: newestOf("type_schema"),
    evaluator: newestOf("evaluator"),
    summary: newestOf("summary")
  }
}

const control: WritableResource = {
  title: "a control",
  create: "control.create",
  updates: [{ by: "control.update", keeps: true }],
  reads: [
    { by: "control.get" },
    { by: "control.list", find: (body, at) => named(body.controls, "identifier", at.identifier) }
  ],
  place: (name) => ({ identifier: name }),
  values: (name) => ({ identifier: fixed(name) }),
  without: { space: SPACE }
}

const serviceAccount: WritableResource = {
  title: "a service account",
  create: "serviceAccount.create",
  updates: [{ by: "serviceAccount.update", keeps: true }],
  reads: [
    { by: "serviceAccount.get" },
    { by: "serviceAccount.list", find: (body, at) => named(body, "name", at.name) }
  ],
  place: BY_NAME,
  values: (name) => ({ name: fixed(name) }),
  without: { space: SPACE }
}

const FAR = 4_000_000_000

const apiKey: WritableResource = {
  title: "an API key",
  create: "apiKey.create",
  updates: [],
  reads: [
    { by: "apiKey.get" },
    { by: "apiKey.list", find: (body, at) => named(body, "id", at.key_id) }
  ],
  place: (_, created): Place => ({ name: prepared.account, key_id: created.id }),
  values: () => ({
    expires_at: [FAR, FAR + 1],
    scope: [
      { permissions: ["gate"], networks: ["10.0.0.0/8"] },
      { permissions: ["pipeline", "scim.write"], networks: ["2001:db8::/32"] }
    ]
  })
}

const tagsOf =
  (resource_type: string, read: WritableResource["reads"][number]["by"]) =>
  (place: Place): WritableResource => ({
    title: `the tags of a ${resource_type}`,
    create: "tag.change",
    updates: [{ by: "tag.change", keeps: true }],
    reads: [{ by: read }],
    place: () => ({ resource_type, ...place }),
    values: () => ({ set_tags: [{ stage: "first" }, { stage: "second" }] }),
    shown: { set_tags: ({ tags }) => tags },
    without: { remove_tags: notSet }
  })

/** The targets of either kind of configuration; times of deliveries are accepted and ignored. */
const TARGETS = [
  [{ type: "WEBHOOK", webhook: "https://example.com/first" }],
  [{ type: "EMAIL", emails: ["second@example.com"] }]
] as const

const notificationConfig: WritableResource = {
  title: "a notification configuration",
  create: "notificationConfig.put",
  updates: [{ by: "notificationConfig.put", keeps: false }],
  reads: [{ by: "notificationConfig.get" }],
  place: () => ({ notification_type: "api_key_expiry" }),
  values: () => ({ targets: TARGETS })
}

const byNumber = (find: "number" | "action_number") => (body: Shown, at: Place) =>
  named(body, "number", Number(at[find]))

const OF_TEAMS = {
  team: "a team names what it reads, so `TeamAction.test.ts` writes and reads it back"
}

const environmentNotification: WritableResource = {
  title: "an environment notification",
  create: "environmentNotification.create",
  updates: [{ by: "environmentNotification.update", keeps: false }],
  reads: [
    { by: "environmentNotification.get" },
    { by: "environmentNotification.list", find: byNumber("number") },
    { by: "action.get" },
    { by: "action.list", find: byNumber("action_number") }
  ],
  findPlace: {
    by: "environmentNotification.list",
    place: (body, name) => {
      const number = String(named(body, "name", name).number)
      return { number, action_number: number }
    }
  },
  place: () => ({}),
  values: (name) => ({
    name: [name, `${name}-2`],
    targets: TARGETS,
    environments: [[prepared.environments[0]], [prepared.environments[1]]]
  }),
  hidden: { type: "there is one type" },
  without: OF_TEAMS
}

const flowNotification: WritableResource = {
  title: "a flow notification",
  create: "action.createForFlows",
  updates: [],
  reads: [{ by: "action.get" }, { by: "action.list", find: byNumber("action_number") }],
  findPlace: {
    by: "action.list",
    place: (body, name) => ({ action_number: String(named(body, "name", name).number) })
  },
  place: () => ({}),
  values: (name) => ({ name: fixed(name), targets: TARGETS, flows: fixed([prepared.flow]) }),
  without: OF_TEAMS
}

/** The resources. */
export const settings: ReadonlyArray<WritableResource> = [
  flow,
  environment,
  logicalEnvironment,
  allowListEntry,
  policy,
  attestationType,
  control,
  serviceAccount,
  apiKey,
  tagsOf("flow", "flow.get")({ resource_id: prepared.flow, flow_name: prepared.flow }),
  tagsOf(
    "environment",
    "environment.get"
  )({
    resource_id: prepared.environments[0],
    env_name: prepared.environments[0]
  }),
  tagsOf(
    "control",
    "control.get"
  )({
    resource_id: prepared.control,
    identifier: prepared.control
  }),
  {
    ...tagsOf("repo", "repo.get")({ repo_name: prepared.repo }),
    findPlace: {
      by: "repo.get",
      isFirst: true,
      place: ({ id }) => ({ resource_type: "repo", resource_id: id, repo_name: prepared.repo })
    }
  },
  notificationConfig,
  environmentNotification,
  flowNotification
]
