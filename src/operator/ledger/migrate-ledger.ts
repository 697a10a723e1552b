import type { RolesGranted } from '../../ledger/roles/grant-roles.ts';

export type LedgerMigrated = {
  readonly shape: 'migrate/1';
  /** Names of the migrations that ran, oldest first. */
  readonly applied: readonly string[];
  /** The sealing key file that this run created; null if it existed. */
  readonly madeSealingKey: string | null;
  /** The roles whose rights this run granted; null if the database has no roles of Lockstep. */
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
    /** The prefix of the roles that have rights already; null if there are none. */
    inUse(): Promise<string | null>;
    grant(prefix: string): Promise<RolesGranted>;
  };
};

/**
 * Migrates the ledger's database to this version, creates its first sealing key, and gives the PostgreSQL roles with this prefix their
 * rights. Without a prefix, renews the rights of roles that already have some. Forward only, repeatable. Throws the ports' errors.
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
