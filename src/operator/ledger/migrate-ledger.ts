export type LedgerMigrated = {
  readonly shape: 'migrate/1';
  /** Names of the migrations that ran, oldest first. */
  readonly applied: readonly string[];
  /** The sealing key file that this run created; null if it existed. */
  readonly madeSealingKey: string | null;
};

export type MigratePorts = {
  /** Migrates the database to this version of Lockstep, and returns the names of the migrations that ran. */
  readonly migrate: () => Promise<readonly string[]>;
  readonly sealingKey: {
    readonly file: string;
    exists(): boolean;
    make(): Promise<unknown>;
  };
};

/** Migrates the ledger's database to this version and creates its first sealing key. Forward only, repeatable. Throws the ports' errors. */
export async function migrateLedger({ migrate, sealingKey }: MigratePorts): Promise<LedgerMigrated> {
  const applied = await migrate();
  const isThere = sealingKey.exists();
  if (!isThere) await sealingKey.make();
  return { shape: 'migrate/1', applied, madeSealingKey: isThere ? null : sealingKey.file };
}
