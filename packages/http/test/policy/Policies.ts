/** Writes and reads for tests of policies. */

/** A policy text with these lines below `artifacts:`. */
export const policyYaml = (artifacts: string): string =>
  `_schema: https://example.org/schemas/environment-policy/v1\nartifacts:\n${artifacts}`

/** A policy in a response. */
export interface ShownPolicy {
  readonly name: string
  readonly description: string
  readonly archived: boolean
  readonly consuming_envs: ReadonlyArray<string>
  readonly created_at: number
  readonly last_modified_at: number
  readonly created_by: string
  readonly events: ReadonlyArray<{
    readonly type: string
    readonly timestamp: number
    readonly user: string
    readonly data: object
  }>
  readonly versions: ReadonlyArray<{
    readonly version: number
    readonly comment: string
    readonly created_by: string
    readonly timestamp: number
    readonly policy_yaml: string
  }>
}
