-- The rows of an org of a size, from `first` to `last`; `World.ts` and benchmark 25 run each statement behind `part`.
-- WHY not requests: a history of thousands of them would take minutes.

-- section: part

with part as not materialized (
  select n.*, sha256(convert_to(n.view::text, 'UTF8')) as digest
  from (
    select $1::text as org, $2::text as flow, $3::text as wide, $4::text as long, $5::int4 as size, i,
      lpad(to_hex(i), 64, '0') as fingerprint, lpad(to_hex(i), 40, '0') as commit,
      jsonb_build_array(jsonb_build_object('flow_id', $2::text, 'trail_id', $2::text || '/' || i,
        'trail_name', 'run-' || i, 'slot', 'backend', 'artifact_id', 'artifact-' || i, 'status', 'COMPLIANT',
        'reasons', '[]'::jsonb, 'git_commit', lpad(to_hex(i), 40, '0'), 'commit_url', null,
        'git_commit_info', null, 'repo', null, 'first_reported_at', 0, 'previous', null)) as view
    from generate_series($6::int4, $7::int4) i
  ) n
);

-- section: environments

insert into environment (org_id, environment_id, name, type, description, include_scaling, policies,
    require_provenance, tags, created_at, last_modified_at)
  select p.org, p.wide || '-' || p.i, 'environment-' || p.i, 'K8S', '', false, '[]', false, '{}', 0, 0
  from part p;

insert into service_account (org_id, service_account_id, name, privilege, description, creating_user_id, created_at)
  select p.org, p.org || '-account-' || p.i, 'account-' || p.i, 'reader', '', 'u', 0 from part p;

insert into identity_rule (org_id, service_account_id, rules)
  select p.org, p.org || '-account-' || p.i, json_build_array(json_build_object(
    'issuer', 'https://issuer-' || p.i || '.example.org', 'audience', 'a', 'subject', 's',
    'claims', json_build_object(), 'lifetime', 900, 'single_use', false))::jsonb
  from part p;

insert into thing_place (org_id, kind, thing_id, space_id, from_at)
  select p.org, 'environment', p.wide || '-' || p.i, case when p.i <= 3 then 'mine' else 'others' end, 1 from part p;

-- section: spaces

insert into thing_place (org_id, kind, thing_id, space_id, from_at)
  select p.org, 'flow', p.flow || '-' || p.i,
    case when p.i <= 3 then 'mine' when p.i = 4 then 'quiet' else 'others' end, 1
  from part p
  union all select p.org, 'flow', p.flow, 'mine', 1 from part p where p.i = 1
  union all select p.org, 'control', c.identifier, case when p.i <= 3 then 'mine' else 'others' end, 1
    from part p join control c on c.org_id = p.org and c.identifier = 'control-' || p.i;

insert into access_grant (org_id, number, subject_kind, subject_id, space_id, role, eligible, reason, given_by,
    from_at)
  select p.org, p.i, 'user', 'user-' || p.i, 'space-' || p.i, 'member', false, '', 'u', 1 from part p;

-- section: evidence

insert into flow (org_id, flow_id, name, description, visibility, template, template_id, tags,
    created_at, last_modified_at)
  select p.org, p.flow || '-' || p.i, 'flow-' || p.i, '', 'private', '', 't', '{}', 0, 0
  from part p;

insert into trail (org_id, trail_id, flow_id, name, details, repo_ids, created_by, created_at,
    last_modified_at)
  select p.org, p.flow || '/' || p.i, p.flow, 'run-' || p.i, '{"description":null,"git_commit_info":null,"repo_info":null,"external_urls":null,"origin_url":null,"user_data":{}}', '{}', 'test', 0, 0
  from part p;

insert into trail_commit (org_id, sha, ordinal, trail_id, branch)
  select p.org, p.commit, t.ordinal, t.trail_id, ''
  from part p join trail t on t.org_id = p.org and t.trail_id = p.flow || '/' || p.i;

insert into artifact (org_id, artifact_id, flow_id, trail_id, sequence, slot, fingerprint, git_commit,
    report, repo_id, created_by, created_at)
  select p.org, 'artifact-' || p.i, p.flow, p.flow || '/' || p.i, p.i, 'backend', p.fingerprint, p.commit,
    json_build_object('fingerprint', p.fingerprint, 'filename', 'shop', 'commit_url', 'c',
      'build_url', 'https://ci-' || p.i || '.example.org/1', 'git_commit', p.commit,
      'git_commit_info', json_build_object('sha1', p.commit, 'author', 'author-' || p.i)), p.flow || '/' || case when p.i % 100 = 0 then 2 else 1 end, 'test', p.i
  from part p;

insert into attestation (org_id, attestation_id, flow_id, trail_id, sequence, name, type, is_compliant,
    is_override, slots, digest, body, attachments, created_by, created_at)
  select p.org, 'attestation-' || p.i, p.flow, p.flow || '/' || p.i, p.i, 'unit-tests', 'generic', true, false, '{}', 'd',
    '{"attestation_name":"unit-tests","is_compliant":true}', '[]', 'test', 0
  from part p;

insert into trail_evaluation (org_id, trail_id, flow_id, template_id, evaluated_at, status,
    trail_status, record_statuses)
  select p.org, p.flow || '/' || p.i, p.flow, 't', p.i, 'COMPLIANT', '{"status":"COMPLIANT","is_compliant":true,
    "attestations_statuses":[],"artifacts_statuses":{}}',
    json_build_array(json_build_object('artifact_id', 'artifact-' || p.i, 'artifact_fingerprint',
      p.fingerprint, 'template_reference_name', 'backend', 'status', 'COMPLIANT', 'is_compliant', true,
      'attestations_statuses', json_build_array(), 'flow_reasons_for_non_compliance', json_build_array()))
  from part p;

