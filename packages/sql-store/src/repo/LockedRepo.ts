/**
 * A repository that was read together with the lock of a trail, for whoever asks for it next in the same
 * transaction. It is not locked: others may change it, as they may change one that is found.
 */
import { Repo, type RepoKey } from "@attestry/core/Repo"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as TransactionCache from "../shared/TransactionCache.js"

const { id, ...fields } = Repo.fields

/** A repository as its whole row. */
export const Row = Schema.Struct({ ...fields, internal_id: id })

/** The repository of a row. */
export const toRepo = ({ internal_id, ...row }: typeof Row.Type): Repo => ({
  ...row,
  id: internal_id
})

const held = TransactionCache.make<Repo>("repo")

const nameOf = ({ provider, repoId }: Omit<RepoKey, "org">): string => `${provider} ${repoId}`

const keyOf = ({ provider, repo_id: repoId }: Repo): string => nameOf({ provider, repoId })

/** Remembers a repository that was read. */
export const remember = (repo: Repo): Effect.Effect<void> => held.remember(keyOf(repo), repo)

/** Forgets what was read: the transaction writes it. */
export const forget = (repo: Repo): Effect.Effect<void> => held.forget(keyOf(repo))

/** What the transaction under way has read; nothing when it has not. */
export const find = (key: RepoKey): Effect.Effect<Repo | undefined> => held.find(nameOf(key))
