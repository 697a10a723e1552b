import type { RolesGranted } from '../../ledger/roles/grant-roles.ts';

export type LedgerMigrated = {
  readonly shape: 'migrate/1';
  /** Names of the migrations that ran, oldest first. */
  readonly applied: readonly string[];
  /** The path of the file with the sealing key (encryption key) that this run created; null if there was a file already. */
  readonly madeSealingKey: string | null;
  /** The PostgreSQL roles that got rights in this run; null if the database has no roles of Lockstep. */
  readonly roles: RolesGranted | null;
};

export type MigratePorts = {
  /** Migrates the database to this version of Lockstep, and returns the names of the migrations that ran. */
  readonly migrate: () => Promise<readonly string[]>;
  readonly sealingKey: {
    readonly file: string;
    exists(): boolean;
    make(): Promise<unknown>;
  };
  readonly roles: {
    /**
     * The prefix in the names of those PostgreSQL roles that already have rights on the ledger's tables (`<prefix>_worker` and others). If
     * the operator names no prefix, the migration renews the rights of these roles, so that they include new tables. Null if no roles have
     * rights.
     */
    inUse(): Promise<string | null>;
    grant(prefix: string): Promise<RolesGranted>;
  };
};

/**
 * Migrates the ledger (Lockstep's database) to this version, creates the file with the sealing key (encryption key) if there is none, and
 * gives Lockstep's PostgreSQL roles their rights. `asked`: the prefix in the names of these roles (`<prefix>_worker` and others); null
 * renews the rights of roles that have some already. A migration cannot be undone; the call may be repeated. Throws the errors of its
 * ports.
 */
export async function migrateLedger(
  { migrate, sealingKey, roles }: MigratePorts,
  asked: string | null,
): Promise<LedgerMigrated> {
  const applied = await migrate();
  const isThere = sealingKey.exists();
  if (!isThere) await sealingKey.make();
  const prefix = asked ?? (await roles.inUse());
  const granted = prefix === null ? null : await roles.grant(prefix);
  return { shape: 'migrate/1', applied, madeSealingKey: isThere ? null : sealingKey.file, roles: granted };
}
