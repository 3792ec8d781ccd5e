/** The rows of notifications in the access table. */
import type { Fixture, Rows } from "./AccessTable.js"

/** A valid environment notification. */
export const subscription = {
  name: "releases",
  type: "env",
  environments: ["prod"],
  triggers: ["ON_STARTED_ARTIFACT"],
  targets: [{ type: "EMAIL", emails: ["ops@example.org"] }]
}

const config = () => ({ path: { notification_type: "api_key_expiry" } })

const action = async ({ newSubscription }: Fixture) => ({
  path: { action_number: await newSubscription() }
})

const numbered = async ({ newSubscription }: Fixture) => ({
  path: { number: await newSubscription() }
})

/** The operations of notification configurations, signing secrets and environment notifications. */
export const notificationRows = {
  "notificationConfig.get": {
    least: "reader",
    status: 200,
    request: config
  },
  "notificationConfig.put": {
    least: "admin",
    status: 201,
    basic: true,
    request: () => ({ ...config(), body: { targets: subscription.targets } })
  },
  "notificationConfig.delete": {
    least: "admin",
    status: 200,
    request: config
  },
  "notificationConfig.secret": { least: "admin", status: 200 },
  "notificationConfig.rotateSecret": { least: "admin", status: 201 },
  "delivery.failed": { least: "member", status: 200 },
  "delivery.replay": {
    least: "member",
    status: 200,
    request: () => ({ body: { ids: "all" } })
  },
  "environmentNotification.list": { least: "reader", status: 200 },
  "environmentNotification.create": {
    least: "member",
    status: 200,
    request: ({ cell }) => ({ body: { ...subscription, name: cell } })
  },
  "environmentNotification.get": {
    least: "reader",
    status: 200,
    request: numbered
  },
  "environmentNotification.update": {
    least: "member",
    status: 200,
    request: async (fixture) => ({ ...(await numbered(fixture)), body: subscription })
  },
  "environmentNotification.delete": {
    least: "member",
    status: 200,
    request: numbered
  },
  "action.list": { least: "reader", status: 200 },
  "action.get": { least: "reader", status: 200, request: action },
  "action.delete": { least: "member", status: 200, request: action },
  "action.test": { least: "member", status: 200, request: action },
  "action.createForEnvironments": {
    least: "member",
    status: 200,
    request: ({ cell }) => ({ body: { ...subscription, name: cell } })
  },
  "action.createForFlows": {
    least: "member",
    status: 200,
    request: ({ cell }) => ({
      body: {
        name: cell,
        type: "flow",
        flows: ["flow"],
        triggers: ["ON_STARTED_TRAIL"],
        targets: subscription.targets
      }
    })
  }
} satisfies Rows