-- WHY one statement, and an epoch that no server begins: a server that runs adds leaves to its own epoch.
, written as (insert into journal (org_id, kind, subject_type, subject_id, actor_kind, actor_id, actor_name, at,
    content, digest)
  select p.org, 'artifact_reported', 'trail', p.flow || '/' || p.i, 'user', 'u', 'u', 0, '{}', '\x00'
  from part p returning org_id, sequence, subject_id)
insert into log_leaf (org_id, epoch, leaf_index, sequence, hash, salt)
  select w.org_id, 9, split_part(w.subject_id, '/', 2)::int8, w.sequence, sha256('a'), sha256('b')
  from written w;

insert into repo (org_id, internal_id, repo_id, name, url, provider, namespace_path, tags,
    latest_activity_at, created_at, last_modified_at)
  select p.org, p.flow || '/' || p.i, p.i::text, 'team/repo-' || p.i, 'https://git' || p.i % 2 || '.example.org/u', 'github',
    jsonb_build_array('team' || p.i % 2, 'x'), '{}', 0, 0, 0
  from part p;

insert into control (org_id, identifier, name, links, tags, version, archived, created_by, created_at)
  select p.org, 'control-' || p.i, 'control ' || p.i, '{}', '{}', 1, false, 'test', 0
  from part p;

insert into snapshot_flows (org_id, digest, flows) select p.org, p.digest, p.view from part p;

-- section: wide

insert into snapshot (org_id, environment_id, index, timestamp, verdict, count_true, count_false, count_null, bucket,
    changes, events_total, commit_position, semantics)
  select p.org, p.wide, 1, 1, 'Unknown', 0, 0, p.size, 0, p.size, p.size, 1, 1 from part p where p.i = 1;

insert into snapshot_row (org_id, environment_id, bucket, row_no, first_index, last_index, started_index, name, fingerprint,
    verdict, flows_digest, doc)
  select p.org, p.wide, 0, p.i, 1, 2147483647, 1, 'name-' || p.i, p.fingerprint, 'Unknown', p.digest, '[[1]]'
  from part p;

insert into snapshot_event (org_id, environment_id, index, position, bucket, row_no, type, was, now, arrived)
  select p.org, p.wide, 1, p.i, 0, p.i, 'started-compliant', 0, 1, true from part p;

insert into exposure (org_id, fingerprint, environment_id, first_index, from_at, started_verdict, verdict,
    non_compliant, name)
  select p.org, p.fingerprint, p.wide, 1, 1, 'Unknown', 'Unknown', 0, 'name-' || p.i from part p;

insert into deployment (org_id, environment_id, index, position, timestamp, fingerprint, total)
  select p.org, p.wide, 1, p.i, 1, p.fingerprint, p.size from part p;

insert into deployment_repo (org_id, repo_id, flow_id, environment_id, index, position, timestamp,
    first_reported_at, total)
  select p.org, p.flow || '/1', p.flow, p.wide, 1, p.i, 1, 0, p.size from part p;

insert into deployment_flow (org_id, flow_id, environment_id, index, position, timestamp, total)
  select p.org, p.flow, p.wide, 1, p.i, 1, p.size from part p;

-- section: long

insert into snapshot (org_id, environment_id, index, timestamp, verdict, count_true, count_false, count_null, bucket,
    changes, events_total, commit_position, semantics)
  select p.org, p.long, p.i, p.i, 'Unknown', 0, 0, 1, p.i / 32, p.i % 32, 2 * p.i - 1, p.i, 1 from part p;

insert into snapshot_row (org_id, environment_id, bucket, row_no, first_index, last_index, started_index, name, fingerprint,
    verdict, flows_digest, doc)
  select p.org, p.long, p.i / 32, 1000000 + p.i, p.i, case when p.i = p.size then 2147483647 else p.i end, p.i, 'name',
    p.fingerprint, 'Unknown', p.digest, '[[1]]'
  from part p;

insert into snapshot_event (org_id, environment_id, index, position, bucket, row_no, type, was, now, arrived)
  select p.org, p.long, p.i, 1, (p.i - 1) / 32, 1000000 + p.i - 1, 'exited', 1, 0, false
    from part p where p.i > 1
  union all
  select p.org, p.long, p.i, case when p.i = 1 then 1 else 2 end, p.i / 32, 1000000 + p.i, 'started-compliant', 0, 1, true
    from part p;

insert into exposure (org_id, fingerprint, environment_id, first_index, last_index, from_at, to_at, started_verdict,
    verdict, non_compliant, name)
  select p.org, p.fingerprint, p.long, p.i, nullif(p.i, p.size), p.i, case when p.i < p.size then p.i + 1 end, 'Unknown',
    'Unknown', 0, 'name'
  from part p;

insert into snapshot_start (org_id, environment_id, flow_id, slot, index, name, fingerprint, view)
  select p.org, p.long, p.flow, 'backend', p.i, 'name', p.fingerprint, p.view -> 0
  from part p;

insert into deployment (org_id, environment_id, index, position, timestamp, fingerprint, total)
  select p.org, p.long, p.i, case when p.i = 1 then 1 else 2 end, p.i, p.fingerprint, p.i from part p;

insert into deployment_repo (org_id, repo_id, flow_id, environment_id, index, position, timestamp,
    first_reported_at, total)
  select p.org, p.flow || '/1', p.flow, p.long, p.i, case when p.i = 1 then 1 else 2 end, p.i, 0, p.i from part p;

insert into deployment_flow (org_id, flow_id, environment_id, index, position, timestamp, total)
  select p.org, p.flow, p.long, p.i, case when p.i = 1 then 1 else 2 end, p.i, p.i from part p;
