/** `SpaceStore` on PostgreSQL. */
import { type OrgId, SpaceId } from "@attestry/core/Identifier"
import { PlacementRule } from "@attestry/core/PlacementRule"
import { Space } from "@attestry/core/Space"
import { type NamedKind, SpaceStore } from "@attestry/core/SpaceStore"
import { ThingKind, ThingPlace } from "@attestry/core/ThingPlace"
import type { Timestamp } from "@attestry/core/Timestamp"
import * as SqlClient from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as TenantQueries from "../shared/TenantQueries.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"
import * as PlacedThings from "./PlacedThings.js"

const SPACE = "s.org_id, s.space_id as id, s.parent_id, s.name, s.description, s.from_at, s.to_at"
const PLACE = "p.org_id, p.kind, p.thing_id, p.space_id, p.from_at, p.to_at"

const Found = Schema.Struct({ thing_id: Schema.String, space_id: SpaceId })
const Name = Schema.Struct({ id: Schema.String, name: Schema.String })
const Thing = Schema.Struct({ thing_id: Schema.String })
const Counted = Schema.Struct({ space_id: SpaceId, kind: ThingKind, count: Schema.Int })
const Rules = Schema.Struct({ rules: Schema.Array(PlacementRule) })

/** `SpaceStore` on PostgreSQL. */
export const layer: Layer.Layer<SpaceStore, never, SqlClient.SqlClient | TenantTransaction> =
  Layer.effect(
    SpaceStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* TenantQueries.make
      const [space, place] = [sql.literal(SPACE), sql.literal(PLACE)]

      /** The condition that a row lasts, or held an instant. */
      const isAt = (of: "s" | "p", at: Timestamp | undefined): Fragment =>
        at === undefined
          ? sql.literal(`${of}.to_at is null`)
          : sql`${sql.literal(of)}.from_at <= ${at}::int8
              and (${sql.literal(of)}.to_at is null or ${at}::int8 < ${sql.literal(of)}.to_at)`

      const list = (operation: string, org: OrgId, at?: Timestamp) =>
        rows.all(Space, {
          operation,
          org,
          statement: sql`select ${space} from space s where s.org_id = ${org} and ${isAt("s", at)}
            order by s.space_id`
        })

      /** WHY an advisory lock: the root has no row to lock. */
      const lock = (org: OrgId, purpose: "share" | "change") =>
        rows.run({
          operation: "SpaceStore.hold",
          org,
          statement:
            purpose === "change"
              ? sql`select pg_advisory_xact_lock(hashtextextended(${org} || ' space', 0))`
              : sql`select pg_advisory_xact_lock_shared(hashtextextended(${org} || ' space', 0))`
        })

      const idOf = (kind: NamedKind) => sql(`${kind}_id`)

      const givenPlaces = (places: ReadonlyArray<ThingPlace>) =>
        sql`jsonb_to_recordset(${JSON.stringify(places)}::jsonb) as g (kind text, thing_id text,
          space_id text, from_at int8, to_at int8)`

      return SpaceStore.of({
        list: (org, at) => list("SpaceStore.list", org, at),
        // WHY a statement of its own: the next one must see the spaces that it has waited for.
        hold: (org, purpose) => Effect.zipRight(lock(org, purpose), list("SpaceStore.hold", org)),
        begin: (spaces) => {
          const [first] = spaces
          if (first === undefined) return Effect.void
          return rows.run({
            operation: "SpaceStore.begin",
            org: first.org_id,
            statement: sql`insert into space (org_id, space_id, parent_id, name, description, from_at,
                to_at)
              select ${first.org_id}, g.id, g.parent_id, g.name, g.description, g.from_at, g.to_at
              from jsonb_to_recordset(${JSON.stringify(spaces)}::jsonb) as g (id text, parent_id text,
                name text, description text, from_at int8, to_at int8)`
          })
        },
        end: ({ from_at, id, org_id: org, to_at }) =>
          rows.run({
            operation: "SpaceStore.end",
            org,
            statement: sql`update space set to_at = ${to_at}::int8
              where org_id = ${org} and space_id = ${id} and from_at = ${from_at}::int8`
          }),
        placesOf: (org, { ids, kind }, at) =>
          Effect.map(
            rows.all(Found, {
              operation: "SpaceStore.placesOf",
              org,
              // WHY one thing at a time: a plan for an array that is not known reads all places of the org instead.
              statement: sql`select f.thing_id, f.space_id from unnest(${[...ids]}::text[]) g (id)
                cross join lateral (select p.thing_id, p.space_id from thing_place p
                  where p.org_id = ${org} and p.kind = ${kind} and p.thing_id = g.id
                    and ${isAt("p", at)} limit 1) f`
            }),
            (found): ReadonlyMap<string, SpaceId> =>
              new Map(found.map(({ space_id, thing_id }) => [thing_id, space_id]))
          ),
        listThings: (org, kind, spaces) =>
          Effect.map(
            rows.all(Thing, {
              operation: "SpaceStore.listThings",
              org,
              statement: sql`${PlacedThings.things(sql, { org, kind, spaces })} order by 1`
            }),
            (found) => found.map(({ thing_id }) => thing_id)
          ),
        findThings: (org, { kind, names }) =>
          Effect.map(
            rows.all(Name, {
              operation: "SpaceStore.findThings",
              org,
              statement: sql`select t.${idOf(kind)} as id, t.name from ${sql(kind)} t
                where t.org_id = ${org} and t.name = any(${[...names]}::text[])
                  and t.archived_at is null`
            }),
            (found): ReadonlyMap<string, string> => new Map(found.map(({ id, name }) => [name, id]))
          ),
        namesOf: (org, { ids, kind }) =>
          Effect.map(
            rows.all(Name, {
              operation: "SpaceStore.namesOf",
              org,
              statement: sql`select t.${idOf(kind)} as id, t.name from ${sql(kind)} t
                where t.org_id = ${org} and t.${idOf(kind)} = any(${[...ids]}::text[])`
            }),
            (found): ReadonlyMap<string, string> => new Map(found.map(({ id, name }) => [id, name]))
          ),
        listLast: (org, things) =>
          rows.all(ThingPlace, {
            operation: "SpaceStore.listLast",
            org,
            statement: sql`select ${place}
              from (select distinct g.kind, g.id
                from jsonb_to_recordset(${JSON.stringify(things)}::jsonb) as g (kind text, id text)) g
              cross join lateral (select * from thing_place p where p.org_id = ${org}
                and p.kind = g.kind and p.thing_id = g.id order by p.from_at desc limit 1) p
              order by p.kind, p.thing_id`
          }),
        beginPlaces: (places) => {
          const [first] = places
          if (first === undefined) return Effect.void
          return rows.run({
            operation: "SpaceStore.beginPlaces",
            org: first.org_id,
            statement: sql`insert into thing_place (org_id, kind, thing_id, space_id, from_at, to_at)
              select ${first.org_id}, g.kind, g.thing_id, g.space_id, g.from_at, g.to_at
              from ${givenPlaces(places)}`
          })
        },
        endPlaces: (places) => {
          const [first] = places
          if (first === undefined) return Effect.void
          return rows.run({
            operation: "SpaceStore.endPlaces",
            org: first.org_id,
            statement: sql`update thing_place p set to_at = g.to_at from ${givenPlaces(places)}
              where p.org_id = ${first.org_id} and p.kind = g.kind and p.thing_id = g.thing_id
                and p.from_at = g.from_at`
          })
        },
        countThings: (org) =>
          rows.all(Counted, {
            operation: "SpaceStore.countThings",
            org,
            statement: sql`select p.space_id, p.kind, count(*)::int4 as count from thing_place p
              where p.org_id = ${org} and p.to_at is null
              group by p.space_id, p.kind order by p.space_id, p.kind`
          }),
        findRules: (org) =>
          Effect.map(
            rows.first(Rules, {
              operation: "SpaceStore.findRules",
              org,
              statement: sql`select rules from placement_rule where org_id = ${org}`
            }),
            Option.match({
              onNone: (): ReadonlyArray<PlacementRule> => [],
              onSome: ({ rules }) => rules
            })
          ),
        putRules: (org, rules) =>
          rows.run({
            operation: "SpaceStore.putRules",
            org,
            statement: sql`insert into placement_rule (org_id, rules)
              values (${org}, ${JSON.stringify(rules)}::jsonb)
              on conflict (org_id) do update set rules = excluded.rules`
          })
      })
    })
  )
