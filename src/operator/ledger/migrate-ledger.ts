export type LedgerMigrated = {
  readonly shape: 'migrate/1';
  /** Names of the migrations that ran, oldest first. */
  readonly applied: readonly string[];
  /** The file of the sealing key where this run made one; null where there was one. */
  readonly madeSealingKey: string | null;
};

export type MigratePorts = {
  /** Brings the database up to this version. */
  readonly migrate: () => Promise<readonly string[]>;
  readonly sealingKey: {
    readonly file: string;
    exists(): boolean;
    make(): Promise<unknown>;
  };
};

/** Brings the ledger's database up to this version, and makes its first sealing key. Forward only, repeatable. Throws the ports' errors. */
export async function migrateLedger({ migrate, sealingKey }: MigratePorts): Promise<LedgerMigrated> {
  const applied = await migrate();
  const isThere = sealingKey.exists();
  if (!isThere) await sealingKey.make();
  return { shape: 'migrate/1', applied, madeSealingKey: isThere ? null : sealingKey.file };
}
