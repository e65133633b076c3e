-- Creates the role of `serve` and grants it only the rights that it needs: see "A separate role for `serve`" in docs/operations.md. The
-- administrator of PostgreSQL runs it after each `migrate`; it may run any number of times. The setting serving.password sets the role's
-- password; without it an existing role keeps its password.

BEGIN;

DO $$
DECLARE
  password text := nullif(current_setting('serving.password', true), '');
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'agent_readiness_serve') THEN
    IF password IS NULL THEN
      RAISE EXCEPTION 'The role agent_readiness_serve does not exist yet. Set its password: PGOPTIONS="-c serving.password=PASSWORD".';
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

-- For tables that a later version adds, until this script runs again.
ALTER DEFAULT PRIVILEGES FOR ROLE agent_readiness GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO agent_readiness_serve;
ALTER DEFAULT PRIVILEGES FOR ROLE agent_readiness GRANT USAGE ON SEQUENCES TO agent_readiness_serve;

COMMIT;
