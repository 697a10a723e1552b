import { sql } from 'kysely';
import type { SealFailure } from '../platform/seal-failures.ts';
import type { Sealing } from '../platform/sealing.ts';
import { actionCalls } from './actions/actions.ts';
import { backfillCalls } from './backfill/backfill-calls.ts';
import { consoleCalls } from './console/console-tokens.ts';
import { connect, connectionLimit } from './core/connect.ts';
import { createDataKeys, fetchingKeys } from './core/data-keys.ts';
import type { Store } from './core/store.ts';
import { walledCalls } from './core/tenant-wall.ts';
import type { Ledger } from './ledger.ts';
import { LedgerError, toLedgerError } from './ledger-error.ts';
import { auditCalls, linkCalls } from './links/link-calls.ts';
import { pendingMigrations } from './migrations/migrate.ts';
import { catalogCalls, mirrorCalls, newsCalls } from './mirror/mirror-calls.ts';
import { noticeCalls } from './notices/notice-calls.ts';
import { planCalls } from './plans/plan-calls.ts';
import { laneCalls } from './queue/lane.ts';
import { queueCalls, waitingCalls } from './queue/queue-calls.ts';
import { budgetCalls } from './quota/crm-calls.ts';
import { pauseCalls, quotaCalls } from './quota/quota-calls.ts';
import { statsCalls } from './stats/stats-calls.ts';
import { shardCalls } from './streams/shard-readers.ts';
import { streamCalls } from './streams/stream-calls.ts';
import { exportRows } from './tenants/export-rows.ts';
import { keyCalls } from './tenants/key-calls.ts';
import { mappingCalls } from './tenants/mapping-versions.ts';
import { tenantCalls } from './tenants/tenants.ts';
import { undoCalls } from './undo/undo-calls.ts';
import { reseal } from './upkeep/reseal.ts';
import { upkeepCalls } from './upkeep/upkeep-calls.ts';

export type OpenLedgerOptions = {
  readonly url: string;
  /** The sealing keys, which all processes share. They encrypt the tenants' data keys, which in turn encrypt the tenants' values. */
  readonly sealing: Sealing;
  /** Reads the file with the sealing keys again; absent if the keys never change. */
  readonly renewSealing?: () => Promise<Sealing>;
  /** Called for each value that cannot be decrypted. */
  readonly onSealFailure?: (failure: SealFailure) => void;
  /**
   * The maximum number of connections of this process, 10 by default. It is reduced to half the number of connections that the server
   * allows, if this is less.
   */
  readonly poolSize?: number;
  /**
   * Whether statements are prepared; default true. False if a connection pooler in front of the database does not support prepared
   * statements.
   */
  readonly prepares?: boolean;
  /**
   * Whether the statements of a call see only the rows of its tenant, by PostgreSQL's row-level security. Set for operators' commands and
   * the console, not for workers. Has no effect if the database has no row-level security.
   */
  readonly isWalled?: boolean;
};

/**
 * Opens the ledger on PostgreSQL. Errors of the database are thrown as LedgerError. A call whose error is `transient` may be repeated. A
 * value that cannot be decrypted causes a SealingError.
 *
 * Throws LedgerError if PostgreSQL is unreachable, or `NOT_MIGRATED` if the database lacks migrations of this version.
 */
