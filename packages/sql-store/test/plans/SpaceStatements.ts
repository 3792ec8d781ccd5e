/** The statements about spaces, about what is in them, and about grants, whose cost is bounded. */
import { ArtifactStore } from "@attestry/core/ArtifactStore"
import { AttestationStore } from "@attestry/core/AttestationStore"
import { ControlStore } from "@attestry/core/ControlStore"
import { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import { FlowStore } from "@attestry/core/FlowStore"
import { GrantStore } from "@attestry/core/GrantStore"
import * as Identifier from "@attestry/core/Identifier"
import { ReadModels } from "@attestry/core/ReadModels"
import { RepoStore } from "@attestry/core/RepoStore"
import { SpaceStore } from "@attestry/core/SpaceStore"
import * as Timestamp from "@attestry/core/Timestamp"
import { TrailStore } from "@attestry/core/TrailStore"
import { Effect, Option } from "effect"
import { fingerprint, page, type Statements } from "./Statement.js"
import * as World from "./World.js"

/** A space with the flow that has everything, and three other things of each kind. */
const mine = [Identifier.SpaceId.make("mine")]
/** A space with one flow, in which nothing happens. */
const quiet = [Identifier.SpaceId.make("quiet")]

const commit = Identifier.CommitSha.make(World.commitOf(7))
const user = { kind: "user", id: "user-7" } as const
const AT = Timestamp.fromMicros(5)
const ALWAYS = { from: Timestamp.fromMicros(0), to: Timestamp.fromMicros(1_000_000) }

/** Reads about as much from a large org as from a small one. */
export const FLAT: Statements = {
  "flows in a space": ({ org }) =>
    Effect.flatMap(FlowStore, (store) =>
      store.list(org.id, { sort: "name", direction: "asc", within: mine }, Option.some(page))
    ),
  "flows in a space by latest activity": ({ org }) =>
    Effect.flatMap(FlowStore, (store) =>
      store.list(
        org.id,
        { sort: "latest_activity", direction: "desc", within: mine },
        Option.some(page)
      )
    ),
  "trails in a space": ({ org }) =>
    Effect.flatMap(TrailStore, (store) => store.list(org.id, { within: mine }, page)),
  "trails in a quiet space": ({ org }) =>
    Effect.flatMap(TrailStore, (store) => store.list(org.id, { within: quiet }, page)),
  "trails of a commit in a space": ({ org }) =>
    Effect.flatMap(TrailStore, (store) =>
      store.listByCommit(org.id, commit, { ...page, within: mine })
    ),
  "artifacts in a space": ({ org }) =>
    Effect.flatMap(ArtifactStore, (store) => store.list({ org: org.id, within: mine }, page)),
  "artifacts in a quiet space": ({ org }) =>
    Effect.flatMap(ArtifactStore, (store) => store.list({ org: org.id, within: quiet }, page)),
  "artifacts of a commit in a space": ({ org }) =>
    Effect.flatMap(ArtifactStore, (store) => store.list({ org: org.id, commit, within: mine })),
  "records of a content in a space": ({ org }) =>
    Effect.flatMap(ArtifactStore, (store) =>
      store.listByContent({ org: org.id, fingerprint: fingerprint(7), within: mine })
    ),
  "controls in a space": ({ org }) =>
    Effect.flatMap(ControlStore, (store) =>
      store.list(org.id, { archived: false, tags: [], direction: "asc", within: mine }, page)
    ),
  "tags of controls in a space": ({ org }) =>
    Effect.flatMap(ControlStore, (store) => store.listTags(org.id, mine)),
  "environments in a space": ({ org }) =>
    Effect.flatMap(EnvironmentStore, (store) => store.page(org.id, { within: mine }, page)),
  "the flows in a space": ({ org }) =>
    Effect.flatMap(SpaceStore, (store) => store.listThings(org.id, "flow", mine)),
  "builds of a flow": ({ flow, org }) =>
    Effect.flatMap(ReadModels, (store) =>
      store.builds(org.id, { ...ALWAYS, flows: [flow.id] }, page)
    ),
  "where a flow is": ({ flow, org }) =>
    Effect.flatMap(SpaceStore, (store) => store.placesOf(org.id, { kind: "flow", ids: [flow.id] })),
  "where a flow was": ({ flow, org }) =>
    Effect.flatMap(SpaceStore, (store) =>
      store.placesOf(org.id, { kind: "flow", ids: [flow.id] }, AT)
    ),
  "the last place of a flow": ({ flow, org }) =>
    Effect.flatMap(SpaceStore, (store) => store.listLast(org.id, [{ kind: "flow", id: flow.id }])),
  "what is granted to a user": ({ org }) =>
    Effect.flatMap(GrantStore, (store) => store.listBindings(org.id, user, AT)),
  "what a user may open": ({ org }) =>
    Effect.flatMap(GrantStore, (store) => store.listEligible(org.id, user.id, AT)),
  "the grants of a user": ({ org }) =>
    Effect.flatMap(GrantStore, (store) => store.listOpen(org.id, user)),
  "whether a space has grants": ({ org }) =>
    Effect.flatMap(GrantStore, (store) =>
      store.hasOpenIn(org.id, Identifier.SpaceId.make("space-7"))
    )
}

/** Reads at most in proportion to the rows that it answers or goes through. */
export const LINEAR: Statements = {
  "attestations in a space": ({ org }) =>
    Effect.flatMap(AttestationStore, (store) => store.list(org.id, { within: mine }, page)),
  "attestations in a quiet space": ({ org }) =>
    Effect.flatMap(AttestationStore, (store) => store.list(org.id, { within: quiet }, page)),
  "repositories of a flow": ({ flow, org }) =>
    Effect.flatMap(RepoStore, (store) =>
      store.list(org.id, { flows: [flow.id], tags: [], direction: "asc" }, page)
    ),
  "tags of the repositories of a flow": ({ flow, org }) =>
    Effect.flatMap(RepoStore, (store) => store.listTags(org.id, { flows: [flow.id] })),
  "things of an org by their spaces": ({ org }) =>
    Effect.flatMap(SpaceStore, (store) => store.countThings(org.id)),
  "grants of an org": ({ org }) =>
    Effect.flatMap(GrantStore, (store) => store.list(org.id, { now: AT, ended: false }, page))
}
