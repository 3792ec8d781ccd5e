-- Notifications: their settings, their targets, and deliveries that wait.

create sequence outbox_sequence as int8;

-- The state of each kind of notification of an org.
create table notification_config (
  org_id text collate "C" not null references org,
  notification_type text collate "C" not null,
  last_notified_at int8,
  failed_at int8,
  error text,
  primary key (org_id, notification_type),
  check ((failed_at is null) = (error is null))
);

-- The last number of a notification in each org.
create table environment_notification_number (
  org_id text collate "C" primary key references org,
  last int4 not null
);

-- Subscriptions to environments, or to flows where `flows` is set; those of the org have no team.
create table environment_notification (
  org_id text collate "C" not null references org,
  number int4 not null,
  name text not null,
  environments jsonb not null,
  triggers jsonb not null,
  created_at int8 not null,
  created_by text not null,
  last_modified_at int8 not null,
  flows jsonb,
  team_id text collate "C",
  primary key (org_id, number)
);

-- Addresses of notifications.
create table notification_target (
  org_id text collate "C" not null references org,
  target_id text collate "C" not null,
  notification_type text collate "C",
  number int4,
  position int4 not null,
  target jsonb not null,
  context jsonb,
  last_success_at int8,
  last_failure_at int8,
  disabled_at int8,
  last_error text,
  primary key (org_id, target_id),
  check ((notification_type is null) <> (number is null)),
  foreign key (org_id, notification_type) references notification_config,
  foreign key (org_id, number) references environment_notification on delete cascade
) with (fillfactor = 80);
create index notification_target_by_owner
  on notification_target (org_id, number, notification_type, "position");

-- Secrets that sign webhooks.
create table signing_secret (
  org_id text collate "C" primary key references org,
  secret text not null,
  created_at int8 not null,
  previous_secret text,
  previous_signs_until int8,
  check ((previous_secret is null) = (previous_signs_until is null))
);

-- Keys and waivers whose end was announced, with the days that were left.
create table expiry_notice (
  org_id text collate "C" not null references org,
  notification_type text collate "C" not null,
  subject_id text collate "C" not null,
  notified_days int4 not null,
  primary key (org_id, notification_type, subject_id)
);

-- Due instants of environments that were announced.
create table decay_notice (
  org_id text collate "C" not null,
  environment_id text collate "C" not null,
  due_at int8 not null,
  primary key (org_id, environment_id, due_at),
  foreign key (org_id, environment_id) references environment
);

-- Deliveries. While a delivery is leased, `due_at` is the end of the lease, so that one comparison decides which may be
-- claimed. A delivery with an audience is for a team. WHY a digest of the intent: an intent holds names, which may be too
-- long for a key.
create table outbox (
  org_id text collate "C" not null references org,
  delivery_id text collate "C" not null,
  sequence int8 not null default nextval('outbox_sequence'),
  queue text collate "C" not null,
  intent text not null,
  intent_digest bytea not null,
  target jsonb not null,
  notification_type text collate "C",
  notification jsonb not null,
  audience jsonb,
  attempts int4 not null,
  created_at int8 not null,
  due_at int8 not null,
  token int8 not null default 0,
  leased boolean not null default false,
  dead_at int8,
  error text,
  primary key (org_id, delivery_id),
  unique (org_id, intent_digest, queue),
  check ((dead_at is null) = (error is null))
);
create index outbox_waiting on outbox (org_id, queue, due_at, sequence) where dead_at is null;
create index outbox_due on outbox (due_at) where dead_at is null;
create index outbox_leased on outbox (org_id, queue, due_at) where leased;
create index outbox_dead on outbox (org_id, dead_at desc, delivery_id) where dead_at is not null;
create index outbox_dead_by_age on outbox (dead_at) where dead_at is not null;