export async function openLedger(options: OpenLedgerOptions): Promise<Ledger> {
  const { connections, hasPolicies } = await connectionFacts(options.url);
  const poolSize = Math.min(options.poolSize ?? 10, connections);
  const isWalled = options.isWalled === true && hasPolicies;
  const db = connect({ url: options.url, poolSize, prepares: options.prepares ?? true, isWalled });
  const { sealing, renewSealing = async () => sealing, onSealFailure: onFailure } = options;
  const sealer = createDataKeys(db, { now: sealing, renew: renewSealing }, { onFailure });
  const store: Store = { db, sealer };
  const calls: Calls = {
    ...linkCalls(store),
    ...auditCalls(store),
    ...planCalls(store),
    ...queueCalls(store),
    ...laneCalls(store),
    ...waitingCalls(store),
    ...streamCalls(store),
    ...shardCalls(store),
    ...mirrorCalls(store),
    ...newsCalls(store),
    ...catalogCalls(store),
    ...quotaCalls(store),
    ...pauseCalls(store),
    ...budgetCalls(store),
    ...tenantCalls(store),
    ...keyCalls(store),
    ...mappingCalls(store),
    ...backfillCalls(store),
    ...undoCalls(store),
    ...upkeepCalls(store),
    ...statsCalls(store),
    ...actionCalls(store),
    ...consoleCalls(store),
    ...noticeCalls(store),
  };
  const ledger: Ledger = {
    ...fetchingKeys(calls, sealer, onFailure),
    exportTenant: (tenant) => exportRows(store, tenant),
    async *reseal() {
      yield* reseal(store, await renewSealing());
    },
  };
  return isWalled ? walledCalls(ledger, new Set(ACROSS_TENANTS)) : ledger;
}

/**
 * Methods that need the rows of several or all tenants, so that row-level security must not limit them to one tenant. `declareTenant`,
 * `removeTenant` and `publishMapping` are among them, because they give each change a number that is unique among all tenants.
 */
export const ACROSS_TENANTS: readonly (keyof Ledger)[] = [
  ...(['figures', 'ping', 'close', 'sizeBytes', 'noteRestored', 'reseal', 'sealingKeysInUse', 'useDataKeys'] as const),
  ...(['recordAction', 'actionsAfter', 'lastActions', 'tenantsSince', 'declareTenant', 'removeTenant'] as const),
  ...(['keepToken', 'findToken', 'takeToken', 'mappingsSince', 'publishMapping'] as const),
  ...(['noticeStates', 'makeDigest', 'claimMessages', 'settleMessage', 'listNotices', 'undeliveredOf'] as const),
  'waitingKeysOf',
  ...(['takeShard', 'replaceReader', 'beatShards'] as const),
  ...([
    'reportUnavailable',
    'unavailableTenants',
    'pausedTenants',
    'noteCrmCalls',
    'crmUse',
    'forgetCrmCalls',
  ] as const),
  ...([
    'streamTimes',
    'cursorParts',
    'notedCodesOf',
    'streamReadsOf',
    'pausesOf',
    'quotasOf',
    'refusedNoticesOf',
  ] as const),
  ...([
    'listLinksOf',
    'countByStateOf',
    'countByIssueOf',
    'countWaitingOf',
    'countMirroredOf',
    'tenantsToWake',
  ] as const),
];

/**
 * Methods that are async generators, because they return or process rows page by page. The wrapper `fetchingKeys` repeats a call that lacks
 * an encryption key. It cannot wrap these methods, because a generator fails only while its pages are read.
 */
type Paged = 'exportTenant' | 'reseal';
type Calls = Omit<Ledger, Paged>;

/**
 * Reads two facts about the database: half the number of connections that the server allows, and whether row-level security limits this
 * role. Throws LedgerError `NOT_MIGRATED` if the database lacks migrations of this version.
 */
async function connectionFacts(url: string): Promise<{ connections: number; hasPolicies: boolean }> {
  const db = connect({ url, poolSize: 1 });
  try {
    const pending = await pendingMigrations(db);
    if (pending.length > 0) {
      throw new LedgerError(
        'NOT_MIGRATED',
        `The ledger's database lacks ${pending.length} migration(s), first "${pending[0]}": run "lockstep migrate".`,
      );
    }
    const { rows } = await sql<{ active: boolean }>`select row_security_active('links') as active`.execute(db);
    const connections = Math.max(1, Math.floor((await connectionLimit(db)) / 2));
    return { connections, hasPolicies: rows[0]?.active === true };
  } catch (error) {
    throw toLedgerError(error);
  } finally {
    await db.destroy();
  }
}
