-- Makes the roles of PostgreSQL that group the rights of Lockstep's processes, and a user in each. For an administrator of PostgreSQL, with
-- psql 14 or later; repeatable. Passwords come from the environment, and are set again each time. `lockstep migrate --roles` gives rights.
\set ON_ERROR_STOP 1
\getenv worker LOCKSTEP_WORKER_PASSWORD
\getenv receiver LOCKSTEP_RECEIVER_PASSWORD
\getenv operator LOCKSTEP_OPERATOR_PASSWORD
\getenv console LOCKSTEP_CONSOLE_PASSWORD

-- \gexec runs each row of the answer as a statement.
select format('create role %I nologin', name)
from unnest(array['lockstep_worker', 'lockstep_receiver', 'lockstep_operator', 'lockstep_reader']) name
where not exists (select from pg_roles where rolname = name) \gexec

select format('create role %I login in role %I', name, 'lockstep_' || name)
from unnest(array['worker', 'receiver', 'operator']) name
where not exists (select from pg_roles where rolname = name) \gexec

-- The console acts for operators, so it has their rights.
select 'create role console login in role lockstep_operator'
where not exists (select from pg_roles where rolname = 'console') \gexec

alter role worker password :'worker';
alter role receiver password :'receiver';
alter role operator password :'operator';
alter role console password :'console';
