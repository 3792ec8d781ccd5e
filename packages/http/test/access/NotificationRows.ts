/** The rows of notifications in the access table. */
import type { Fixture, Row } from "./AccessTable.js"

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
export const notificationRows: { readonly [operation: string]: Row } = {
  "GET /notification-config/{org}/{notification_type}": {
    least: "reader",
    status: 200,
    request: config
  },
  "PUT /notification-config/{org}/{notification_type}": {
    least: "admin",
    status: 201,
    basic: true,
    request: () => ({ ...config(), body: { targets: subscription.targets } })
  },
  "DELETE /notification-config/{org}/{notification_type}": {
    least: "admin",
    status: 200,
    request: config
  },
  "GET /notification-config/{org}/signing-secret": { least: "admin", status: 200 },
  "POST /notification-config/{org}/signing-secret/rotate": { least: "admin", status: 201 },
  "GET /deliveries/{org}/failed": { least: "admin", status: 200 },
  "POST /deliveries/{org}/failed/replay": {
    least: "admin",
    status: 200,
    request: () => ({ body: { ids: "all" } })
  },
  "GET /organizations/{org}/environments_notifications": { least: "reader", status: 200 },
  "PUT /organizations/{org}/environments_notifications": {
    least: "member",
    status: 200,
    request: ({ cell }) => ({ body: { ...subscription, name: cell } })
  },
  "GET /organizations/{org}/environments_notifications/{number}": {
    least: "reader",
    status: 200,
    request: numbered
  },
  "PUT /organizations/{org}/environments_notifications/{number}": {
    least: "member",
    status: 200,
    request: async (fixture) => ({ ...(await numbered(fixture)), body: subscription })
  },
  "DELETE /organizations/{org}/environments_notifications/{number}": {
    least: "member",
    status: 200,
    request: numbered
  },
  "GET /actions/{org}": { least: "reader", status: 200 },
  "GET /actions/{org}/{action_number}": { least: "reader", status: 200, request: action },
  "DELETE /actions/{org}/{action_number}": { least: "member", status: 200, request: action },
  "POST /actions/{org}/{action_number}/test": { least: "member", status: 200, request: action },
  "PUT /actions/{org}/environments": {
    least: "member",
    status: 200,
    request: ({ cell }) => ({ body: { ...subscription, name: cell } })
  },
  "PUT /actions/{org}/flows": {
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
}
