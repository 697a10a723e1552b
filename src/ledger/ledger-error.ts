import pg from 'pg';

/**
 * SQLSTATE classes of errors that count as transient, because their cause is the state of the server and not the statement: connection,
 * sign-in, missing database, resources, locks, operator intervention, system errors.
 */
const TRANSIENT_CLASSES = new Set(['08', '28', '3D', '53', '55', '57', '58']);
/**
 * SQLSTATE of a write to a read-only standby server. The error counts as transient, because after a fail-over the old address may lead to a
 * standby for a while.
 */
const READ_ONLY_SERVER = '25006';
/**
 * SQLSTATE of a protocol error. Unlike other connection errors it is not transient, because the server will never accept this statement.
 */
const PROTOCOL_VIOLATION = '08P01';
/**
 * SQLSTATEs of collisions with another transaction: serialization failure, deadlock, unique-key race. A new attempt can succeed, because it
 * sees the rows that the other transaction has stored.
 */
const RETRY_STATES = new Set(['40001', '40P01', '23505']);

/**
 * A failure of the ledger (Lockstep's database). `code`: PostgreSQL's SQLSTATE, Node's error code, or one of Lockstep's own, such as
 * `UNKNOWN_LINK`, `UNKNOWN_PLAN`, `BAD_IDS`, `BUSY` and `NOT_MIGRATED`. The message contains no values of rows. The driver's error is
 * dropped, because its `detail` contains values.
 */
export class LedgerError extends Error {
  override readonly name = 'LedgerError';
  readonly code: string;
  /** True if the same call may succeed later without a repair. */
  readonly transient: boolean;

  constructor(code: string, message: string, transient = false) {
    super(message);
    this.code = code;
    this.transient = transient;
  }
}

/** Whether the database refused the call permanently. It then stored nothing, and a repeated call would fail too. */
export function isRefused(error: unknown): boolean {
  return error instanceof LedgerError && !error.transient;
}

/** Thrown inside a transaction if another transaction has changed the same rows first. `inTransaction` then runs the transaction again. */
export class RaceLost extends Error {
  override readonly name = 'RaceLost';
}

/** SQLSTATE of a prepared statement whose columns a migration has changed. The statement must be prepared again. */
const CHANGED_PLAN = '0A000';
/**
 * SQLSTATEs of errors about the name of a prepared statement: unknown, or used already. They occur when a connection pooler switches
 * connections.
 */
const UNKNOWN_NAMES: ReadonlySet<string> = new Set(['26000', '42P05']);

/**
 * Whether the server rejected a prepared statement: it is unknown or outdated, or its name is used already. Then the server executed
 * nothing.
 */
export function isStalePlan(error: unknown): error is pg.DatabaseError {
  if (!(error instanceof pg.DatabaseError)) return false;
  const { code = '', routine } = error;
  return UNKNOWN_NAMES.has(code) || (code === CHANGED_PLAN && routine === 'RevalidateCachedQuery');
}

export function mayRetry(error: unknown): boolean {
  if (error instanceof RaceLost || isStalePlan(error)) return true;
  return error instanceof pg.DatabaseError && RETRY_STATES.has(error.code ?? '');
}

/** Turns a driver error into a LedgerError; other errors pass unchanged. */
export function toLedgerError(error: unknown): unknown {
  if (error instanceof RaceLost) {
    return new LedgerError('BUSY', 'Others keep changing the same links; the call may be made again.', true);
  }
  if (error instanceof pg.DatabaseError) return fromDatabase(error);
  const code = (error as { code?: unknown }).code;
  if (typeof code === 'string' && isConnectionCode(code)) {
    return new LedgerError(code, `The ledger's database cannot be reached (${code}).`, true);
  }
  if (
    error instanceof Error &&
    /timeout exceeded when trying to connect|Connection terminated|is not queryable/.test(error.message)
  ) {
    return new LedgerError('CONNECTION', "The ledger's database did not answer, or closed the connection.", true);
  }
  return error;
}

function fromDatabase(error: pg.DatabaseError): LedgerError {
  const state = error.code ?? 'unknown';
  const passing =
    state === READ_ONLY_SERVER || (TRANSIENT_CLASSES.has(state.slice(0, 2)) && state !== PROTOCOL_VIOLATION);
  const transient = passing || RETRY_STATES.has(state) || isStalePlan(error);
  // The messages of SQLSTATE class 42 may be shown. They are about mistakes in the ledger's own statements, and name tables and columns,
  // never values.
  const detail = state.startsWith('42') ? `: ${error.message}` : '';
  const where = error.constraint ?? error.table;
  return new LedgerError(
    state,
    `The ledger's database refused (SQLSTATE ${state}${where === undefined ? '' : `, ${where}`})${detail}.`,
    transient,
  );
}

function isConnectionCode(code: string): boolean {
  return /^(ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_)/.test(code);
}
