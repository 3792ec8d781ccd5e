/** What pipelines report: trails, artifacts, attestations of every kind, approvals, repositories. */
import { prepared, TEMPLATES } from "./PreparedOrg.js"
import { fixed, named, type Place, type Shown, type WritableResource } from "./WritableResource.js"

const { flow, trail, commits, fingerprints, slots } = prepared

const SEEN_AS_REPO = "it is read as a repository, which is a resource of its own"

const trailResource: WritableResource = {
  title: "a trail",
  create: "trail.begin",
  updates: [{ by: "trail.begin", keeps: true }],
  reads: [
    { by: "trail.get" },
    ...["trail.listFlow", "trail.list"].map((by) => ({
      by,
      find: (body: Shown, at: Place) => named(body.data, "name", at.trail_name),
      omits: ["template_file"]
    }))
  ],
  place: (name) => ({ flow_name: flow, trail_name: name }),
  values: (name) => ({ name: fixed(name), template_file: TEMPLATES }),
  shown: { template_file: ({ template }) => template?.content },
  hidden: { repo_info: SEEN_AS_REPO }
}

const artifact: WritableResource = {
  title: "an artifact",
  create: "artifact.report",
  updates: [{ by: "artifact.report", keeps: false }],
  reads: [
    { by: "artifact.get" },
    { by: "artifact.list", find: (body, at) => named(body, "fingerprint", at.fingerprint) }
  ],
  place: (name) => ({ flow_name: flow, fingerprint: digestOf(name) }),
  values: (name) => ({
    fingerprint: fixed(digestOf(name)),
    trail_name: fixed(trail),
    template_reference_name: fixed(slots[0]),
    git_commit: [commits[0], commits[1]],
    repo_url: ["https://example.com/first", "git@example.com:second"]
  })
}

/** A fingerprint of a name's own. */
const digestOf = (name: string): string =>
  Buffer.from(name).toString("hex").padEnd(64, "0").slice(0, 64)

const attestation = (
  kind: string,
  more: Partial<WritableResource> & { readonly own?: WritableResource["values"] } = {}
): WritableResource => ({
  title: `an attestation of ${kind}`,
  create: `attestation.${kind}`,
  updates: [{ by: `attestation.${kind}`, keeps: false }],
  reads: [
    { by: "attestation.listOnTrail", find: (body) => body[0] },
    {
      by: "attestation.list",
      find: (body, at) => named(body.data, "attestation_name", at.attestation_name)
    }
  ],
  place: (name) => ({ flow_name: flow, trail_name: trail, attestation_name: name }),
  ...more,
  values: (name) => ({
    attestation_name: fixed(name),
    artifact_fingerprint: fixed(fingerprints[0]),
    target_artifacts: fixed([slots[0]]),
    ...more.own?.(name)
  })
})

const approval: WritableResource = {
  title: "an approval",
  create: "approval.create",
  updates: [],
  reads: [
    { by: "approval.get" },
    { by: "approval.list", find: (body, at) => named(body, "number", Number(at.number)) }
  ],
  place: (_, created) => ({ flow_name: flow, number: String(created.number) }),
  values: () => ({
    artifact_fingerprint: [fingerprints[0], fingerprints[1]],
    environment: [prepared.environments[0], prepared.environments[1]]
  })
}

const repo: WritableResource = {
  title: "a repository",
  create: "trail.begin",
  updates: [{ by: "trail.begin", keeps: false }],
  within: "repo_info",
  reads: [
    { by: "repo.get" },
    { by: "repo.list", find: (body, at) => named(body.repos, "name", at.repo_name) }
  ],
  place: (name) => ({ flow_name: flow, repo_name: name }),
  values: (name) => ({
    id: fixed(`id-of-${name}`),
    name: fixed(name),
    provider: fixed("github")
  }),
  shown: { id: ({ repo_id }) => repo_id }
}

/** The resources. */
export const evidence: ReadonlyArray<WritableResource> = [
  trailResource,
  artifact,
  attestation("generic"),
  attestation("junit"),
  attestation("snyk"),
  attestation("sonar"),
  attestation("jira"),
  attestation("pull_request"),
  attestation("custom", {
    own: () => ({ type_name: fixed(prepared.type), attestation_data: [{ load: 1 }, { load: 2 }] })
  }),
  attestation("system", {
    title: "a decision about a control",
    own: () => ({ type_name: fixed("decision"), control: fixed(prepared.control) })
  }),
  attestation("system", {
    title: "a bill of materials",
    alternative: 1,
    own: () => ({ type_name: fixed("sbom") })
  }),
  attestation("system", {
    title: "a session of an agent",
    alternative: 2,
    own: () => ({ type_name: fixed("agent_session") })
  }),
  attestation("override", { own: () => ({ original_attestation_type: fixed("generic") }) }),
  approval,
  repo
]
