import { TENANT_SETTING } from '../core/tenant-wall.ts';
import { ROLE_RIGHTS, ROLES, type RoleName, WALLED } from './role-rights.ts';

/** A table or view of the ledger as it is in the database. */
export type LedgerTable = { readonly name: string; readonly hasTenant: boolean; readonly isView: boolean };

const RIGHTS: Readonly<Record<string, string>> = { S: 'select', I: 'insert', U: 'update', D: 'delete' };

export const roleName = (prefix: string, role: RoleName): string => `${prefix}_${role}`;

/**
 * Statements that create the ledger's PostgreSQL roles. To be run by a user with the PostgreSQL right `createrole`. A role only groups
 * rights; database users sign in as members of a role.
 */
export function roleStatements(prefix: string): readonly string[] {
  return ROLES.map((role) => `create role ${roleName(prefix, role)} nologin`);
}

/** Statements that grant the roles their rights and set up row-level security. To be run by the owner of the tables. Repeatable. */
export function rightStatements(prefix: string, schema: string, tables: readonly LedgerTable[]): readonly string[] {
  const all = ROLES.map((role) => roleName(prefix, role)).join(', ');
  return [
    `revoke all on all tables in schema ${schema} from ${all}`,
    `grant usage on schema ${schema} to ${all}`,
    // The numbers of journal lines come from a sequence.
    `grant usage on all sequences in schema ${schema} to ${roleName(prefix, 'worker')}, ${roleName(prefix, 'operator')}`,
    `grant execute on function add_journal_month(date), drop_journal_month(date) to ${roleName(prefix, 'worker')}`,
    ...tables.flatMap((table) => [...grantsOf(prefix, table.name), ...wallOf(prefix, table)]),
  ];
}

function grantsOf(prefix: string, table: string): readonly string[] {
  return Object.entries(ROLE_RIGHTS[table] ?? {}).map(([role, letters]) => {
    const rights = [...letters].map((letter) => RIGHTS[letter]).join(', ');
    return `grant ${rights} on ${table} to ${roleName(prefix, role as RoleName)}`;
  });
}

/** SQL for the session's tenant, as a sub-select, so that PostgreSQL evaluates it once for each statement and not for each row. */
const VALUE = `(select current_setting('${TENANT_SETTING}', true))`;

function wallOf(prefix: string, { name, hasTenant, isView }: LedgerTable): readonly string[] {
  // Without this option a view reads with the rights of its owner, to whom policies do not apply.
  if (isView) return [`alter view ${name} set (security_invoker = true)`];
  if (!hasTenant) return [];
  const members = (roles: readonly RoleName[]) => roles.map((role) => roleName(prefix, role)).join(', ');
  const open = ROLES.filter((role) => !WALLED.includes(role));
  return [
    `alter table ${name} enable row level security`,
    `drop policy if exists ${prefix}_processes on ${name}`,
    `create policy ${prefix}_processes on ${name} to ${members(open)} using (true) with check (true)`,
    `drop policy if exists ${prefix}_people on ${name}`,
    `create policy ${prefix}_people on ${name} to ${members(WALLED)} using (tenant = ${VALUE} or ${VALUE} = '*')`,
  ];
}
