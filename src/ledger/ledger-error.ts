import pg from 'pg';

/**
 * SQLSTATE classes that are about the server, not about what it was asked: connection, a password that was just changed,
 * a database that is just restored, out of resources, not accepting connections or locked, operator intervention, system.
 */
const TRANSIENT_CLASSES = new Set(['08', '28', '3D', '53', '55', '57', '58']);
/** A standby that was asked to write: after a fail-over the old address still leads there for a while. */
const READ_ONLY_SERVER = '25006';
/** Of the class of connections, but a statement that will never be taken. */
const PROTOCOL_VIOLATION = '08P01';
/** Serialization failure, deadlock, and two that took the same unique key: the next attempt sees the winner. */
const RETRY_STATES = new Set(['40001', '40P01', '23505']);

/**
 * A failure of the ledger. `code` is PostgreSQL's SQLSTATE, Node's error code, or one of our own (`UNKNOWN_LINK`,
 * `UNKNOWN_PLAN`, `BAD_IDS`, `BUSY`, `NOT_MIGRATED`). The message never holds row values, and the driver's error,
 * whose `detail` does, is not kept as its cause.
 */
export class LedgerError extends Error {
  override readonly name = 'LedgerError';
  readonly code: string;
  /** The same call may succeed later, without anybody doing anything. */
  readonly transient: boolean;

  constructor(code: string, message: string, transient = false) {
    super(message);
    this.code = code;
    this.transient = transient;
  }
}

/** Thrown inside a transaction that lost a race; `inTransaction` begins it again. */
export class RaceLost extends Error {
  override readonly name = 'RaceLost';
}

/** A prepared statement of which a migration changed the columns. */
const CHANGED_PLAN = '0A000';
/** A prepared statement that the connection does not have, or that it has already: a pooler gave it to others meanwhile. */
const UNKNOWN_NAMES: ReadonlySet<string> = new Set(['26000', '42P05']);

/** The server does not know a prepared statement as it is meant; nothing of it was carried out. */
export function isStalePlan(error: unknown): error is pg.DatabaseError {
  if (!(error instanceof pg.DatabaseError)) return false;
  const { code = '', routine } = error;
  return UNKNOWN_NAMES.has(code) || (code === CHANGED_PLAN && routine === 'RevalidateCachedQuery');
}

export function mayRetry(error: unknown): boolean {
  if (error instanceof RaceLost || isStalePlan(error)) return true;
  return error instanceof pg.DatabaseError && RETRY_STATES.has(error.code ?? '');
}

/** What leaves the ledger instead of the driver's error; errors of our own pass. */
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
    return new LedgerError(
      'CONNECTION',
      "The ledger's database did not answer, or closed the connection.",
      true,
    );
  }
  return error;
}

function fromDatabase(error: pg.DatabaseError): LedgerError {
  const state = error.code ?? 'unknown';
  const passing =
    state === READ_ONLY_SERVER || (TRANSIENT_CLASSES.has(state.slice(0, 2)) && state !== PROTOCOL_VIOLATION);
  const transient = passing || RETRY_STATES.has(state) || isStalePlan(error);
  // Class 42 is about our own statements: its messages name tables and columns, never values.
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
