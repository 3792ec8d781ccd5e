/**
 * `values.schema.json`, from the defaults in `values.yaml` with their comments, and from the settings of the server.
 * A name that neither has is refused.
 */
import { isMap, isScalar, isSeq, parseDocument } from "yaml"
import * as Settings from "./settings.mjs"

const TEXTS = { type: "array", items: { type: "string" } }
const OBJECTS = { type: "array", items: { type: "object" } }
const FREE = { type: "object" }
const PORT = { type: "integer", minimum: 1, maximum: 65535 }
const COUNT = { type: "integer", minimum: 0 }
/** A period as the command line and Prometheus write it. */
const PERIOD = { type: "string", pattern: "^[1-9][0-9]*(ms|s|m|h|d)$" }
const PULL_POLICY = { type: "string", enum: ["Always", "IfNotPresent", "Never"] }
const DIGEST = { type: "string", pattern: "^(sha256:[0-9a-f]{64})?$" }
const NUMBER_OR_SHARE = { type: ["integer", "string", "null"] }

/** Objects of Kubernetes, which the cluster validates; their defaults are replaced by members. */
const OF_KUBERNETES = new Set([
  "strategy",
  "podSecurityContext",
  "securityContext",
  "resources",
  "startupProbe",
  "livenessProbe",
  "readinessProbe"
])

const MODE = { type: "string", enum: ["warn", "enforce"] }
const FAIL = { type: "string", enum: ["open", "closed"] }
const NAME = { type: "string", minLength: 1 }

/** Forms that a default does not show, by the path of the value. */
const FORMS = {
  store: { type: "string", enum: ["postgres", "embedded"] },
  "embedded.accessModes": TEXTS,
  "embedded.size": { type: "string", pattern: "^[0-9.]+([KMGTPE]i?)?$" },
  "migrations.job.activeDeadlineSeconds": { type: "integer", minimum: 1 },
  "server.image.pullPolicy": PULL_POLICY,
  "server.image.digest": DIGEST,
  "server.replicas": { type: ["integer", "null"], minimum: 1 },
  "server.port": PORT,
  "server.service.port": PORT,
  "server.service.type": { type: "string", enum: ["ClusterIP", "NodePort", "LoadBalancer"] },
  "server.podDisruptionBudget.minAvailable": NUMBER_OR_SHARE,
  "server.podDisruptionBudget.maxUnavailable": NUMBER_OR_SHARE,
  "server.metrics.serviceMonitor.interval": PERIOD,
  "server.metrics.serviceMonitor.scrapeTimeout": PERIOD,
  "server.ingress.hosts": {
    type: "array",
    items: {
      type: "object",
      properties: {
        host: { type: "string", minLength: 1 },
        paths: { type: "array", items: { type: "string", pattern: "^/" } }
      },
      required: ["host"],
      additionalProperties: false
    }
  },
  "reporter.kind": { type: "string", enum: ["Deployment", "CronJob"] },
  "reporter.image.pullPolicy": PULL_POLICY,
  "reporter.image.digest": DIGEST,
  "reporter.url": { type: "string", pattern: "^(https?://.+)?$" },
  "reporter.every": PERIOD,
  "reporter.healthPort": PORT,
  "reporter.extraArgs": TEXTS,
  "reporter.rbac.namespaces": TEXTS,
  "reporter.environments": {
    type: "array",
    items: {
      type: "object",
      properties: { name: { type: "string" }, kind: { type: "string" } },
      required: ["name", "kind"]
    }
  },
  "admission.image.pullPolicy": PULL_POLICY,
  "admission.image.digest": DIGEST,
  "admission.replicas": { type: "integer", minimum: 1 },
  "admission.url": { type: "string", pattern: "^(https?://.+)?$" },
  "admission.mode": MODE,
  "admission.fail": FAIL,
  "admission.policies": TEXTS,
  "admission.registries": TEXTS,
  "admission.verifiers": TEXTS,
  "admission.extraArgs": TEXTS,
  "admission.validFor": PERIOD,
  "admission.answerWithin": PERIOD,
  "admission.port": PORT,
  "admission.healthPort": PORT,
  "admission.service.port": PORT,
  "admission.tls.ca": { type: "string", pattern: "^(\\s*-----BEGIN CERTIFICATE-----[\\s\\S]+)?$" },
  "admission.webhook.failurePolicy": { type: "string", enum: ["Ignore", "Fail"] },
  "admission.webhook.timeoutSeconds": { type: "integer", minimum: 1, maximum: 30 },
  "admission.podDisruptionBudget.minAvailable": NUMBER_OR_SHARE,
  "admission.podDisruptionBudget.maxUnavailable": NUMBER_OR_SHARE,
  "admission.metrics.serviceMonitor.interval": PERIOD,
  "admission.metrics.serviceMonitor.scrapeTimeout": PERIOD,
  "admission.rules": {
    type: "array",
    maxItems: 1000,
    items: {
      type: "object",
      properties: {
        namespace: NAME,
        environment: NAME,
        policies: TEXTS,
        mode: MODE,
        fail: FAIL,
        break_glass: { type: "boolean" },
        ignore: { type: "boolean" }
      },
      required: ["namespace"],
      additionalProperties: false
    }
  }
}

/** The comment above a value, without examples, which are indented. */
const descriptionOf = (comment) => {
  const text = (comment ?? "")
    .split("\n\n")
    .at(-1)
    .split("\n")
    .filter((line) => !line.startsWith("   "))
    .join(" ")
    .replace(/\s+/g, " ")
    .trim()
  return text === "" ? {} : { description: text }
}

const formOfScalar = (value, path) => {
  if (typeof value === "boolean") return { type: "boolean" }
  if (typeof value === "number") return COUNT
  if (typeof value === "string") return { type: "string" }
  throw new Error(`${path}: the schema needs a form for ${value}`)
}

const formOf = (node, path) => {
  const form = FORMS[path]
  if (form !== undefined) return form
  const name = path.split(".").at(-1)
  if (isMap(node) && (node.items.length === 0 || OF_KUBERNETES.has(name))) return FREE
  if (isMap(node)) return membersOf(node, path)
  if (isSeq(node)) return OBJECTS
  return formOfScalar(isScalar(node) ? node.value : undefined, path)
}

const membersOf = (node, path) => ({
  type: "object",
  additionalProperties: false,
  properties: Object.fromEntries(
    node.items.map(({ key, value }, position) => {
      const comment = position === 0 ? (key.commentBefore ?? node.commentBefore) : key.commentBefore
      const below = path === "" ? key.value : `${path}.${key.value}`
      return [key.value, { ...descriptionOf(comment), ...formOf(value, below) }]
    })
  )
})

const settingsForm = () => ({
  // WHY null: every setting of values.yaml may be a comment.
  type: ["object", "null"],
  additionalProperties: false,
  properties: Object.fromEntries(
    Settings.plain.map(({ key, description, form }) => [key, { description, ...form }])
  )
})

/** The schema for a text of `values.yaml`. */
export const of = (text) => {
  const { contents } = parseDocument(text)
  const { properties, ...root } = membersOf(
    { items: contents.items.filter(({ key }) => key.value !== "settings") },
    ""
  )
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    $comment: "Written by `node scripts/chart.mjs`.",
    ...root,
    properties: {
      // Helm passes it to a chart that another chart depends on.
      global: FREE,
      settings: settingsForm(),
      ...properties
    }
  }
}
