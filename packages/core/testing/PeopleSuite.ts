/** Members, their access and invitations through the use cases, on any store: laws of histories, races, and ends. */
import type { Ports } from "@attestry/core/Ports"
import type * as Layer from "effect/Layer"
import type { TimeTravel } from "./DueSuite.js"
import { accessGainLaws } from "./internal/AccessGainLaws.js"
import { accessHistoryLaws } from "./internal/AccessHistoryLaws.js"
import { invitationEnds, invitationLaws } from "./internal/InvitationLaws.js"
import { memberLaws } from "./internal/MemberLaws.js"
import { revocationLaws } from "./internal/RevocationLaws.js"
import { type SuiteOptions, suite } from "./Suite.js"

/** Runs the suite on one store. */
export const peopleSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  {
    travel,
    runs,
    ...options
  }: SuiteOptions & { readonly travel: TimeTravel; readonly runs: number }
): void =>
  suite(`People (${name})`, ports, options, (it) => {
    memberLaws(it, runs)
    revocationLaws(it)
    accessGainLaws(it, Math.ceil(runs / 4))
    accessHistoryLaws(it, Math.ceil(runs / 4))
    invitationLaws(it, runs)
    invitationEnds(it, travel)
  })
