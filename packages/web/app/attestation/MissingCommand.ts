/** The request that would report a missing attestation, as a command with the key as a variable. */

/** Where the attestation is missing. */
export interface MissingPlace {
  /** The public address of the deployment. */
  readonly base: string
  readonly org: string
  readonly flow: string
  readonly trail: string
  readonly name: string
  readonly type: string
  /** The artifact that it is about; undefined for the trail. */
  readonly fingerprint: string | undefined
}

const BODIES: { readonly [type: string]: object } = {
  generic: { is_compliant: true },
  junit: {
    junit_results: [{ name: "unit", total: 1, failures: 0, errors: 0, skipped: 0, duration: 1 }]
  },
  snyk: {
    snyk_results: {
      schema_version: 1,
      tool: { name: "scanner", version: "1" },
      results: [{ high_count: 0, medium_count: 0, low_count: 0 }]
    }
  },
  sonar: {
    sonar_results: {
      analysedAt: "2026-01-01T00:00:00Z",
      revision: "COMMIT",
      project: { key: "KEY", url: "https://sonar.example.org" },
      qualityGate: { status: "OK", conditions: [] }
    }
  },
  jira: {
    jira_results: [
      { issue_id: "KEY-1", issue_url: "https://jira.example.org/KEY-1", issue_exists: true }
    ]
  },
  pull_request: {
    git_provider: "github",
    pull_requests: [
      { url: "https://git.example.org/pull/1", state: "MERGED", merge_commit: "COMMIT" }
    ]
  }
}

/** The path and the fields of a type; `*` may be of any type. */
const shapeOf = (type: string): { readonly path: string; readonly fields: object } => {
  if (type.startsWith("custom:"))
    return {
      path: "custom",
      fields: { type_name: type.slice("custom:".length), attestation_data: {} }
    }
  if (type === "decision" || type === "system:decision")
    return {
      path: "system",
      fields: {
        type_name: "decision",
        control: "CONTROL",
        attestation_data: { is_compliant: true }
      }
    }
  if (type === "sbom" || type === "system:sbom")
    return {
      path: "system",
      fields: { type_name: "sbom", attestation_data: { format: "cyclonedx", document: {} } }
    }
  const fields = Object.hasOwn(BODIES, type) ? BODIES[type] : undefined
  return fields === undefined
    ? { path: "generic", fields: { is_compliant: true } }
    : { path: type, fields }
}

/** A text in single quotes, as a shell takes it whole. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** The command. */
export const commandOf = (place: MissingPlace): string => {
  const { base, org, flow, trail, name, type, fingerprint } = place
  const { path, fields } = shapeOf(type)
  const segments = [org, flow, "trail", trail, path].map(encodeURIComponent).join("/")
  const body = {
    attestation_name: name,
    ...(fingerprint === undefined ? {} : { artifact_fingerprint: fingerprint }),
    ...fields
  }
  return [
    'curl -H "Authorization: Bearer $ATTESTRY_API_KEY" -H "Content-Type: application/json"',
    `-d ${quote(JSON.stringify(body))}`,
    quote(`${base}/api/v2/attestations/${segments}`)
  ].join(" ")
}
