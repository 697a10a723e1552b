/** The kinds of processes and people that use the ledger; each has a PostgreSQL role. The tables belong to another role, which migrates. */
export const ROLES = ['worker', 'receiver', 'operator', 'reader'] as const;
export type RoleName = (typeof ROLES)[number];

/** The rights of each role on a table, one letter each: S select, I insert, U update, D delete. */
export type Rights = Readonly<Partial<Record<RoleName, string>>>;

/** The rights on tables with data of records. An operator may also delete, because erasing a tenant deletes its rows. */
const RECORDS = { worker: 'SIUD', operator: 'SIUD', reader: 'S' } as const;

/**
 * The rights of each role on each table and view. Only the owner has rights on a table that is not listed. No role may change the schema,
 * nor change or remove entries of the operators' audit log.
 */
export const ROLE_RIGHTS: Readonly<Record<string, Rights>> = {
  audit_marks: RECORDS,
  backfill_rows: RECORDS,
  barred_pairs: RECORDS,
  console_tokens: { operator: 'SIUD' },
  crm_calls: RECORDS,
  cursors: { ...RECORDS, receiver: 'S' },
  data_keys: { worker: 'SI', receiver: 'SI', operator: 'SIU' },
  data_keys_in_use: { worker: 'S', receiver: 'S', operator: 'SI', reader: 'S' },
  deliveries: { ...RECORDS, receiver: 'SIU' },
  due_details: RECORDS,
  due_totals: RECORDS,
  forgotten_rows: RECORDS,
  journal: { worker: 'SID', operator: 'SIUD', reader: 'S' },
  journal_rest: { worker: 'SD' },
  kysely_migration: { worker: 'S', receiver: 'S', operator: 'S', reader: 'S' },
  link_aliases: { ...RECORDS, receiver: 'S' },
  links: { ...RECORDS, receiver: 'SIU' },
  mapping_versions: { worker: 'S', receiver: 'S', operator: 'SIUD', reader: 'S' },
  mirror_rows: RECORDS,
  notice_generations: RECORDS,
  notice_messages: RECORDS,
  notice_states: RECORDS,
  operator_actions: { operator: 'SI', reader: 'S' },
  parked: { operator: 'S', reader: 'S' },
  parked_rows: RECORDS,
  pauses: { ...RECORDS, receiver: 'S' },
  plans: RECORDS,
  quota: RECORDS,
  refused_rows: RECORDS,
  restores: { worker: 'S', receiver: 'S', operator: 'SIUD', reader: 'S' },
  retention: RECORDS,
  row_news: RECORDS,
  seen_rows: RECORDS,
  shard_readers: RECORDS,
  tenant_reports: { ...RECORDS, receiver: 'SIUD' },
  tenants: { worker: 'S', receiver: 'S', operator: 'SIU', reader: 'S' },
  undo_rows: RECORDS,
  vendor_codes: RECORDS,
  vendor_keys: { worker: 'SIU', operator: 'SIUD' },
};

/**
 * The roles to which row-level security applies. Their session names one tenant, or `*` for all tenants, and its statements see only the
 * rows of these tenants. The roles of processes (`worker`, `receiver`) are not listed, because they see the rows of all tenants.
 */
export const WALLED: readonly RoleName[] = ['operator', 'reader'];
