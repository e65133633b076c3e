-- The rights of the role that `serve` has, and nothing beyond them: see "A separate role for `serve`" in docs/operations.md. PostgreSQL's
-- administrator runs it after each `migrate`; to run it again does no harm. The setting serving.password names the role's password;
-- without it the role keeps the one that it has.

BEGIN;

DO $$
DECLARE
  password text := nullif(current_setting('serving.password', true), '');
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'agent_readiness_serve') THEN
    IF password IS NULL THEN
      RAISE EXCEPTION 'There is no role agent_readiness_serve yet: name its password, PGOPTIONS="-c serving.password=PASSWORD".';
    END IF;
    CREATE ROLE agent_readiness_serve LOGIN;
  END IF;
  IF password IS NOT NULL THEN
    EXECUTE format('ALTER ROLE agent_readiness_serve PASSWORD %L', password);
  END IF;
  EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
END
$$;

GRANT USAGE ON SCHEMA public TO agent_readiness_serve;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO agent_readiness_serve;
REVOKE UPDATE ON runs, audit_events FROM agent_readiness_serve;
REVOKE INSERT, UPDATE, DELETE ON knex_migrations, knex_migrations_lock FROM agent_readiness_serve;

-- The tables that a later version adds, until this is run after it.
ALTER DEFAULT PRIVILEGES FOR ROLE agent_readiness GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO agent_readiness_serve;
ALTER DEFAULT PRIVILEGES FOR ROLE agent_readiness GRANT USAGE ON SEQUENCES TO agent_readiness_serve;

COMMIT;
